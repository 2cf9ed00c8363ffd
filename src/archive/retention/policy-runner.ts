import { Injectable } from '@nestjs/common';
import { type DeletionPass, FileDeletions } from '../files/file-deletions';
import { ExpiredMails, ExpiredMailsService, ExpiredSummary } from '../mails/expired-mails.service';
import { MailPosition, StoredMail, StoredMails } from '../mails/stored-mails';
import { ArchiveLock } from '../mails/writing/archive-lock';
import { Transactions } from '../../platform/database/transactions';
import type { DomainError } from '../../platform/http/domain-error';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import type { RunLabels } from './policy-labels';
import { PolicyCount, RetentionPoliciesRepository } from './retention-policies.repository';
import type { RetentionPolicyEntity } from './retention-policy.entity';
import { RetentionOwnerInactive } from './retention.errors';

/** Mail of an account that a policy may have missed, because its mailbox could not be asked for its labels. */
export interface RetentionWarning {
  readonly policyId: string;
  readonly accountId: string;
  /** Code of the failure, e.g. `mailbox-disconnected`. */
  readonly code: string;
  readonly message: string;
}

/** A run of one or more policies, in a request or a job. */
export interface RetentionContext {
  readonly userId: string;
  /** Instant from which ages are counted. */
  readonly startedAt: Date;
  readonly labels: RunLabels;
  /** Id of the job; null: a run within a request. */
  readonly runId: string | null;
  /** State of the stores: files in stores that cannot be reached during this run are left to the scheduled deletions. */
  readonly deletions: DeletionPass;
  /** Called between batches. Throws to end the run; what is deleted stays deleted. */
  throwIfStopped(): void;
  /** Called for each batch of mails deleted. */
  recordDeleted(count: number): Promise<void>;
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
    message: `The mailbox could not be asked which label is named "${label}": only imported mail with that label is deleted. ${problem.detail}`,
  };
}

/** @param mails that are kept because they may be the only copies */
export function uncertainWarning(
  { id: policyId, includeOffloaded }: Pick<RetentionPolicyEntity, 'id' | 'includeOffloaded'>,
  accountId: string,
  mails: number,
): RetentionWarning {
  const until = includeOffloaded
    ? ' They are kept until continuous archiving has compared the mailbox, or until the policy is saved again.'
    : '';
  return {
    policyId,
    accountId,
    code: 'restored-from-backup',
    message: `${mails} ${mails === 1 ? 'mail is' : 'mails are'} kept: the archive was restored from a backup, and since then the messages have not been seen in the mailbox. An offload after the backup may have moved them.${until}`,
  };
}

