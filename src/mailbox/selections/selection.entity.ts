import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Messages that a query found, kept for a while: what a person saw counted is what a change they confirm is about. */
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

  /** In the order of the search, each once. */
  @Column('text', { array: true }) messageIds: string[];
  @Column('timestamptz') expiresAt: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
}
