import type { Transaction } from '../common/database/transactions';

/** Facts of an act: counts, codes, names of settings. Never content, addresses of mail, or secrets. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export interface AuditTarget {
  readonly type: string;
  readonly id: string;
}

export interface AuditedAct {
  /** `<subject>.<verb in the past>`: `session.opened`, `account.connected`, `messages.bulk-started`. */
  readonly action: string;
  /** Whose data it concerns; null when that is nobody known, e.g. a sign-in with an unknown address. */
  readonly userId: string | null;
  readonly accountId?: string | null;
  /** What it was done to, when that is something else than the user or the account. */
  readonly target?: AuditTarget;
  /** `failure`: tried, and refused or failed. */
  readonly outcome?: 'success' | 'failure';
  readonly details?: AuditDetails;
  /** Who acts, where no request or job says so: a person who is just signing in. */
  readonly actorId?: string;
  /** Nobody asked for it: what a schedule does, in a job of the owner of the data or in none. */
  readonly byService?: boolean;
  /** The job it starts or is part of, where the job at hand does not say so: `<kind>-<number>`. */
  readonly jobId?: string;
}

/**
 * The record of who did what. Who acts, from which address and with which request is taken from the request at hand, or
 * from the job; without either it is the service itself or, on the command line, its operator.
 */
export abstract class AuditTrail {
  /**
   * Adds to the record, as part of `transaction` when one is given: what was done is recorded, what was undone is not,
   * and what cannot be recorded is not done. Without one the act is recorded by the time the promise resolves, whatever
   * becomes of a transaction that is open.
   */
  abstract record(act: AuditedAct, transaction?: Transaction): Promise<void>;

  /**
   * Records something refused, in a transaction of its own. Never throws: the refusal stands, and is answered as such,
   * even when it cannot be recorded, which is logged.
   */
  abstract recordRefusal(act: Omit<AuditedAct, 'outcome'>): Promise<void>;
}

/** The named facts of a job's result or payload that are counts, codes or switches; others are left out. */
export function pickFacts(
  facts: Readonly<Record<string, unknown>> | null | undefined,
  ...names: readonly string[]
): AuditDetails {
  const picked = names.map((name) => [name, facts?.[name]] as const);
  return Object.fromEntries(picked.filter(isFact));
}

const isFact = (entry: readonly [string, unknown]): entry is [string, string | number | boolean] =>
  ['string', 'number', 'boolean'].includes(typeof entry[1]);
