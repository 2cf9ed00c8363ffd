import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { PiiType } from './detection/pii-match';

/** Personal data of one type in one archived mail. The data itself is not stored. */
@Entity('pii_findings')
@Index('pii_findings_mail_type_key', ['mailId', 'piiType'], { unique: true })
@Index('pii_findings_account_date_idx', ['accountId', 'mailDate', 'mailId', 'piiType'])
@Index('pii_findings_account_type_idx', { synchronize: false })
export class PiiFindingEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  @ForeignKey('ArchivedMailEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  mailId: string;

  /** Of the mail: lists are sorted by it. */
  @Column('timestamptz') mailDate: Date;
  @Column('varchar', { length: 32 }) piiType: PiiType;
  /** True of one finding of each mail. */
  @Column('boolean') isFirst: boolean;
  /** Different values. */
  @Column('integer') count: number;
  /** The first value, masked. */
  @Column('text') snippet: string;
  @Column('timestamptz', { default: () => 'now()' }) scannedAt: Date;
}
