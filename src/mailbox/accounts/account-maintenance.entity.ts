import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A maintenance task of an account, and the time at which it is due next. */
@Entity('account_chores')
@Index('account_chores_due_idx', ['task', 'dueAt'])
export class AccountMaintenanceEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  @PrimaryColumn('varchar', { name: 'chore', length: 32 }) task: string;
  @Column('timestamptz') dueAt: Date;
  @Column('uuid', { nullable: true }) leaseToken: string | null;
  @Column('timestamptz', { nullable: true }) leaseUntil: Date | null;
}
