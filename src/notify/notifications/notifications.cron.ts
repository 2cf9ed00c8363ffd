import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AppConfig } from '../../platform/config/app-config';
import { NotificationsService } from './notifications.service';

/** Deletes old notifications every night; several processes may do so at once. */
@Injectable()
export class NotificationsCron {
  private readonly logger = new Logger(NotificationsCron.name);

  constructor(
    private readonly notifications: NotificationsService,
    private readonly config: AppConfig,
  ) {}

  @Cron('29 3 * * *', { name: 'remove-old-notifications', timeZone: 'UTC', waitForCompletion: true })
  async deleteOld(): Promise<void> {
    if (!this.config.runsJobs) return;
    const deleted = await this.notifications.deleteOld();
    if (deleted > 0) this.logger.log(`Deleted ${deleted} old notifications`);
  }
}
