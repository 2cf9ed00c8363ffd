import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { NotificationCategory } from './notification-category';

/** Something a user is told in the application. */
@Entity('notifications')
@Index('notifications_user_idx', ['userId', 'id'])
@Index('notifications_unread_idx', ['userId', 'id'], { where: 'NOT is_read' })
@Index('notifications_read_idx', ['createdAt'], { where: 'is_read' })
@Index('notifications_event_key', ['userId', 'eventKey'], { unique: true })
export class NotificationEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @Column('varchar', { length: 32 }) type: NotificationCategory;
  @Column('text') title: string;
  @Column('text') body: string;
  @Column('jsonb') data: Record<string, unknown>;
  @Column('boolean', { default: false }) isRead: boolean;
  /** Names the event: dispatched twice, it is told once. */
  @Column('varchar', { length: 128 }) eventKey: string;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
}
