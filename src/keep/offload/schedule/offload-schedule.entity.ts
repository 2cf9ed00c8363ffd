import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { OffloadMode } from '../receipts/receipt';
import type { OffloadSelection } from '../plans/offload-plan';

/** Nightly offload of a mailbox. */
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
  /** Messages dated within this number of days stay. */
  @Column('integer') graceDays: number;
  /** Largest number of messages a night moves; a plan with more waits for a person. */
  @Column('integer') maxPerNight: number;
  @Column('boolean') isActive: boolean;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) updatedAt: Date;
}
