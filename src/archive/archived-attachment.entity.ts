import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../common/database/column-types';

/** Where in its EML an attachment lies; there is no second copy of the bytes. */
@Entity('archived_attachments')
@Index('archived_attachments_mail_id_idx', ['mailId'])
@Index('archived_attachments_account_size_idx', ['accountId', 'sizeBytes', 'id'], { where: 'NOT is_inline' })
@Index('archived_attachments_account_idx', ['accountId', 'id'], { where: 'NOT is_inline' })
export class ArchivedAttachmentEntity {
  /** A UUID version 7 of the mail's date: attachments lie in the index by date. */
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('ArchivedMailEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  mailId: string;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  /** IMAP-style section number, e.g. `2.1`. */
  @Column('varchar', { length: 255 }) partId: string;
  @Column('text') filename: string;
  @Column('varchar', { length: 255 }) mimeType: string;
  /** Decoded. */
  @Column('bigint', { transformer: bigintAsNumber }) sizeBytes: number;
  /** Byte range of the encoded body in the EML, end exclusive. */
  @Column('bigint', { transformer: bigintAsNumber }) bodyStart: number;
  @Column('bigint', { transformer: bigintAsNumber }) bodyEnd: number;
  @Column('varchar', { length: 32 }) encoding: string;
  @Column('text', { nullable: true }) contentId: string | null;
  @Column('boolean', { default: false }) isInline: boolean;
  /** Its name and the mail's subject and sender, folded (`foldText`), a line each. */
  @Column('text', { default: '' }) searchText: string;
}
