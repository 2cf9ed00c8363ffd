import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { RunAction } from './bulk-action';

/** Messages that a job itself has changed, some hundred at a time, and what it takes to take that back. */
@Entity('change_journal')
@Index('change_journal_account_idx', ['accountId'])
@Index('change_journal_expiry_idx', ['expiresAt'])
export class ChangeJournalEntity {
  @ForeignKey('JobEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  jobId: string;

  /** Orders the chunks of a job; a batch that is repeated writes the same chunk again. */
  @PrimaryColumn('integer') chunk: number;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  @Column('varchar', { length: 32 }) action: RunAction;
  @Column('varchar', { length: 255, nullable: true }) labelId: string | null;
  /** See `packIds`. */
  @Column('bytea') ids: Buffer;
  /** Bits of `BeforeFlag`, a byte for each id. */
  @Column('bytea') flags: Buffer;
  /** Where the change history stood afterwards: what comes later is somebody else's. */
  @Column('text') cursor: string;
  @Column('timestamptz') expiresAt: Date;
  /** The job that takes it back, if one was started: `<kind>-<number>`. */
  @Column('varchar', { length: 80, nullable: true }) undoneBy: string | null;
}
