import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** How far the local index of an account has followed the provider's change history. */
@Entity('mailbox_index_states')
export class MailboxIndexStateEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** Opaque; text because it is an unsigned 64-bit number at some providers. */
  @Column('text') cursor: string;
  @Column('timestamptz') syncedAt: Date;
}
