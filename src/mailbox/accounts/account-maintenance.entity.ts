import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** When something that is done for every account regularly is due next. */
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
