import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AppConfig } from '../config/app-config';
import { OldNotifications } from './notifications.service';

/** Removes old notifications every night. Any number of processes may: each is removed by one of them. */
@Injectable()
export class NotificationsCron {
  private readonly logger = new Logger(NotificationsCron.name);

  constructor(
    private readonly old: OldNotifications,
    private readonly config: AppConfig,
  ) {}

  @Cron('29 3 * * *', { name: 'remove-old-notifications', timeZone: 'UTC', waitForCompletion: true })
  async removeOld(): Promise<void> {
    if (!this.config.runsJobs) return;
    const removed = await this.old.remove();
    if (removed > 0) this.logger.log(`Removed ${removed} old notifications`);
  }
}
