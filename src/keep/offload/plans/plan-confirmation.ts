import { Injectable } from '@nestjs/common';
import { ArchivedCopies } from '../../../archive/mails/holds/archived-copies';
import { type Transaction, Transactions } from '../../../platform/database/transactions';
import { ResourceNotFound } from '../../../platform/http/domain-error';
import { PassphrasesService } from '../../../archive/passphrases/passphrases.service';
import { JobsService, StartedJob } from '../../../platform/jobs/jobs.service';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import {
  RemovalForecast,
  REMOVES_NOTHING,
  type WouldRemove,
} from '../../../archive/retention/removal-forecast';
import { PlanRefused } from '../offload.errors';
import { OffloadMessages } from '../running/offload-messages.job';
import type { OffloadSecrets } from '../running/offload-messages.job';
import { OffloadSchedulesRepository } from '../schedule/offload-schedules.repository';
import { type Blocking, OffloadItemsRepository } from './offload-items.repository';
import type { OffloadPlan, PlanOwner } from './offload-plan';
import { TRASH_DAYS } from './offload-plan';
import { OffloadPlansRepository } from './offload-plans.repository';

/** The plan as it was shown to the person who confirms. */
export interface ConfirmedPlan {
  readonly digest: string;
  readonly count: number;
}

const PAGE = 1_000;

/** Starts the job that moves the messages of a plan. */
@Injectable()
export class PlanConfirmation {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly plans: OffloadPlansRepository,
    private readonly items: OffloadItemsRepository,
    private readonly copies: ArchivedCopies,
    private readonly forecast: RemovalForecast,
    private readonly schedules: OffloadSchedulesRepository,
    private readonly passphrases: PassphrasesService,
    private readonly jobs: JobsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Starts the move of exactly the messages that were shown, or of none. A plan that was stopped continues.
   * @param passphrase of encrypted copies; null: none was given
   * @throws ResourceNotFound, PlanRefused, MailboxDisconnected, ReauthRequired, EncryptionNotConfigured, PassphraseInvalid,
   *   TooManyRequests
   */
  async confirm(
    owner: PlanOwner,
    planId: string,
    seen: ConfirmedPlan,
    passphrase: string | null,
  ): Promise<StartedJob> {
    const repeated = await this.jobs.findRepeated(owner.userId);
    if (repeated) return { jobId: repeated.record.jobId };
    await this.accounts.requireUsable(owner.userId, owner.accountId);
    const plan = await this.plans.find(owner, planId);
    if (!plan) throw new ResourceNotFound('offload plan');
    requireConfirmable(plan, seen);
    const secrets = passphrase === null ? null : await this.secretsOf(owner.userId, passphrase);
    const wouldBeRemoved = await this.forecastOf(owner);
    return this.transactions.run(async (transaction) => {
      await this.accounts.lockUsable(owner.userId, owner.accountId, transaction);
      const locked = await this.plans.lock(owner, planId, transaction);
      if (!locked) throw new ResourceNotFound('offload plan');
      requireConfirmable(locked, seen);
      return this.start(owner, locked, { secrets, wouldBeRemoved }, transaction);
    });
  }

  /**
   * Confirms a plan of the schedule unless it would move more than the schedule allows. @returns null when it waits for a
   * person
   */
  async confirmScheduled(owner: PlanOwner, planId: string): Promise<StartedJob | null> {
    const schedule = await this.schedules.find(owner);
    if (!schedule?.isActive) return null;
    const wouldBeRemoved = await this.forecastOf(owner);
    return this.transactions.run(async (transaction) => {
      await this.accounts.lockUsable(owner.userId, owner.accountId, transaction);
      const plan = await this.plans.lock(owner, planId, transaction);
      const messages = plan?.figures?.offloadable ?? 0;
      if (plan?.status !== 'ready' || messages === 0 || messages > schedule.maxPerNight) return null;
      return this.start(owner, plan, { secrets: null, wouldBeRemoved }, transaction);
    });
  }

  private async start(
    owner: PlanOwner,
    plan: OffloadPlan,
    { secrets, wouldBeRemoved }: { secrets: OffloadSecrets | null; wouldBeRemoved: WouldRemove },
    transaction: Transaction,
  ): Promise<StartedJob> {
    const payload = { planId: plan.id, hasPassphrase: secrets !== null };
    await this.blockRemoved(plan, wouldBeRemoved, transaction);
    const { left, unknown = 0 } = await this.items.countByState(plan, transaction);
    const started = await this.jobs.start(OffloadMessages, owner, payload, {
      total: left + unknown,
      transaction,
      ...(secrets && { secrets }),
    });
    await this.plans.markRunning(owner, plan.id, started.jobId, transaction);
    return started;
  }

  /** Blocks messages whose copies a policy would delete that was created after the plan. */
  private async blockRemoved(
    plan: OffloadPlan,
    wouldBeRemoved: WouldRemove,
    transaction: Transaction,
  ): Promise<void> {
    if (wouldBeRemoved === REMOVES_NOTHING) return;
    for (let after = -1; ;) {
      const page = await this.items.listMovableAfter(plan, after, PAGE, transaction);
      const copies = await this.copies.findByMails(
        plan,
        page.map(({ mailId }) => mailId),
        transaction,
      );
      const blocked = page.flatMap(({ position, mailId }): Blocking[] => {
        const copy = copies.get(mailId);
        return copy && wouldBeRemoved(copy) ? [{ position, reason: 'policy-would-remove' }] : [];
      });
      await this.items.block(plan, blocked, transaction);
      if (page.length < PAGE) break;
      after = page.at(-1)!.position;
    }
    await this.plans.setCounts(plan, plan.id, await this.items.countByState(plan, transaction), transaction);
  }

  /** Reads the policies before the transaction: a second connection within one that holds locks could wait for it for ever. */
  private forecastOf({ userId, accountId }: PlanOwner): Promise<WouldRemove> {
    return this.forecast.forecastRemovals(TRASH_DAYS, userId, accountId, { offloaded: true });
  }

  private async secretsOf(userId: string, passphrase: string): Promise<OffloadSecrets> {
    return { passphrase, proof: await this.passphrases.prove(userId, passphrase) };
  }
}

function requireConfirmable(
  { status, digest, figures }: OffloadPlan,
  { digest: seen, count }: ConfirmedPlan,
): void {
  if (status === 'running' || status === 'done') throw new PlanRefused(`plan-${status}`);
  if (status === 'planning' || digest === null) throw new PlanRefused('plan-not-ready');
  if (status === 'expired') throw new PlanRefused('plan-expired');
  if (seen !== digest || count !== figures?.offloadable) throw new PlanRefused('plan-differs');
}
