import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A conversation of the archive. Kept by triggers on `archived_mails`; never written by the application. */
@Entity('archived_threads')
@Index('archived_threads_account_date_idx', ['accountId', 'latestDate', 'threadId'])
export class ArchivedThreadEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  @PrimaryColumn('text') threadId: string;
  @Column('timestamptz') latestDate: Date;
  @Column('integer') messageCount: number;
}
