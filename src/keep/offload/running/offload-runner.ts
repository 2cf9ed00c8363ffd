import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { ArchiveHolds } from '../../../archive/mails/holds/archive-holds';
import { ArchivedCopies } from '../../../archive/mails/holds/archived-copies';
import { MailboxAccountGone } from '../../../archive/mails/archive.errors';
import { ArchiveLock } from '../../../archive/mails/writing/archive-lock';
import { type Transaction, Transactions } from '../../../platform/database/transactions';
import { counter } from '../../../platform/logging/metrics';
import { SALT_BYTES } from '../../../archive/passphrases/encrypted-file';
import type { MailKeys } from '../../../archive/passphrases/mail-keys';
import { PassphrasesService } from '../../../archive/passphrases/passphrases.service';
import { IntegrityFindingsService } from '../../integrity/integrity-findings.service';
import type { JobContext } from '../../../platform/jobs/job-definition';
import { MailboxDisconnected } from '../../../providers/port/mail-provider.errors';
import { MailboxProviders } from '../../../providers/port/mailbox-provider.port';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import { MessageIndexService } from '../../../mailbox/index/message-index.service';
import { RemovalForecast } from '../../../archive/retention/removal-forecast';
import { PlanGone } from '../offload.errors';
import type { OffloadPlan, PlanCounts, PlanOwner } from '../plans/offload-plan';
import { OffloadItemsRepository } from '../plans/offload-items.repository';
import { OffloadPlansRepository } from '../plans/offload-plans.repository';
import { OffloadReceiptsService } from '../receipts/offload-receipts.service';
import { textHash } from '../receipts/receipt';
import { BatchVerifier } from './batch-verifier';
import { OffloadRun } from './offload-run';
import { OutcomeRecorder } from './outcome-recorder';
import { OffloadTimings, TrashMover } from './trash-mover';

/** Secrets that the job was given to read encrypted copies. */
export interface OffloadSecrets {
  readonly passphrase: string;
  /** Proof that the passphrase was right when the plan was confirmed. */
  readonly proof: string;
}

export interface OffloadResult extends PlanCounts {
  readonly [fact: string]: unknown;
  readonly planId: string;
  /** SHA-256 of the receipt's statement, hex; null: a lost attempt made the receipt. */
  readonly receiptSha256: string | null;
}

/**
 * Runs the job of a confirmed plan, from its start to the receipt. It has 17 dependencies because most of them are handed on
 * to `OffloadRun`, which Nest does not make.
 */
@Injectable()
export class OffloadRunner {
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
    private readonly receipts: OffloadReceiptsService,
    private readonly passphrases: PassphrasesService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws PlanGone, ArchiveStoreUnreadable, VerificationTooSlow, the provider taxonomy */
  async run(planId: string, isEncrypted: boolean, job: JobContext): Promise<OffloadResult> {
    if (job.accountId === null) throw new MailboxDisconnected();
    const owner = { userId: job.userId, accountId: job.accountId };
    const account = await this.accounts.requireUsable(owner.userId, owner.accountId);
    const plan = await this.plans.find(owner, planId);
    if (!plan) throw new PlanGone();
    // The process ended between the receipt and the end of the job.
    if (plan.status === 'done')
      return { planId, ...(await this.items.countByState(plan)), receiptSha256: null };
    const keys = isEncrypted ? await this.keysOf(job) : null;
    const { index, plans, items, holds, copies, archiveLock, findings, verifier, mover, transactions } = this;
    const { recorder, forecast, timings } = this;
    const provider = this.providers.forAccount(account);
    const services = {
      ...{
        provider,
        index,
        plans,
        items,
        holds,
        copies,
        archiveLock,
        findings,
        verifier,
        mover,
        transactions,
      },
      ...{ recorder, forecast, timings },
    };
    const counts = await new OffloadRun(account, plan, keys, job, services).run();
    const receiptSha256 = await this.end(owner, planId, account.email, (transaction) =>
      job.requireHeld(transaction),
    );
    this.count(counts);
    return { planId, ...counts, receiptSha256 };
  }

  /**
   * Ends a plan with its receipt: after its last message, or when it can no longer be confirmed again. Messages whose outcome
   * is still unknown are signed as unknown.
   * @param require throws when the plan must not be ended any more
   * @returns SHA-256 of the receipt's statement; null when the plan had ended before
   */
  async end(
    owner: PlanOwner,
    planId: string,
    address: string,
    require?: (transaction: Transaction) => Promise<void>,
  ): Promise<string | null> {
    return this.transactions.run(async (transaction) => {
      // Receipts of an account form a chain: each has the hash of the one before.
      if (!(await this.archiveLock.acquire(owner, transaction))) throw new MailboxAccountGone();
      const plan: OffloadPlan | null = await this.plans.lock(owner, planId, transaction);
      if (!plan) throw new PlanGone();
      if (plan.status === 'done') return null;
      await require?.(transaction);
      await this.holds.release(planId, null, transaction);
      const { statement } = await this.receipts.end(plan, address, transaction);
      return textHash(statement);
    });
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
