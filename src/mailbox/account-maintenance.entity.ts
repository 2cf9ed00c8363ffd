import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** When something that is done for every account regularly is due next. */
@Entity('account_chores')
@Index('account_chores_due_idx', ['chore', 'dueAt'])
export class AccountMaintenanceEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  @PrimaryColumn('varchar', { length: 32 }) chore: string;
  @Column('timestamptz') dueAt: Date;
}
