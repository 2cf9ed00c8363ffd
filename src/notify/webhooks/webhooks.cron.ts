import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { WebhooksService } from './webhooks.service';

/** Deletes old deliveries every night; several processes may do so at once. */
@Injectable()
export class WebhooksCron {
  private readonly logger = new Logger(WebhooksCron.name);

  constructor(private readonly webhooks: WebhooksService) {}

  @Cron('7 4 * * *', { name: 'remove-old-webhook-deliveries', timeZone: 'UTC', waitForCompletion: true })
  async deleteOld(): Promise<void> {
    const deleted = await this.webhooks.deleteOldDeliveries();
    if (deleted > 0) this.logger.log(`Deleted ${deleted} old webhook deliveries`);
  }
}
