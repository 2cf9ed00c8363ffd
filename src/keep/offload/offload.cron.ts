import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { OffloadPlansService } from './plans/offload-plans.service';
import { LateOutcomes } from './running/late-outcomes';
import { ExpiredOffloads } from './running/expired-offloads';
import { OffloadSchedulesService } from './schedule/offload-schedules.service';

/**
 * Periodic work of offloads: starts the nightly ones, ends and deletes expired plans, and resolves outcomes that are unknown.
 */
@Injectable()
export class OffloadCron {
  private readonly logger = new Logger(OffloadCron.name);

  constructor(
    private readonly plans: OffloadPlansService,
    private readonly ends: ExpiredOffloads,
    private readonly late: LateOutcomes,
    private readonly schedules: OffloadSchedulesService,
  ) {}

  @Cron('41 * * * * *', { name: 'release-abandoned-holds', waitForCompletion: true })
  async releaseAbandoned(): Promise<void> {
    const released = await this.plans.releaseAbandoned();
    if (released > 0) this.logger.log(`Released ${released} archived mails whose offload has ended`);
  }

  @Cron('21 */10 * * * *', { name: 'settle-stopped-offloads', waitForCompletion: true })
  async recordLateOutcomes(): Promise<void> {
    const resolved = await this.late.recordAll();
    if (resolved > 0) this.logger.log(`Resolved the outcomes of ${resolved} stopped offloads`);
  }

  @Cron('51 * * * *', { name: 'end-expired-offloads', waitForCompletion: true })
  async endExpired(): Promise<void> {
    const ended = await this.ends.endExpired();
    if (ended > 0) this.logger.log(`Created the receipts of ${ended} offloads that were not continued`);
    const deleted = await this.plans.deleteExpired();
    if (deleted > 0) this.logger.log(`Deleted ${deleted} unconfirmed plans`);
  }

  /** Runs at 03:23 UTC, and hourly until 05:23 for mailboxes whose offload could not be started before. */
  @Cron('23 3-5 * * *', { name: 'start-nightly-offloads', timeZone: 'UTC', waitForCompletion: true })
  async startNight(): Promise<void> {
    const started = await this.schedules.startNight(new Date().toISOString().slice(0, 10));
    if (started > 0) this.logger.log(`Started planning the offload of ${started} mailboxes`);
  }
}
