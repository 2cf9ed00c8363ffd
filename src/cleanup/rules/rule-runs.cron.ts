import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AppConfig } from '../../platform/config/app-config';
import { RuleRunsService } from './rule-runs.service';

/** Starts the rules that are due, and deletes leftovers of runs. */
@Injectable()
export class RuleRunsCron {
  private readonly logger = new Logger(RuleRunsCron.name);

  constructor(
    private readonly runs: RuleRunsService,
    private readonly config: AppConfig,
  ) {}

  @Cron('17 * * * * *', { name: 'start-due-rules' })
  async startDue(): Promise<void> {
    if (!this.config.runsJobs) return;
    const started = await this.runs.startDue();
    if (started > 0) this.logger.log(`Started ${started} rules that were due`);
  }

  @Cron('53 * * * *', { name: 'remove-abandoned-rule-matches' })
  async deleteAbandonedMatches(): Promise<void> {
    if (!this.config.runsJobs) return;
    const deleted = await this.runs.deleteAbandonedMatches();
    if (deleted > 0) this.logger.log(`Deleted ${deleted} matches of runs that have ended`);
  }
}
