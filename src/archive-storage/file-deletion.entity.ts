import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A stored file that is to go, registered in the transaction that removed its row: a crash leaves no file behind, and
 * nobody who writes the same key again meanwhile loses it. Kept for a while after the file has gone, see
 * `ArchiveRemovals`.
 */
@Entity('archive_removals')
@Index('archive_removals_due_idx', ['dueAt'], { where: 'removed_at IS NULL' })
@Index('archive_removals_removed_at_idx', ['removedAt'], { where: 'removed_at IS NOT NULL' })
@Index('archive_removals_account_idx', ['accountId'], { where: 'removed_at IS NULL' })
export class FileDeletionEntity {
  /** As in `archived_mails`. */
  @PrimaryColumn('varchar', { length: 64 }) storage: string;
  @PrimaryColumn('text') storageKey: string;
  /** No foreign keys: files outlive the account's row. */
  @Column('uuid') userId: string;
  @Column('uuid') accountId: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) registeredAt: Date;
  /** When the schedule tries it, should whoever registered it not have got to it. */
  @Column('timestamptz') dueAt: Date;
  /** Tries that failed. */
  @Column('integer', { default: 0 }) failures: number;
  @Column('timestamptz', { nullable: true }) removedAt: Date | null;
}
