import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../../platform/database/column-values';

/** The state of a restore as it is stored; see `RestoreStatus` for what is shown. */
export const STORED_STATUSES = ['planning', 'ready', 'running', 'done'] as const;
export type StoredStatus = (typeof STORED_STATUSES)[number];

/** `stopped`: the job of a dry run or of a restore has ended before its work was done. */
export const RESTORE_STATUSES = [...STORED_STATUSES, 'stopped'] as const;
export type RestoreStatus = (typeof RESTORE_STATUSES)[number];

export const LABEL_CHOICES = ['original', 'none'] as const;
export type LabelChoice = (typeof LABEL_CHOICES)[number];

export const DIFFERENT_CHOICES = ['skip', 'insert'] as const;
export type DifferentChoice = (typeof DIFFERENT_CHOICES)[number];

/** Outcomes of a mail. */
export const RESTORE_OUTCOMES = [
  'untrashed',
  'inserted',
  'already-there',
  'same-id-differs',
  'too-large',
  'encrypted',
  'damaged',
  'failed',
] as const;
export type RestoreOutcome = (typeof RESTORE_OUTCOMES)[number];

/** Notes on a mail that is in its mailbox. */
export const RESTORE_NOTES = [
  'date-differs',
  'label-refused',
  'thread-not-kept',
  'fields-added',
  'bytes-differ',
] as const;
export type RestoreNote = (typeof RESTORE_NOTES)[number];

/**
 * - `pending`: not begun
 * - `inserting`: it may have been added since the destination's cursor
 * - `arrived`: it is there as `target_id`, and has not been compared yet
 * - `done`: it has an outcome
 */
export const ITEM_STATES = ['pending', 'inserting', 'arrived', 'done'] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** The server of a restore to IMAP, as it was requested. */
export interface ImapTarget {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly user: string;
  /** Folder that holds the restored folders; null: mail goes into the user's own folders. */
  readonly root: string | null;
}

/** A restore of archived mails into their mailbox, or into another one. */
@Entity('restores')
@Index('restores_user_idx', ['userId'])
@Index('restores_account_idx', ['accountId', 'id'])
@Index('restores_target_account_idx', ['targetAccountId'])
@Index('restores_expiry_idx', ['expiresAt'])
export class RestoreEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  /** Account whose archive the mails are in. */
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  /** Account that is the target; null: the target is an IMAP server. */
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  targetAccountId: string | null;

  @Column('jsonb', { nullable: true }) imap: ImapTarget | null;
  /** Sealed password of the IMAP server; erased when the restore is done or has expired. */
  @Column('text', { nullable: true }) sealedPassword: string | null;
  @Column('jsonb') selection: Record<string, unknown>;
  @Column('varchar', { length: 8 }) labels: LabelChoice;
  @Column('text', { nullable: true }) addLabel: string | null;
  @Column('varchar', { length: 8 }) onDifferent: DifferentChoice;
  @Column('boolean') verify: boolean;
  @Column('varchar', { length: 16 }) status: StoredStatus;
  /** Id of the restore's last job, `<kind>-<number>`. */
  @Column('varchar', { length: 80 }) jobId: string;

  /** Number of mails, as the dry run has counted them. */
  @Column('integer', { default: 0 }) mails: number;
  @Column('bigint', { default: 0, transformer: bigintAsNumber }) bytes: number;
  @Column('integer', { default: 0 }) encrypted: number;
  @Column('integer', { default: 0 }) tooLarge: number;
  @Column('text', { array: true, default: () => "'{}'" }) labelsToCreate: string[];
  /** Units of the provider's quota that the restore takes; null for IMAP. */
  @Column('bigint', { nullable: true, transformer: bigintAsNumber }) units: number | null;
  @Column('integer', { nullable: true }) minutes: number | null;

  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) plannedAt: Date | null;
  /** Time from which the restore cannot be started any more. */
  @Column('timestamptz') expiresAt: Date;
}

/** A mail of a restore. Its row is the record of its progress. */
@Entity('restore_items')
@Index('restore_items_account_idx', ['accountId'])
@Index('restore_items_open_idx', ['restoreId', 'position'], { where: `state <> 'done'` })
@Index('restore_items_outcome_idx', ['restoreId', 'outcome', 'position'])
@Index('restore_items_thread_idx', ['restoreId', 'sourceThread'], { where: 'target_thread IS NOT NULL' })
@Index('restore_items_content_idx', ['restoreId', 'contentSha256'], { where: 'target_id IS NOT NULL' })
@Index('restore_items_mail_idx', ['mailId'], { where: 'target_id IS NOT NULL' })
@Index('restore_items_target_idx', ['targetId'], { where: 'target_id IS NOT NULL' })
export class RestoreItemEntity {
  @ForeignKey('RestoreEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  restoreId: string;

  /** Order in the restore: by date, the oldest mail first. */
  @PrimaryColumn('integer') position: number;

  /** Account of the restore, whose archive the mail is in. */
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  /** Id of the mail, which may have been deleted since. */
  @Column('uuid') mailId: string;
  /** Its conversation in the archive. */
  @Column('text') sourceThread: string;
  @Column('varchar', { length: 16, default: 'pending' }) state: ItemState;
  @Column('varchar', { length: 24, nullable: true }) outcome: RestoreOutcome | null;
  @Column('text', { array: true, default: () => "'{}'" }) notes: RestoreNote[];
  /** Stable code of the reason for `damaged` and `failed`. */
  @Column('varchar', { length: 64, nullable: true }) reason: string | null;
  /** Position of the destination's history before the mail was added; null where it has none. */
  @Column('text', { nullable: true }) cursor: string | null;
  /** SHA-256 of the plain message, 64 hex digits; null until it has been read. */
  @Column('char', { length: 64, nullable: true }) contentSha256: string | null;
  /** Id of the message in the destination. */
  @Column('text', { nullable: true }) targetId: string | null;
  @Column('text', { nullable: true }) targetThread: string | null;
}
