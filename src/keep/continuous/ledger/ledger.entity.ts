import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../../../platform/database/column-values';

/** Classes as they are stored. Answers have one more, `verified`: archived, and hashed again within `verifyDays`. */
export type StoredClass = 'archived' | 'excluded' | 'failed' | 'pending';

/** The day of a copy that has not been verified. */
export const NEVER = '-infinity';

/** A message of a mailbox whose mail is kept, spam and trash included. It is there as long as its message. */
@Entity('ledger_messages')
@Index('ledger_messages_class_idx', ['accountId', 'class', 'verifiedOn', 'messageId'])
@Index('ledger_messages_excluded_idx', ['accountId', 'exclusion', 'messageId'], {
  where: `"class" = 'excluded'`,
})
@Index('ledger_messages_due_idx', ['accountId', 'class', 'dueAt', 'messageId'], {
  where: '"due_at" IS NOT NULL',
})
export class LedgerMessageEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** The copy, if there is one. */
  @Column('uuid', { nullable: true }) mailId: string | null;
  /** When it is to be copied or judged: of a pending one since when; null: not at all. */
  @Column('timestamptz', { nullable: true }) dueAt: Date | null;
  /** Time until which a process works on it, or it is postponed. */
  @Column('timestamptz', { nullable: true }) leaseUntil: Date | null;
  /** Size of the copy; before there is one, the size that the provider states. Null: not known. */
  @Column('bigint', { nullable: true, transformer: bigintAsNumber }) sizeBytes: number | null;
  /** The day (UTC) on which the copy was last read and hashed; `NEVER`. */
  @Column('date', { default: () => `'${NEVER}'` }) verifiedOn: string;
  @Column('smallint', { default: 0 }) attempts: number;
  @PrimaryColumn('varchar', { length: 64 }) messageId: string;
  @Column('varchar', { length: 8 }) class: StoredClass;
  /** Why it is excluded, see `REMOVED`. */
  @Column('varchar', { length: 64, nullable: true }) exclusion: string | null;
  /** Why it failed: a code. */
  @Column('varchar', { length: 64, nullable: true }) reason: string | null;
  @Column('text', { array: true, default: () => "'{}'" }) labelIds: string[];
}

/**
 * Exact counts of an account's ledger, and under the class `gone` of archived mails whose messages are gone. Kept by triggers
 * on `ledger_messages` and `archived_mails`; never written by the application, but for beginning anew.
 */
@Entity('ledger_totals')
export class LedgerTotalsEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  @PrimaryColumn('varchar', { length: 8 }) class: StoredClass | 'gone';
  /** The exclusion or the reason. */
  @PrimaryColumn('varchar', { length: 64, default: '' }) detail: string;
  @PrimaryColumn('date', { default: () => `'${NEVER}'` }) verifiedOn: string;
  @Column('integer') messages: number;
  @Column('bigint', { transformer: bigintAsNumber }) bytes: number;
}
