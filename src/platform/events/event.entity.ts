import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../database/column-values';
import type { EventType } from './events';

/** One occurrence. */
@Entity('events')
@Index('events_key', ['userId', 'key'], { unique: true })
@Index('events_user_idx', ['userId', 'createdAt'])
@Index('events_created_idx', ['createdAt'])
export class EventEntity {
  /** Also the id in toasts and webhook deliveries. */
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  /** Identifies the occurrence: dispatched twice, it is recorded once. */
  @Column('varchar', { length: 128 }) key: string;
  @Column('varchar', { length: 32 }) type: EventType;
  @Column('jsonb') data: Record<string, unknown>;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;

  /**
   * The transaction that recorded the event and its snapshot, as PostgreSQL's `xid8` and `pg_snapshot`. They tell in which
   * order events became visible; ids and times do not.
   */
  @Column('bigint', { transformer: bigintAsNumber }) transactionId: number;
  @Column('text') snapshot: string;
}
