import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../common/database/column-types';

/** What an account's archive holds of one sender. Kept by triggers on `archived_mails`; never written by the application. */
@Entity('archived_senders')
@Index('archived_senders_account_mails_idx', ['accountId', 'mails'])
export class ArchivedSenderEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** Lower-case; what the From header holds when there is no address in it. */
  @PrimaryColumn('varchar', { length: 320 }) address: string;
  /** As in the newest mail. */
  @Column('text') sender: string;
  @Column('timestamptz') latestDate: Date;
  @Column('integer') mails: number;
  @Column('bigint', { transformer: bigintAsNumber }) bytes: number;
}
