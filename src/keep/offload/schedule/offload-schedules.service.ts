import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../../../platform/access/audit-trail.port';
import { Transactions } from '../../../platform/database/transactions';
import { describeError } from '../../../platform/logging/describe-error';
import { ResourceNotFound } from '../../../platform/http/domain-error';
import { JobOwnerInactive, TooManyJobs } from '../../../platform/jobs/jobs.errors';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import type { PlanOwner } from '../plans/offload-plan';
import { OffloadPlansService } from '../plans/offload-plans.service';
import { OffloadSchedule, OffloadSchedulesRepository } from './offload-schedules.repository';

const PAGE = 100;
/** Marks that a schedule ignores: none, so that it moves no message that its owner wants at hand. */
const ALLOWED = { starred: false, important: false, unread: false };

/** Schedules that move messages out of mailboxes every night. */
@Injectable()
export class OffloadSchedulesService {
  private readonly logger = new Logger(OffloadSchedulesService.name);

  constructor(
    private readonly schedules: OffloadSchedulesRepository,
    private readonly plans: OffloadPlansService,
    private readonly accounts: MailboxAccountsService,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
  ) {}

  /** @throws ResourceNotFound when the account has none */
  async get(owner: PlanOwner): Promise<OffloadSchedule> {
    const schedule = await this.schedules.find(owner);
    if (!schedule) throw new ResourceNotFound('offload schedule');
    return schedule;
  }

  /** @throws ValidationFailed, MailboxDisconnected, ReauthRequired */
  async set(schedule: Omit<OffloadSchedule, 'updatedAt'>): Promise<OffloadSchedule> {
    const { userId, accountId, selection, mode, graceDays, maxPerNight, isActive } = schedule;
    if (isActive) await this.accounts.requireUsable(userId, accountId);
    await this.plans.requireSelection({ userId, accountId }, selection);
    return this.transactions.run(async (transaction) => {
      const saved = await this.schedules.save(schedule, transaction);
      const details = { mode, graceDays, maxPerNight, isActive };
      await this.audit.record({ action: 'offload.schedule-set', userId, accountId, details }, transaction);
      return saved;
    });
  }

  /**
   * Starts the plans of a night; a second call for the same night starts none.
   * @param night a date, e.g. `2025-11-21`. @returns the number of plans started
   */
  async startNight(night: string): Promise<number> {
    let started = 0;
    for (let after: string | null = null; ;) {
      const page: OffloadSchedule[] = await this.schedules.listActive(after, PAGE);
      for (const schedule of page) if (await this.start(schedule, night)) started += 1;
      if (page.length < PAGE) return started;
      after = page.at(-1)!.accountId;
    }
  }

  private async start(schedule: OffloadSchedule, night: string): Promise<boolean> {
    const { userId, accountId, selection, mode, graceDays } = schedule;
    const olderThanDays = Math.max(graceDays, selection.olderThanDays ?? 0);
    const request = { selection: { ...selection, olderThanDays }, mode, allowed: ALLOWED };
    const once = `offload:${accountId}:${night}`;
    try {
      return (await this.plans.startOnce({ userId, accountId }, request, once)) !== null;
    } catch (error) {
      // The user has been deactivated, or is busy with other jobs: the next hour, or night, tries again.
      if (error instanceof JobOwnerInactive || error instanceof TooManyJobs) return false;
      // A failed plan does not stop those of the other mailboxes.
      this.logger.error(error, `Could not plan the offload of ${accountId}: ${describeError(error).message}`);
      return false;
    }
  }
}
