import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transactions';
import { EventHandler, HandlesEvents } from '../../platform/events/event-handler';
import type { RecordedEvent } from '../../platform/events/events';
import { ToastBroadcast } from './toast-broadcast';

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
