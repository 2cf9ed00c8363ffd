import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../common/database/column-types';

/** Exact counts of an account's archive. Kept by triggers on `archived_mails`; never written by the application. */
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
}
