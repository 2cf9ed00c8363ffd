import type { RetentionPolicyEntity } from '../retention-policy.entity';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Which archived mails of one account are to go. */
export interface DoomedMails {
  readonly userId: string;
  readonly accountId: string;
  /** Those whose date is before this instant. */
  readonly before: Date;
  /** Those with one of these labels; null: with any or none. */
  readonly labels: readonly string[] | null;
}

/** Where a walk through an account's mails stands, oldest first. */
export interface Position {
  /** As the database writes it, so that no digit is lost. */
  readonly date: string;
  readonly id: string;
}

/** Mail of that very instant is kept, mail from before it is not. Days are 24 hours, whatever clocks are set to. */
export const keptSince = (now: Date, maxAgeDays: number): Date =>
  new Date(now.getTime() - maxAgeDays * DAY_MS);

/** Whether two versions of a policy mean the same mail. */
export const meansTheSame = (one: RetentionPolicyEntity, other: RetentionPolicyEntity): boolean =>
  one.mailboxAccountId === other.mailboxAccountId &&
  one.label === other.label &&
  one.maxAgeDays === other.maxAgeDays;
