import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { QuotaService } from './quota.service';

/** Deletes old usage records every night. Several processes may run it at once: each record is deleted by one of them. */
@Injectable()
export class QuotaCron {
  private readonly logger = new Logger(QuotaCron.name);

  constructor(private readonly quota: QuotaService) {}

  @Cron('23 3 * * *', { name: 'remove-old-provider-usage', timeZone: 'UTC' })
  async deleteOldUsage(): Promise<void> {
    const deleted = await this.quota.cleanUp();
    if (deleted > 0) this.logger.log(`Deleted ${deleted} old records of provider usage`);
  }
}
