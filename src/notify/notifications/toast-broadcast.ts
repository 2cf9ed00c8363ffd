import { Injectable } from '@nestjs/common';
import { RedisBroadcast } from '../../platform/redis/redis-broadcast';

const channelOf = (userId: string): string => `events:user:${userId}`;

/** Wakes the toast streams of a user in every process, through Redis, when an event has been recorded. */
@Injectable()
export class ToastBroadcast {
  constructor(private readonly redis: RedisBroadcast) {}

  publish(userId: string, eventId: string): void {
    this.redis.publish(channelOf(userId), eventId);
  }

  /** Calls `listener` for every event of the user, until the returned function is called. */
  listen(userId: string, listener: () => void): Promise<() => void> {
    return this.redis.listen(channelOf(userId), listener);
  }
}
