import { Injectable } from '@nestjs/common';
import { IsBoolean, IsUUID } from 'class-validator';
import { pickFacts } from '../../../platform/access/audit-trail.port';
import type { JobContext } from '../../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../../platform/jobs/job-definition';
import { JobQueue } from '../../../platform/jobs/job-queue';
import { randomBytes } from 'node:crypto';
import { ArchiveHolds } from '../../../archive/mails/holds/archive-holds';
import { ArchivedCopies } from '../../../archive/mails/holds/archived-copies';
import { ArchiveLock } from '../../../archive/mails/writing/archive-lock';
import { SALT_BYTES } from '../../../archive/passphrases/encrypted-file';
import type { MailKeys } from '../../../archive/passphrases/mail-keys';
import { PassphrasesService } from '../../../archive/passphrases/passphrases.service';
import { RemovalForecast } from '../../../archive/retention/removal-forecast';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import { MessageIndexService } from '../../../mailbox/index/message-index.service';
import { Transactions } from '../../../platform/database/transactions';
import { counter } from '../../../platform/logging/metrics';
import { MailboxDisconnected } from '../../../providers/port/mail-provider.errors';
import { MailboxProviders, type ProviderAccount } from '../../../providers/port/mailbox-provider.port';
import { IntegrityFindingsService } from '../../integrity/integrity-findings.service';
import { PlanGone } from '../offload.errors';
import { OffloadItemsRepository } from '../plans/offload-items.repository';
import type { PlanCounts } from '../plans/offload-plan';
import { OffloadPlansRepository } from '../plans/offload-plans.repository';
import { BatchVerifier } from './batch-verifier';
import { OffloadMessagesRun, type OffloadMessagesServices } from './offload-messages.run';
import { OutcomeRecorder } from './outcome-recorder';
import { PlanEnding } from './plan-ending';
import { OffloadTimings, TrashMover } from './trash-mover';

export class OffloadMessagesPayload {
  @IsUUID()
  planId: string;

  /** Whether the job's secrets hold the passphrase. */
  @IsBoolean()
  hasPassphrase: boolean;
}

export const OffloadMessages = defineJob('offload_messages', {
  queue: JobQueue.Offload,
  payload: OffloadMessagesPayload,
  undoable: true,
  // The passphrase is erased when the job ends; the user confirms the plan again.
  resumes: false,
  audited: {
    act: 'messages.offload',
    factsOfStart: ({ planId }) => ({ target: { type: 'offload-plan', id: planId } }),
    factsOfEnd: (result) => pickFacts(result, 'planId', 'trashed', 'blocked', 'left', 'receiptSha256'),
  },
});

/** Secrets that the job was given to read encrypted copies. */
export interface OffloadSecrets {
  readonly passphrase: string;
  /** Proof that the passphrase was right when the plan was confirmed. */
  readonly proof: string;
}

/**
 * Moves the messages of a confirmed plan to the trash, and ends the plan with its receipt; see `OffloadMessagesRun`. It has 17
 * dependencies because it passes most of them to the run, which Nest does not create.
 */
@Injectable()
@HandlesJob(OffloadMessages)
export class OffloadMessagesHandler implements JobHandler<OffloadMessagesPayload> {
  private readonly outcomes = counter({
    name: 'mailroom_offload_messages_total',
    help: 'Messages of offload plans that ended, by outcome',
    labelNames: ['outcome'],
  });

  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly index: MessageIndexService,
    private readonly plans: OffloadPlansRepository,
    private readonly items: OffloadItemsRepository,
    private readonly holds: ArchiveHolds,
    private readonly copies: ArchivedCopies,
    private readonly archiveLock: ArchiveLock,
    private readonly findings: IntegrityFindingsService,
    private readonly verifier: BatchVerifier,
    private readonly mover: TrashMover,
    private readonly recorder: OutcomeRecorder,
    private readonly forecast: RemovalForecast,
    private readonly timings: OffloadTimings,
    private readonly passphrases: PassphrasesService,
    private readonly transactions: Transactions,
    private readonly ending: PlanEnding,
  ) {}

  /**
   * @returns the counts of the plan, and `receiptSha256`: SHA-256 of the receipt's statement, hex; null: a lost attempt made
   *   the receipt
   * @throws PlanGone, ArchiveStoreUnreadable, VerificationTooSlow, the provider taxonomy
   */
  async run({ planId, hasPassphrase }: OffloadMessagesPayload, job: JobContext): Promise<JobResult> {
    if (job.accountId === null) throw new MailboxDisconnected();
    const owner = { userId: job.userId, accountId: job.accountId };
    const account = await this.accounts.requireUsable(owner.userId, owner.accountId);
    const plan = await this.plans.find(owner, planId);
    if (!plan) throw new PlanGone();
    // The process ended between the receipt and the end of the job.
    if (plan.status === 'done')
      return { planId, ...(await this.items.countByState(plan)), receiptSha256: null };
    const keys = hasPassphrase ? await this.keysOf(job) : null;
    const counts = await new OffloadMessagesRun(account, plan, keys, job, this.servicesFor(account)).run();
    const receiptSha256 = await this.ending.end(owner, planId, account.email, (transaction) =>
      job.requireHeld(transaction),
    );
    this.count(counts);
    return { planId, ...counts, receiptSha256 };
  }

  private servicesFor(account: ProviderAccount): OffloadMessagesServices {
    const { index, plans, items, holds, copies, archiveLock, findings } = this;
    const { verifier, mover, recorder, forecast, timings, transactions } = this;
    return {
      provider: this.providers.forAccount(account),
      ...{ index, plans, items, holds, copies, archiveLock, findings },
      ...{ verifier, mover, recorder, forecast, timings, transactions },
    };
  }

  private count({ trashed, unknown = 0, blockedBy }: PlanCounts): void {
    if (trashed > 0) this.outcomes.inc({ outcome: 'trashed' }, trashed);
    if (unknown > 0) this.outcomes.inc({ outcome: 'unknown' }, unknown);
    for (const [outcome, messages] of Object.entries(blockedBy)) this.outcomes.inc({ outcome }, messages);
  }

  private async keysOf(job: JobContext): Promise<MailKeys> {
    const { passphrase, proof } = job.secrets<OffloadSecrets>();
    return this.passphrases.unlockProven(job.userId, passphrase, proof, randomBytes(SALT_BYTES));
  }
}
