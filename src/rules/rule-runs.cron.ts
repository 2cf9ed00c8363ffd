import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AppConfig } from '../config/app-config';
import { RuleRunsService } from './rule-runs.service';

/** Sees to it that rules run when they are due. */
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
  async removeAbandonedMatches(): Promise<void> {
    if (!this.config.runsJobs) return;
    const removed = await this.runs.removeAbandonedMatches();
    if (removed > 0) this.logger.log(`Removed ${removed} matches of runs that have ended`);
  }
}
