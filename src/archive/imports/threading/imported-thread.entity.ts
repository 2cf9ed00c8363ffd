import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The conversation of a Message-ID that an imported mail has or refers to, whether that mail exists or not. */
@Entity('imported_thread_ids')
@Index('imported_thread_ids_thread_idx', ['accountId', 'threadId'])
export class ImportedThreadIdEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** Hash of account and Message-ID. */
  @PrimaryColumn('bigint') idKey: string;
  @Column('text') threadId: string;
}

/** Traits that imported mail without References is threaded by. */
@Entity('imported_subjects')
@Index('imported_subjects_account_key_idx', ['accountId', 'subjectKey', 'date'])
export class ImportedSubjectEntity {
  @ForeignKey('ArchivedMailEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  mailId: string;

  @Column('uuid') accountId: string;
  /** Hash of the subject without reply prefixes, case folded. */
  @Column('bigint') subjectKey: string;
  @Column('timestamptz') date: Date;
  /** Addresses of sender and recipients, lower-case, without the account's own. */
  @Column('text', { array: true }) participants: string[];
  /** Address of the sender in lower case; empty when there is none. */
  @Column('text') sender: string;
  /** Whether the prefixes of the subject mark a reply or a forwarded message. */
  @Column('boolean') isReply: boolean;
  @Column('boolean') hasReferences: boolean;
}
