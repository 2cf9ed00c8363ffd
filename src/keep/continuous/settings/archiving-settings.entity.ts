import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** `watch` keeps the coverage ledger only; `keep` also copies what is pending. */
export const ARCHIVING_MODES = ['off', 'watch', 'keep'] as const;
export type ArchivingMode = (typeof ARCHIVING_MODES)[number];

/** The party that keeps mail from being copied: the mail provider, or the store of the archive. */
export const ARCHIVING_TROUBLES = ['provider', 'store'] as const;
export type ArchivingTrouble = (typeof ARCHIVING_TROUBLES)[number];

/**
 * Settings and progress of continuous archiving of a mailbox, and the state of its coverage ledger. Every change of a message's class holds this
 * row's lock, and keeps it until its transaction ends: it is taken after those of `mailbox_index_states` and
 * `archive_totals`. An account without a row is off.
 */
@Entity('archiving_settings')
export class ArchivingSettingsEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  @Column('varchar', { length: 8, default: 'off' }) mode: ArchivingMode;
  @Column('boolean', { default: false }) paused: boolean;
  /** Exclusions from copying; the first that matches counts. */
  @Column('jsonb', { default: () => "'[]'" }) exclusions: unknown[];
  /** Days for which a copy counts as verified after its file was read and hashed. */
  @Column('smallint', { default: 8 }) verifyDays: number;
  @Column('smallint', { default: 7 }) reconcileDays: number;
  /** Null: never. */
  @Column('smallint', { nullable: true, default: 24 }) notifyAfterHours: number | null;
  @Column('boolean', { default: true }) followLabels: boolean;

  /** The ledger has a row for every message of the mailbox as of the stored cursor, and for no other. */
  @Column('boolean', { default: false }) exact: boolean;
  /** Counts how often the ledger lost track: a reconcile that began before that does not make it exact. */
  @Column('integer', { default: 0 }) epoch: number;
  /** When the mailbox was last looked at for new mail. */
  @Column('timestamptz', { nullable: true }) lookedAt: Date | null;
  /** When mail was last copied. */
  @Column('timestamptz', { nullable: true }) copiedAt: Date | null;
  @Column('timestamptz', { nullable: true }) reconciledAt: Date | null;
  /** The provider's count of messages less the rows of the ledger, when it was last reconciled. */
  @Column('integer', { nullable: true }) providerOffset: number | null;
  /** The provider's count of messages, when it was last compared. */
  @Column('integer', { nullable: true }) providerTotal: number | null;
  @Column('boolean', { nullable: true }) providerAgreed: boolean | null;
  @Column('timestamptz', { nullable: true }) providerCheckedAt: Date | null;
  /** When everything was copied for the first time since it was switched on. */
  @Column('timestamptz', { nullable: true }) filledAt: Date | null;
  /** Cause that kept the last pass from copying, see `ARCHIVING_TROUBLES`; null: none. */
  @Column('varchar', { length: 8, nullable: true }) trouble: string | null;
  /** Start of the time for which it has been unhealthy; null: it is healthy. */
  @Column('timestamptz', { nullable: true }) unhealthySince: Date | null;
  /** Time when its owner was notified; null: not yet. */
  @Column('timestamptz', { nullable: true }) notifiedAt: Date | null;
  /** The exclusions have changed: what they left out has yet to be judged anew. */
  @Column('timestamptz', { nullable: true }) rejudgeSince: Date | null;
}
