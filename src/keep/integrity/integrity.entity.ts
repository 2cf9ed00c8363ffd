import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../../platform/database/column-values';

/**
 * An archived mail whose file is missing or altered, deleted when the file is found intact again; or whose file is intact and
 * not what the mailbox holds, deleted with the mail.
 */
@Entity('integrity_findings')
@Index('integrity_findings_account_idx', ['accountId', 'mailId'])
@Index('integrity_findings_untold_idx', ['accountId'], { where: 'told_at IS NULL' })
export class IntegrityFindingEntity {
  @ForeignKey('ArchivedMailEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  mailId: string;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  @Column('varchar', { length: 16 }) problem: 'missing' | 'altered' | 'differs';
  @Column('timestamptz', { default: () => 'now()' }) foundAt: Date;
  /** Set in the transaction that notifies the owner; null: found by a check that is running or was lost. */
  @Column('timestamptz', { nullable: true }) toldAt: Date | null;
}

/** The progress of the rotation that re-hashes an account's files, in the order of date and id. */
@Entity('integrity_states')
export class IntegrityStateEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** Mails up to this one have been checked in the current round; both null: a round begins. */
  @Column('timestamptz', { nullable: true }) cursorDate: Date | null;
  @Column('uuid', { nullable: true }) cursorId: string | null;
  /** The first night of the current round. */
  @Column('date', { nullable: true }) roundStartedOn: string | null;
  @Column('timestamptz', { nullable: true }) roundCompletedAt: Date | null;
  /** Files hashed by the rotation so far, all rounds together. */
  @Column('bigint', { transformer: bigintAsNumber, default: 0 }) checked: number;
  /** The time of the rotation's last visit. */
  @Column('timestamptz', { default: () => 'now()' }) visitedAt: Date;
}

/** Number of files of an account that were hashed on a day. Kept for a week, and for the last day before that. */
@Entity('integrity_days')
export class IntegrityDayEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** Date in UTC. */
  @PrimaryColumn('date') day: string;
  @Column('bigint', { transformer: bigintAsNumber, default: 0 }) checked: number;
  @Column('timestamptz', { default: () => 'now()' }) lastCheckedAt: Date;
}
