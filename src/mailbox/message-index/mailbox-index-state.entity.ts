import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** How far the local index of an account has followed the provider's change history, and what it covers. */
@Entity('mailbox_index_states')
export class MailboxIndexStateEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** Opaque; text because it is an unsigned 64-bit number at some providers. */
  @Column('text') cursor: string;
  @Column('timestamptz') syncedAt: Date;

  /** Every message from here on that is neither spam nor trash is indexed; null: nothing can be said. */
  @Column('timestamptz', { nullable: true }) coveredSince: Date | null;
  /** Every message that is neither spam nor trash is indexed. */
  @Column('boolean', { default: false }) complete: boolean;
  /** When somebody first asked for figures: from then on new mail is indexed as it arrives. */
  @Column('timestamptz', { nullable: true }) wantedSince: Date | null;
  /** Counts how often coverage was lost: who began to index before that may not claim to have covered anything. */
  @Column('integer', { default: 0 }) coverageEpoch: number;
}
