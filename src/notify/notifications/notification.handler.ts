import { Injectable } from '@nestjs/common';
import { newId } from '../../platform/crypto/ids';
import type { Transaction } from '../../platform/database/transactions';
import { EventHandler, HandlesEvents } from '../../platform/events/event-handler';
import type { RecordedEvent } from '../../platform/events/events';
import { notificationOf } from './notification-texts';
import { NotificationsRepository } from './notifications.repository';

/** Adds notifications in the application, for users whose preferences want the event's category. */
@HandlesEvents()
@Injectable()
export class NotificationHandler implements EventHandler {
  constructor(private readonly notifications: NotificationsRepository) {}

  async handle(event: RecordedEvent, transaction: Transaction): Promise<void> {
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
