import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AppConfig } from '../../../platform/config/app-config';
import { ArchivingHealthService } from './archiving-health.service';

/** Judges continuous archiving every minute, apart from the work itself. */
@Injectable()
export class ArchivingHealthCron {
  constructor(
    private readonly health: ArchivingHealthService,
    private readonly config: AppConfig,
  ) {}

  @Cron('* * * * *', { name: 'judge-archiving', waitForCompletion: true })
  async judge(): Promise<void> {
    if (!this.config.runsJobs) return;
    await this.health.judgeAll();
  }
}
