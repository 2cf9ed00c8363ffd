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

  /** Date of the mail, by which lists are sorted. */
  @Column('timestamptz') mailDate: Date;
  @Column('varchar', { length: 32 }) piiType: PiiType;
  /** Whether it is the first finding of its mail: true for exactly one. */
  @Column('boolean') isFirst: boolean;
  /** Number of different values. */
  @Column('integer') count: number;
  /** The first value, masked. */
  @Column('text') snippet: string;
  @Column('timestamptz', { default: () => 'now()' }) scannedAt: Date;
}
