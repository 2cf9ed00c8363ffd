import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { OffloadMode } from '../receipts/receipt';
import type { OffloadSelection } from '../plans/offload-plan';

/** What is moved out of a mailbox night by night. */
@Entity('offload_schedules')
@Index('offload_schedules_user_idx', ['userId'])
export class OffloadScheduleEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @Column('jsonb') selection: OffloadSelection;
  @Column('varchar', { length: 16 }) mode: OffloadMode;
  /** Messages dated within so many days stay. */
  @Column('integer') graceDays: number;
  /** A night that would move more waits for a person. */
  @Column('integer') maxPerNight: number;
  @Column('boolean') isActive: boolean;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) updatedAt: Date;
}
