import { Injectable } from '@nestjs/common';
import type { Transaction } from '../common/database/transactions';
import { RedisBroadcast } from '../common/redis/redis-broadcast';
import type { EventHandler } from '../events/event-dispatcher';
import type { RecordedEvent } from '../events/events';

const ofUser = (userId: string): string => `events:user:${userId}`;

/** That something has happened to a user, from the process that recorded it to those that show it. */
@Injectable()
export class ToastBroadcast {
  constructor(private readonly news: RedisBroadcast) {}

  publish(userId: string, eventId: string): void {
    this.news.publish(ofUser(userId), eventId);
  }

  /** Calls `listener` for every event of the user, until the returned function is called. */
  listen(userId: string, listener: () => void): Promise<() => void> {
    return this.news.listen(ofUser(userId), listener);
  }
}

/** Events as news for the streams that show toasts; whoever listens decides by the user's preferences. */
@Injectable()
export class ToastHandler implements EventHandler {
  constructor(private readonly news: ToastBroadcast) {}

  accept(event: RecordedEvent, transaction: Transaction): Promise<void> {
    transaction.afterCommit(() => this.news.publish(event.userId, event.id));
    return Promise.resolve();
  }
}
