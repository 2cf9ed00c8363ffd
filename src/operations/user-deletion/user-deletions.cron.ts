import { Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AppConfig } from '../../platform/config/app-config';
import { UserDeletionsService } from './user-deletions.service';

/** Resumes deletions without a job, at the start and every hour. */
@Injectable()
export class UserDeletionsCron implements OnApplicationBootstrap {
  private readonly logger = new Logger(UserDeletionsCron.name);

  constructor(
    private readonly deletions: UserDeletionsService,
    private readonly config: AppConfig,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.runsJobs) await this.resumeDeletions();
  }

  @Cron('47 * * * *', { name: 'resume-user-deletions' })
  async resumeDeletions(): Promise<void> {
    const resumed = await this.deletions.resume();
    if (resumed > 0) this.logger.log(`Resumed user deletions: ${resumed}`);
  }
}
