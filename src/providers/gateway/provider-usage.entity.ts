import { bigintAsNumber } from '../../platform/database/column-values';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** Units and calls per account, endpoint and minute. */
@Entity('provider_usage')
export class ProviderUsageEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  @PrimaryColumn('timestamptz') minute: Date;
  @PrimaryColumn('varchar', { length: 64 }) endpoint: string;
  @Column('integer') units: number;
  @Column('integer') calls: number;
  /** Bytes received from the provider, 0 where they are not counted; `sentBytes` likewise. */
  @Column('bigint', { default: 0, transformer: bigintAsNumber }) receivedBytes: number;
  @Column('bigint', { default: 0, transformer: bigintAsNumber }) sentBytes: number;
}
