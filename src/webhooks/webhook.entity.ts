import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { WebhookEvent } from '../events/events';

export const WEBHOOK_TYPES = ['generic', 'embedchat', 'blockchat', 'pushnotify'] as const;
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

/** Somebody else's server that is told of events. */
@Entity('webhooks')
@Index('webhooks_user_idx', ['userId', 'id'])
export class WebhookEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @Column('varchar', { length: 100 }) name: string;
  /** `{url, secret}`, sealed with the row's id: addresses of chat platforms are credentials themselves. */
  @Column('text') sealedTarget: string;
  @Column('varchar', { length: 16 }) type: WebhookType;
  @Column('text', { array: true }) events: WebhookEvent[];
  @Column('boolean', { default: true }) isActive: boolean;
  /** Why the service itself switched it off; null when it did not. */
  @Column('varchar', { length: 32, nullable: true }) disabledReason: string | null;
  @Column('timestamptz', { nullable: true }) lastTriggeredAt: Date | null;
  /** HTTP status of the last attempt, 0 for no answer. */
  @Column('integer', { nullable: true }) lastStatus: number | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt: Date;
}
