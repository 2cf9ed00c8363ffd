import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The signed statement about a plan that ended; never changed. Its items are those of the plan. */
@Entity('offload_receipts')
@Index('offload_receipts_account_idx', ['accountId', 'createdAt'])
@Index('offload_receipts_user_idx', ['userId'])
export class OffloadReceiptEntity {
  @ForeignKey('OffloadPlanEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  planId: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  /** The signed text itself, JSON. */
  @Column('text') statement: string;
  /** Ed25519 signature, base64. */
  @Column('text') signature: string;
  @Column('char', { length: 32 }) keyId: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
}
