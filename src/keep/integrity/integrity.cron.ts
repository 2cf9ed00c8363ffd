import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { IntegrityChecksService } from './integrity-checks.service';

/** Checks a part of every archive each night, and missed nights by day. */
@Injectable()
export class IntegrityCron {
  private readonly logger = new Logger(IntegrityCron.name);

  constructor(private readonly checks: IntegrityChecksService) {}

  @Cron('37 2 * * *', { name: 'check-integrity', timeZone: 'UTC' })
  async checkTonight(): Promise<void> {
    const started = await this.checks.startNight(new Date());
    this.logger.log(`Started the nightly integrity check of ${started} users`);
  }

  @Cron('52 * * * *', { name: 'check-integrity-missed' })
  async checkMissed(): Promise<void> {
    const started = await this.checks.startMissed(new Date());
    if (started > 0) this.logger.log(`Started the integrity check of ${started} users who missed a night`);
  }
}
