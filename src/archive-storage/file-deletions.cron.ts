import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AppConfig } from '../config/app-config';
import { DatabaseFileDeletions } from './file-deletions';

/** Removes files whose removal was interrupted. Any number of processes may: each file is taken by one of them. */
@Injectable()
export class FileDeletionsCron {
  private readonly logger = new Logger(FileDeletionsCron.name);

  constructor(
    private readonly removals: DatabaseFileDeletions,
    private readonly config: AppConfig,
  ) {}

  @Cron('37 * * * * *', { name: 'carry-out-archive-removals', waitForCompletion: true })
  async carryOutDue(): Promise<void> {
    if (!this.config.runsJobs) return;
    const removed = await this.removals.carryOutDue();
    if (removed > 0) this.logger.log(`Removed ${removed} files that were left to be removed`);
    await this.removals.forgetOld();
  }
}
