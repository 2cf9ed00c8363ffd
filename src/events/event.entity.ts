import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../common/database/column-values';
import type { EventType } from './events';

/** Something that happened, once: whatever tells of it, now or later, reads it here. */
@Entity('events')
@Index('events_key', ['userId', 'key'], { unique: true })
@Index('events_user_idx', ['userId', 'createdAt'])
@Index('events_created_idx', ['createdAt'])
export class EventEntity {
  /** Also the id that receivers of webhooks see. */
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  /** Names the occurrence: dispatched twice, it is told once. */
  @Column('varchar', { length: 128 }) key: string;
  @Column('varchar', { length: 32 }) type: EventType;
  @Column('jsonb') data: Record<string, unknown>;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;

  /**
   * The transaction that recorded it and what that one saw, as PostgreSQL's `xid8` and `pg_snapshot`: neither ids nor
   * times say in which order events became visible, these do.
   */
  @Column('bigint', { transformer: bigintAsNumber }) transactionId: number;
  @Column('text') snapshot: string;
}
