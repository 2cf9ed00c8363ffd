import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { EventType } from './events';

/** Something that happened, once: whatever tells of it, now or later, reads it here. */
@Entity('events')
@Index('events_key', ['userId', 'key'], { unique: true })
@Index('events_user_idx', ['userId', 'id'])
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
}
