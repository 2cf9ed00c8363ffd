import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The conversation of a Message-ID that an imported mail has or refers to, whether that mail is there or not. */
@Entity('imported_thread_ids')
@Index('imported_thread_ids_thread_idx', ['accountId', 'threadId'])
export class ImportedThreadIdEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** Hash of account and id. */
  @PrimaryColumn('bigint') idKey: string;
  @Column('text') threadId: string;
}
