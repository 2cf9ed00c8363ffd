import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { RuleRunsService } from './rule-runs.service';

/** Starts the rules that are due, and deletes leftovers of runs. */
@Injectable()
export class RuleRunsCron {
  private readonly logger = new Logger(RuleRunsCron.name);

  constructor(private readonly runs: RuleRunsService) {}

  @Cron('17 * * * * *', { name: 'start-due-rules' })
  async startDue(): Promise<void> {
    const started = await this.runs.startDue();
    if (started > 0) this.logger.log(`Started ${started} rules that were due`);
  }

  @Cron('53 * * * *', { name: 'remove-abandoned-rule-matches' })
  async deleteAbandonedMatches(): Promise<void> {
    const deleted = await this.runs.deleteAbandonedMatches();
    if (deleted > 0) this.logger.log(`Deleted ${deleted} matches of runs that have ended`);
  }
}
