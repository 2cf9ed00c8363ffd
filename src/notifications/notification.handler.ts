import { Injectable } from '@nestjs/common';
import { newId } from '../common/database/ids';
import type { Transaction } from '../common/database/transactions';
import type { EventHandler } from '../events/event-dispatcher';
import { notificationOf } from './notification-texts';
import type { RecordedEvent } from '../events/events';
import { NotificationsRepository } from './notifications.repository';

/** Events as notifications in the application, for users who want to hear of their category. */
@Injectable()
export class NotificationHandler implements EventHandler {
  constructor(private readonly notifications: NotificationsRepository) {}

  async accept(event: RecordedEvent, transaction: Transaction): Promise<void> {
    await this.notifications.insertIfWanted(
      {
        id: newId(),
        userId: event.userId,
        eventKey: event.key,
        data: { ...event.data },
        ...notificationOf(event),
      },
      transaction,
    );
  }
}
