import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../common/database/column-types';

/**
 * Exact counts of an account's archive. Kept by triggers on `archived_mails` and
 * `archived_attachments`; never written by the application.
 */
@Entity('archive_totals')
export class ArchiveTotalsEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  @Column('integer') mails: number;
  @Column('bigint', { transformer: bigintAsNumber }) bytes: number;
  @Column('integer') withAttachments: number;
  @Column('integer') encrypted: number;
  @Column('integer') threads: number;
  /** Files; images shown inside the text are none. */
  @Column('integer', { default: 0 }) attachments: number;
  /** Decoded. */
  @Column('bigint', { default: 0, transformer: bigintAsNumber }) attachmentBytes: number;
}
