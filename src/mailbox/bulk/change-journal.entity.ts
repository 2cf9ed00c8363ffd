import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { RunAction } from './bulk-action';

/** A chunk of messages that a job itself has changed, with the data that an undo needs. */
@Entity('change_journal')
@Index('change_journal_account_idx', ['accountId'])
@Index('change_journal_expiry_idx', ['expiresAt'])
export class ChangeJournalEntity {
  @ForeignKey('JobEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  jobId: string;

  /** Number of the chunk within its job. A repeated batch writes the same chunk again. */
  @PrimaryColumn('integer') chunk: number;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  @Column('varchar', { length: 32 }) action: RunAction;
  @Column('varchar', { length: 255, nullable: true }) labelId: string | null;
  /** Ids of the messages, see `packIds`. */
  @Column('bytea') ids: Buffer;
  /** Bits of `BeforeFlag`, a byte for each id. */
  @Column('bytea') flags: Buffer;
  /** Cursor of the change history after these changes. Later changes are not the job's. */
  @Column('text') cursor: string;
  @Column('timestamptz') expiresAt: Date;
  /** Id of the job that undoes the changes, `<kind>-<number>`; null when none was started. */
  @Column('varchar', { length: 80, nullable: true }) undoneBy: string | null;
}
