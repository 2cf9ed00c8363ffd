import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../common/database/transactions';
import type { EventSink } from '../../events/event-sink';
import type { RecordedEvent } from '../../events/events';
import { ToastNews } from './toast-news';

/** Events as news for the streams that show toasts; whoever listens decides by the user's preferences. */
@Injectable()
export class ToastSink implements EventSink {
  constructor(private readonly news: ToastNews) {}

  accept(event: RecordedEvent, transaction: Transaction): Promise<void> {
    transaction.afterCommit(() => this.news.publish(event.userId, event.id));
    return Promise.resolve();
  }
}
