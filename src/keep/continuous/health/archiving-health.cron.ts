import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { ArchivingHealthService } from './archiving-health.service';

/** Judges continuous archiving every minute, apart from the work itself. */
@Injectable()
export class ArchivingHealthCron {
  constructor(private readonly health: ArchivingHealthService) {}

  @Cron('* * * * *', { name: 'judge-archiving', waitForCompletion: true })
  async judge(): Promise<void> {
    await this.health.judgeAll();
  }
}
