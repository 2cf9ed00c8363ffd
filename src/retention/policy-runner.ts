import { Injectable } from '@nestjs/common';
import { FileDeletions } from '../archive-storage/file-deletions';
import { ExpiredMails, ExpiredMailsRepository, Position } from '../archive/expired-mails.repository';
import { ArchiveWritesRepository } from '../archive/writing/archive-writes.repository';
import { Transactions } from '../common/database/transactions';
import type { DomainError } from '../common/http/domain-error';
import { MailboxAccountsService } from '../mailbox/mailbox-accounts.service';
import type { RunLabels } from './policy-labels';
import { RetentionPoliciesRepository, RetentionRunsRepository } from './retention-policies.repository';
import type { RetentionPolicyEntity } from './retention-policy.entity';
import { RetentionOwnerInactive } from './retention.errors';

/** Mail of an account that a policy may have missed, because its mailbox could not be asked for its labels. */
export interface RetentionWarning {
  readonly policyId: string;
  readonly accountId: string;
  /** Of the failure, e.g. `mailbox-disconnected`. */
  readonly code: string;
  readonly message: string;
}

/** What a run of one policy needs of whoever asked for it. */
export interface RetentionContext {
  readonly userId: string;
  /** Ages count from here. */
  readonly startedAt: Date;
  readonly labels: RunLabels;
  /** Id of the job that removes; null: somebody waits for the answer. */
  readonly runId: string | null;
  /** Stores that did not take a deletion in this run: their files are deleted later. */
  readonly storesAway: Set<string>;
  /** Between batches. Throws to end the run; what is done stays done. */
  throwIfStopped(): void;
  /** Mails have been removed for good. */
  removed(count: number): Promise<void>;
  warn(warning: RetentionWarning): void;
}

/** @param problem why the mailbox could not be asked */
export function labelWarning(
  { id: policyId, label }: RetentionPolicyEntity,
  accountId: string,
  problem: DomainError,
): RetentionWarning {
  return {
    policyId,
    accountId,
    code: problem.code,
    message: `The mailbox could not be asked which label is named "${label}", so that only imported mail with that label is meant. ${problem.detail}`,
  };
}

/** A policy that is looked at twice warns once. */
export function addWarning(warnings: RetentionWarning[], warning: RetentionWarning): void {
  const isKnown = warnings.some(
    ({ policyId, accountId }) => policyId === warning.policyId && accountId === warning.accountId,
  );
  if (!isKnown) warnings.push(warning);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Mail of that very instant is kept, mail from before it is not. Days are 24 hours, whatever clocks are set to. */
export const expiryCutoff = (now: Date, maxAgeDays: number): Date =>
  new Date(now.getTime() - maxAgeDays * DAY_MS);

/** Whether two versions of a policy mean the same mail. */
export const meansTheSame = (one: RetentionPolicyEntity, other: RetentionPolicyEntity): boolean =>
  one.mailboxAccountId === other.mailboxAccountId &&
  one.label === other.label &&
  one.maxAgeDays === other.maxAgeDays;

/** Mails looked at, and at most removed, at a time: other writers of the account wait for one batch. */
const BATCH = 1_000;

/** A batch that was not done: the policy or the account is no longer what it was. */
type Refusal = 'policy-changed' | 'account-gone';

/**
 * Removes the mail that policies no longer keep. Rows go first, in batches, each with its files registered for
 * removal and its count in one transaction; the files follow. Whatever is interrupted can be done again.
 */
@Injectable()
export class PolicyRunner {
  constructor(
    private readonly policies: RetentionPoliciesRepository,
    private readonly runs: RetentionRunsRepository,
    private readonly doomedMails: ExpiredMailsRepository,
    private readonly accounts: MailboxAccountsService,
    private readonly writes: ArchiveWritesRepository,
    private readonly fileDeletions: FileDeletions,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Runs an active policy. One that is changed meanwhile is gone by as it is from the next batch on; switched off or
   * deleted, it ends there.
   * @returns whether there was anything to run: false for a policy that is gone or not active
   * @throws RetentionOwnerInactive when the user is deactivated meanwhile; what `run.throwIfStopped` does
   */
  async run(policyId: string, run: RetentionContext): Promise<boolean> {
    if (!(await this.runs.markStarted(run.userId, policyId))) return false;
    for (;;) {
      run.throwIfStopped();
      const policy = await this.policies.findOwned(run.userId, policyId);
      if (!policy?.isActive || (await this.removeFor(policy, run)) === 'done') return true;
    }
  }

  /** The accounts a policy concerns, disconnected ones included: their archives are kept no longer than others. */
  async accountsOf({ userId, mailboxAccountId }: RetentionPolicyEntity): Promise<string[]> {
    if (mailboxAccountId !== null) return [mailboxAccountId];
    return (await this.accounts.listOf(userId)).map(({ id }) => id);
  }

  /** Which mails of an account a policy dooms; undefined: none, its label stands for nothing there. */
  async doomed(
    policy: RetentionPolicyEntity,
    accountId: string,
    run: Pick<RetentionContext, 'startedAt' | 'labels' | 'warn'>,
  ): Promise<ExpiredMails | undefined> {
    const { labels, problem } = await run.labels.meant(policy.label, accountId);
    if (problem) run.warn(labelWarning(policy, accountId, problem));
    if (labels?.length === 0) return undefined;
    const { userId, maxAgeDays } = policy;
    return { userId, accountId, before: expiryCutoff(run.startedAt, maxAgeDays), labels };
  }

  private async removeFor(
    policy: RetentionPolicyEntity,
    run: RetentionContext,
  ): Promise<'done' | 'policy-changed'> {
    for (const accountId of await this.accountsOf(policy)) {
      const doomed = await this.doomed(policy, accountId, run);
      if (!doomed) continue;
      if ((await this.removeFrom(policy, doomed, run)) === 'policy-changed') return 'policy-changed';
    }
    return 'done';
  }

  private async removeFrom(
    policy: RetentionPolicyEntity,
    doomed: ExpiredMails,
    run: RetentionContext,
  ): Promise<'done' | Refusal> {
    let after: Position | null = null;
    for (;;) {
      run.throwIfStopped();
      const { doomedIds, last } = await this.doomedMails.window(doomed, after, BATCH);
      if (last === null) return 'done';
      after = last;
      if (doomedIds.length === 0) continue;
      const outcome = await this.removeBatch(policy, doomed, doomedIds, run.runId);
      if (typeof outcome === 'string') return outcome;
      if (outcome === 0) continue;
      await this.fileDeletions.drain(doomed.accountId, { away: run.storesAway });
      await run.removed(outcome);
    }
  }

  /** @returns mails deleted */
  private removeBatch(
    policy: RetentionPolicyEntity,
    doomed: ExpiredMails,
    ids: readonly string[],
    runId: string | null,
  ): Promise<number | Refusal> {
    return this.transactions.run(async (transaction) => {
      if (!(await this.writes.lockArchive(doomed, transaction))) return 'account-gone';
      if (!(await this.runs.isOwnerActive(policy.userId, transaction))) throw new RetentionOwnerInactive();
      const current = await this.runs.lock(policy.userId, policy.id, transaction);
      if (!current?.isActive || !meansTheSame(current, policy)) return 'policy-changed';
      const files = await this.doomedMails.delete(doomed, ids, transaction);
      if (files.length === 0) return 0;
      await this.fileDeletions.enqueue(files, transaction);
      await this.runs.count(current, files.length, runId, transaction);
      return files.length;
    });
  }
}
