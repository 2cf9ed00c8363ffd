import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transactions';
import { RedisBroadcast } from '../../platform/redis/redis-broadcast';
import { EventHandler, HandlesEvents } from '../../platform/events/event-handler';
import type { RecordedEvent } from '../../platform/events/events';

const channelOf = (userId: string): string => `events:user:${userId}`;

/** Carries the news of an event from the process that recorded it to those whose streams show it. */
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

/** Announces events to the streams that show toasts; these decide by the user's preferences. */
@HandlesEvents()
@Injectable()
export class ToastHandler implements EventHandler {
  constructor(private readonly broadcast: ToastBroadcast) {}

  handle(event: RecordedEvent, transaction: Transaction): Promise<void> {
    transaction.afterCommit(() => this.broadcast.publish(event.userId, event.id));
    return Promise.resolve();
  }
}
