import { Injectable } from '@nestjs/common';
import { RedisBroadcast } from '../../platform/redis/redis-broadcast';

const channelOf = (userId: string): string => `accounts:user:${userId}`;

/** Notifies all processes that a user's accounts have changed. Notifications may be lost; the table is authoritative. */
@Injectable()
export class AccountUpdates {
  constructor(private readonly broadcast: RedisBroadcast) {}

  publish(userId: string): void {
    this.broadcast.publish(channelOf(userId), true);
  }

  /** Calls `listener` after every change, until the returned function is called. */
  listen(userId: string, listener: () => void): Promise<() => void> {
    return this.broadcast.listen(channelOf(userId), listener);
  }
}
