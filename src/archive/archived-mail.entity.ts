import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../common/database/column-types';

/** An archived message: the row comes after the EML file and goes before it. */
@Entity('archived_mails')
@Index('archived_mails_account_message_key', ['accountId', 'mailboxMessageId'], { unique: true })
@Index('archived_mails_account_thread_idx', ['accountId', 'threadId', 'date'])
@Index('archived_mails_account_date_idx', ['accountId', 'date', 'id'])
@Index('archived_mails_account_archived_at_idx', ['accountId', 'archivedAt'])
@Index('archived_mails_user_size_idx', ['userId', 'sizeBytes'])
@Index('archived_mails_sender_idx', { synchronize: false })
@Index('archived_mails_message_id_header_idx', { synchronize: false })
@Index('archived_mails_anonymous_sha256_idx', ['accountId', 'sha256'], { where: 'message_id_header IS NULL' })
export class ArchivedMailEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  /** The provider's id; the Message-ID or `sha256:<hex>` of an imported mail. */
  @Column('text') mailboxMessageId: string;
  @Column('text') threadId: string;
  /** RFC 5322 Message-ID with angle brackets. */
  @Column('text', { nullable: true }) messageIdHeader: string | null;
  @Column('text') subject: string;
  @Column('text') sender: string;
  @Column('text') recipient: string;
  /** The provider's internal date. */
  @Column('timestamptz') date: Date;
  @Column('timestamptz', { default: () => 'now()' }) archivedAt: Date;
  @Column('bigint', { transformer: bigintAsNumber }) sizeBytes: number;
  @Column('boolean') hasAttachments: boolean;
  @Column('text', { array: true }) labelIds: string[];
  @Column('text') snippet: string;
  @Column('text', { nullable: true }) inReplyTo: string | null;
  @Column('text', { nullable: true }) referencesHeader: string | null;
  /** Which store holds the bytes: `local`, or the id of a storage configuration. */
  @Column('varchar', { length: 64 }) storage: string;
  @Column('text') storageKey: string;
  /** Of the stored bytes, hex. */
  @Column('char', { length: 64 }) sha256: string;
  @Column('boolean', { default: false }) isEncrypted: boolean;
  /** What of the message could not be parsed, in words; the raw message is kept all the same. */
  @Column('text', { array: true, default: () => "'{}'" }) defects: string[];
}
