import type { Transaction } from '../database/transactions';

/** Details of an act: counts, codes, names of settings. Never content, mail addresses, or secrets. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export interface AuditTarget {
  readonly type: string;
  readonly id: string;
}

export interface AuditedAct {
  /** `<subject>.<verb in the past>`: `session.opened`, `account.connected`, `messages.bulk-started`. */
  readonly action: string;
  /** The user whose data it concerns; null when there is none, e.g. a sign-in with an unknown address. */
  readonly userId: string | null;
  readonly accountId?: string | null;
  /** The object of the act, when that is neither the user nor the account. */
  readonly target?: AuditTarget;
  /** `failure`: it was refused, or it failed. */
  readonly outcome?: 'success' | 'failure';
  readonly details?: AuditDetails;
  /** The user who acts, when neither a request nor a job says so: a person who is signing in. */
  readonly actorId?: string;
  /** No user asked for it: a schedule does it, in a job of the data's owner or without a job. */
  readonly byService?: boolean;
  /** The job it starts or belongs to, when that is not the current job: `<kind>-<number>`. */
  readonly jobId?: string;
}

/**
 * The record of who did what. Actor, address and request id come from the current request, or from the current job;
 * without either the actor is the service itself or, on the command line, its operator.
 */
export abstract class AuditTrail {
  /**
   * Adds to the record, as part of `transaction` when one is given: an act that is rolled back is not recorded, and an act
   * that cannot be recorded is rolled back. Without one the act is recorded by the time the promise resolves, whatever
   * becomes of any open transaction.
   */
  abstract record(act: AuditedAct, transaction?: Transaction): Promise<void>;

  /**
   * Records a refusal, in a separate transaction. Never throws: a refusal that cannot be recorded is logged, and is
   * answered all the same.
   */
  abstract recordRefusal(act: Omit<AuditedAct, 'outcome'>): Promise<void>;
}

/** The named fields of a job's result or payload that are counts, codes or switches; others are left out. */
export function pickFacts(
  facts: Readonly<Record<string, unknown>> | null | undefined,
  ...names: readonly string[]
): AuditDetails {
  const picked = names.map((name) => [name, facts?.[name]] as const);
  return Object.fromEntries(picked.filter(isFact));
}

const isFact = (entry: readonly [string, unknown]): entry is [string, string | number | boolean] =>
  ['string', 'number', 'boolean'].includes(typeof entry[1]);
