import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AppConfig } from '../config/app-config';
import { OldDeliveries } from './webhooks.service';

/** Removes old deliveries every night. Any number of processes may: each is removed by one of them. */
@Injectable()
export class WebhooksCron {
  private readonly logger = new Logger(WebhooksCron.name);

  constructor(
    private readonly deliveries: OldDeliveries,
    private readonly config: AppConfig,
  ) {}

  @Cron('7 4 * * *', { name: 'remove-old-webhook-deliveries', timeZone: 'UTC', waitForCompletion: true })
  async removeOld(): Promise<void> {
    if (!this.config.runsJobs) return;
    const removed = await this.deliveries.remove();
    if (removed > 0) this.logger.log(`Removed ${removed} old deliveries of webhooks`);
  }
}
