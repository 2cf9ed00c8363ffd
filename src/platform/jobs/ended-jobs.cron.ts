import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { EndedJobsService } from './ended-jobs.service';

/** Clears and deletes old jobs every hour; several processes may do so at once. */
@Injectable()
export class EndedJobsCron {
  private readonly logger = new Logger(EndedJobsCron.name);

  constructor(private readonly jobs: EndedJobsService) {}

  @Cron('37 * * * *', { name: 'remove-old-jobs', timeZone: 'UTC', waitForCompletion: true })
  async deleteOld(): Promise<void> {
    const [cleared, deleted] = [await this.jobs.clearOld(), await this.jobs.deleteOld()];
    if (cleared + deleted > 0)
      this.logger.log(`Cleared ${cleared} old jobs, deleted ${deleted} very old ones`);
  }
}
