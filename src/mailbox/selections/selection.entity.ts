import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/**
 * Messages that a query found, stored for a while, so that a confirmed change affects exactly the messages that the
 * user saw counted.
 */
@Entity('selections')
@Index('selections_user_idx', ['userId', 'createdAt'])
@Index('selections_account_idx', ['accountId'])
@Index('selections_expiry_idx', ['expiresAt'])
export class SelectionEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  /** Ids of the messages, each once, in the order of the search. */
  @Column('text', { array: true }) messageIds: string[];
  @Column('timestamptz') expiresAt: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
}
