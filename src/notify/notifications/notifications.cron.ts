import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { NotificationsService } from './notifications.service';

/** Deletes old notifications every night; several processes may do so at once. */
@Injectable()
export class NotificationsCron {
  private readonly logger = new Logger(NotificationsCron.name);

  constructor(private readonly notifications: NotificationsService) {}

  @Cron('29 3 * * *', { name: 'remove-old-notifications', timeZone: 'UTC', waitForCompletion: true })
  async deleteOld(): Promise<void> {
    const deleted = await this.notifications.deleteOld();
    if (deleted > 0) this.logger.log(`Deleted ${deleted} old notifications`);
  }
}
