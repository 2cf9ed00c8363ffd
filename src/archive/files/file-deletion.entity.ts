import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A stored file that will be deleted. There is a row for every file from before it is written until the transaction
 * that names it commits, and again from the transaction that stops naming it until the file is gone: a crash leaves no
 * file without one.
 */
@Entity('file_deletions')
@Index('file_deletions_due_idx', ['storage', 'dueAt'])
@Index('file_deletions_account_idx', ['accountId', 'storageKey'])
export class FileDeletionEntity {
  @PrimaryColumn('uuid') id: string;
  /** Store of the file: `local`, or the id of a storage configuration. */
  @Column('varchar', { length: 64 }) storage: string;
  @Column('text') storageKey: string;
  /** Owner of the file. The ids of user and account are no foreign keys: files outlive the account's row. */
  @Column('uuid') userId: string;
  @Column('uuid') accountId: string;
  /** Earliest time of deletion: in the future while the file's writer may still commit it, and after a failure. */
  @Column('timestamptz') dueAt: Date;
  /** Number of failed attempts. */
  @Column('integer', { default: 0 }) attempts: number;
  /** Lease of the file's writer, or of the process that is deleting it; null: none. */
  @Column('uuid', { nullable: true }) leaseToken: string | null;
  @Column('timestamptz', { nullable: true }) leaseUntil: Date | null;
}
