import type { DomainError } from '../../common/http/domain-error';
import type { RunLabels } from '../labels/run-labels';
import type { RetentionPolicyEntity } from '../retention-policy.entity';

/** Mail of an account that a policy may have missed, because its mailbox could not be asked for its labels. */
export interface RetentionWarning {
  readonly policyId: string;
  readonly accountId: string;
  /** Of the failure, e.g. `mailbox-disconnected`. */
  readonly code: string;
  readonly message: string;
}

/** What a run of one policy needs of whoever asked for it. */
export interface RetentionRun {
  readonly userId: string;
  /** Ages count from here. */
  readonly startedAt: Date;
  readonly labels: RunLabels;
  /** Id of the job that removes; null: somebody waits for the answer. */
  readonly runId: string | null;
  /** Stores that did not take a deletion in this run: files there are left to the schedule of removals. */
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
