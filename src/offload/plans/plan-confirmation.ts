import { Injectable } from '@nestjs/common';
import { type Transaction, Transactions } from '../../common/database/transactions';
import { ResourceNotFound } from '../../common/http/domain-error';
import { PassphrasesService } from '../../encryption/passphrases.service';
import { JobsService, StartedJob } from '../../jobs/jobs.service';
import { MailboxAccountsService } from '../../mailbox/mailbox-accounts.service';
import { PlanRefused } from '../offload.errors';
import { OffloadMessages } from '../running/offload-messages.job';
import type { OffloadSecrets } from '../running/offload-runner';
import { OffloadSchedulesRepository } from '../schedule/offload-schedules.repository';
import type { OffloadPlan, PlanOwner } from './offload-plan';
import { OffloadPlansRepository } from './offload-plans.repository';

/** What a person has seen, and says yes to. */
export interface ConfirmedPlan {
  readonly digest: string;
  readonly count: number;
}

/** Starts the job that carries a plan out. */
@Injectable()
export class PlanConfirmation {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly plans: OffloadPlansRepository,
    private readonly schedules: OffloadSchedulesRepository,
    private readonly passphrases: PassphrasesService,
    private readonly jobs: JobsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Exactly what was seen is moved, or nothing. A plan that was stopped is gone on with.
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
    const repeated = await this.jobs.repeated(owner.userId);
    if (repeated) return { jobId: repeated.record.jobId };
    await this.accounts.usable(owner.userId, owner.accountId);
    const plan = await this.plans.find(owner, planId);
    if (!plan) throw new ResourceNotFound('offload plan');
    requireConfirmable(plan, seen);
    const secrets = passphrase === null ? null : await this.secretsOf(owner.userId, passphrase);
    return this.transactions.run(async (transaction) => {
      const locked = await this.plans.lock(owner, planId, transaction);
      if (!locked) throw new ResourceNotFound('offload plan');
      requireConfirmable(locked, seen);
      return this.start(owner, locked, secrets, transaction);
    });
  }

  /** Unless it would move more than the schedule allows: then it waits for a person. */
  async confirmScheduled(owner: PlanOwner, planId: string): Promise<StartedJob | null> {
    const schedule = await this.schedules.find(owner);
    if (!schedule?.isActive) return null;
    return this.transactions.run(async (transaction) => {
      const plan = await this.plans.lock(owner, planId, transaction);
      const messages = plan?.figures?.offloadable ?? 0;
      if (plan?.status !== 'ready' || messages === 0 || messages > schedule.maxPerNight) return null;
      return this.start(owner, plan, null, transaction);
    });
  }

  private async start(
    owner: PlanOwner,
    plan: OffloadPlan,
    secrets: OffloadSecrets | null,
    transaction: Transaction,
  ): Promise<StartedJob> {
    const payload = { planId: plan.id, hasPassphrase: secrets !== null };
    const started = await this.jobs.start(OffloadMessages, owner, payload, {
      total: plan.counts?.left,
      transaction,
      ...(secrets && { secrets }),
    });
    await this.plans.markRunning(owner, plan.id, started.jobId, transaction);
    return started;
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
