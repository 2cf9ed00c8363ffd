import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { RetentionRunsService } from './retention-runs.service';

/**
 * Starts the nightly runs at 02:11 UTC, and hourly until 05:11 the ones that could not be started then, e.g. because the
 * service was down. It never starts them by day: a policy created at noon first runs at night.
 */
@Injectable()
export class RetentionCron {
  private readonly logger = new Logger(RetentionCron.name);

  constructor(private readonly runs: RetentionRunsService) {}

  @Cron('11 2-5 * * *', { name: 'start-nightly-retention', timeZone: 'UTC' })
  async startNight(): Promise<void> {
    const users = await this.runs.startNight(new Date().toISOString().slice(0, 10));
    if (users > 0) this.logger.log(`Started the retention policies of ${users} users`);
    await this.runs.deleteEndedCounts();
  }
}