/** Adds a warning unless there is one of the same policy and account. */
export function addWarning(warnings: RetentionWarning[], warning: RetentionWarning): void {
  const isKnown = warnings.some(
    ({ policyId, accountId }) => policyId === warning.policyId && accountId === warning.accountId,
  );
  if (!isKnown) warnings.push(warning);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Mail whose age counts from before this instant has expired; mail of the instant itself has not. Days are 24 hours in every
 * time zone.
 */
export const expiryCutoff = (now: Date, maxAgeDays: number): Date =>
  new Date(now.getTime() - maxAgeDays * DAY_MS);

/** Whether two versions of a policy match the same mail. */
export const meansTheSame = (one: RetentionPolicyEntity, other: RetentionPolicyEntity): boolean =>
  one.mailboxAccountId === other.mailboxAccountId &&
  one.label === other.label &&
  one.maxAgeDays === other.maxAgeDays &&
  one.includeOffloaded === other.includeOffloaded;

/** Mails examined, and at most deleted, in a batch, for which other writers of the account wait. */
const BATCH = 1_000;

/** Reason why a batch was not deleted. */
type Refusal = 'policy-changed' | 'account-gone';

/**
 * Deletes the mail that policies no longer keep. Each batch deletes its rows, registers their files for deletion and
 * counts them in one transaction; the files follow. An interrupted run can be repeated.
 */
@Injectable()
export class PolicyRunner {
  constructor(
    private readonly policies: RetentionPoliciesRepository,
    private readonly mails: StoredMails,
    private readonly expiredMails: ExpiredMailsService,
    private readonly accounts: MailboxAccountsService,
    private readonly archiveLock: ArchiveLock,
    private readonly fileDeletions: FileDeletions,
    private readonly transactions: Transactions,
  ) {}

  /** The state of one run's deletions, which remembers stores that cannot be reached. */
  beginPass(): DeletionPass {
    return this.fileDeletions.beginPass();
  }

  /** The database's clock, which all processes share. */
  now(): Promise<Date> {
    return this.policies.readClock();
  }

  /** Mails a job has deleted so far, in all its attempts. */
  countsOf(runId: string): Promise<PolicyCount[]> {
    return this.policies.countsOf(runId);
  }

  /**
   * Runs an active policy. A change of the policy applies from the next batch on; once it is deactivated or deleted,
   * the run ends.
   * @returns false when the policy is gone or not active
   * @throws RetentionOwnerInactive when the user is deactivated meanwhile; the error of `context.throwIfStopped`
   */
  async run(policyId: string, context: RetentionContext): Promise<boolean> {
    if (!(await this.policies.markStarted(context.userId, policyId))) return false;
    for (;;) {
      context.throwIfStopped();
      const policy = await this.policies.findOwned(context.userId, policyId);
      if (!policy?.isActive || (await this.deleteFor(policy, context)) === 'done') return true;
    }
  }

  /** The mails a policy would delete now. */
  async summarize(
    policy: RetentionPolicyEntity,
    context: Pick<RetentionContext, 'startedAt' | 'labels' | 'throwIfStopped' | 'warn'>,
  ): Promise<ExpiredSummary> {
    const summaries: ExpiredSummary[] = [];
    for (const accountId of await this.accountsOf(policy)) {
      context.throwIfStopped();
      const expired = await this.expiredMailsOf(policy, accountId, context);
      if (!expired) continue;
      await this.warnOfUncertain(policy, expired, context);
      summaries.push(await this.expiredMails.summarize(expired));
    }
    return total(summaries);
  }

  /** A policy's accounts, disconnected ones included: their archives expire like any other. */
  private async accountsOf({ userId, mailboxAccountId }: RetentionPolicyEntity): Promise<string[]> {
    if (mailboxAccountId !== null) return [mailboxAccountId];
    return (await this.accounts.listByUser(userId)).map(({ id }) => id);
  }

  /** Filter for the mails of an account that have expired under a policy; undefined: no mail can have its label. */
  private async expiredMailsOf(
    policy: RetentionPolicyEntity,
    accountId: string,
    context: Pick<RetentionContext, 'startedAt' | 'labels' | 'warn'>,
  ): Promise<ExpiredMails | undefined> {
    const { labels, problem } = await context.labels.resolve(policy.label, accountId);
    if (problem) context.warn(labelWarning(policy, accountId, problem));
    if (labels?.length === 0) return undefined;
    const { userId, maxAgeDays, includeOffloaded } = policy;
    const before = expiryCutoff(context.startedAt, maxAgeDays);
    const includeDoubtful =
      includeOffloaded && (await this.policies.isDecidedSinceRestore(policy.id, accountId));
    return { userId, accountId, before, labels, includeOffloaded, includeDoubtful };
  }

  private async warnOfUncertain(
    policy: RetentionPolicyEntity,
    expired: ExpiredMails,
    context: Pick<RetentionContext, 'warn'>,
  ): Promise<void> {
    const mails = await this.expiredMails.countUncertain(expired);
    if (mails > 0) context.warn(uncertainWarning(policy, expired.accountId, mails));
  }

  private async deleteFor(
    policy: RetentionPolicyEntity,
    context: RetentionContext,
  ): Promise<'done' | 'policy-changed'> {
    for (const accountId of await this.accountsOf(policy)) {
      const expired = await this.expiredMailsOf(policy, accountId, context);
      if (!expired) continue;
      await this.warnOfUncertain(policy, expired, context);
      if ((await this.deleteFrom(policy, expired, context)) === 'policy-changed') return 'policy-changed';
    }
    return 'done';
  }

  private async deleteFrom(
    policy: RetentionPolicyEntity,
    expired: ExpiredMails,
    context: RetentionContext,
  ): Promise<'done' | Refusal> {
    const { accountId, before, labels } = expired;
    let after: MailPosition | null = null;
    for (;;) {
      context.throwIfStopped();
      // Labels are compared here: a page costs the same however rare the label is, and no mail is read twice.
      const page: StoredMail[] = await this.mails.findNext(accountId, { after, before, limit: BATCH });
      const last = page.at(-1);
      if (!last) return 'done';
      after = last.position;
      const ids = page.filter(({ labelIds }) => hasOneOf(labels, labelIds)).map(({ id }) => id);
      if (ids.length === 0) continue;
      const outcome = await this.deleteBatch(policy, expired, ids, context.runId);
      if (typeof outcome === 'string') return outcome;
      if (outcome === 0) continue;
      await this.fileDeletions.drain(expired.accountId, { pass: context.deletions });
      await context.recordDeleted(outcome);
    }
  }

  /** @returns mails deleted */
  private deleteBatch(
    policy: RetentionPolicyEntity,
    expired: ExpiredMails,
    ids: readonly string[],
    runId: string | null,
  ): Promise<number | Refusal> {
    return this.transactions.run(async (transaction) => {
      if (!(await this.archiveLock.acquire(expired, transaction))) return 'account-gone';
      const isActive = await this.policies.isOwnerActive(policy.userId, transaction);
      if (!isActive) throw new RetentionOwnerInactive();
      const current = await this.policies.lock(policy.userId, policy.id, transaction);
      if (!current?.isActive || !meansTheSame(current, policy)) return 'policy-changed';
      const deleted = await this.expiredMails.delete(expired, ids, transaction);
      if (deleted > 0) await this.policies.count(current, deleted, runId, transaction);
      return deleted;
    });
  }
}

const hasOneOf = (labels: readonly string[] | null, labelIds: readonly string[]): boolean =>
  labels === null || labelIds.some((label) => labels.includes(label));

function total(summaries: readonly ExpiredSummary[]): ExpiredSummary {
  const times = (pick: (summary: ExpiredSummary) => Date | null): number[] =>
    summaries.flatMap((summary) => pick(summary)?.getTime() ?? []);
  const oldest = times((summary) => summary.oldest);
  const newest = times((summary) => summary.newest);
  return {
    count: summaries.reduce((sum, { count }) => sum + count, 0),
    bytes: summaries.reduce((sum, { bytes }) => sum + bytes, 0),
    oldest: oldest.length > 0 ? new Date(Math.min(...oldest)) : null,
    newest: newest.length > 0 ? new Date(Math.max(...newest)) : null,
  };
}
