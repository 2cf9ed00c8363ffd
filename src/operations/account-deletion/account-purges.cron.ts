import { Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AppConfig } from '../../platform/config/app-config';
import { AccountPurgesService } from './account-purges.service';

/** Restarts deletions that failed or were cancelled, at the start and every hour. */
@Injectable()
export class AccountPurgesCron implements OnApplicationBootstrap {
  private readonly logger = new Logger(AccountPurgesCron.name);

  constructor(
    private readonly purges: AccountPurgesService,
    private readonly config: AppConfig,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.runsJobs) await this.resumePurges();
  }

  @Cron('41 * * * *', { name: 'resume-account-purges' })
  async resumePurges(): Promise<void> {
    const hour = new Date().toISOString().slice(0, 13);
    const resumed = await this.purges.resume(hour);
    if (resumed > 0)
      this.logger.log(`Restarted the deletion of ${resumed} accounts or of their mailbox data`);
  }
}
