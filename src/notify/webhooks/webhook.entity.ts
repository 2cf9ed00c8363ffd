import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { WebhookEvent } from '../../platform/events/events';

export const WEBHOOK_TYPES = ['generic', 'embedchat', 'blockchat', 'pushnotify'] as const;
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

/** An address of another service that gets events. */
@Entity('webhooks')
@Index('webhooks_user_idx', ['userId', 'id'])
export class WebhookEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @Column('varchar', { length: 100 }) name: string;
  /** `{url, secret}`, sealed with the row's id: addresses of chat platforms are credentials. */
  @Column('text') sealedTarget: string;
  @Column('varchar', { length: 16 }) type: WebhookType;
  @Column('text', { array: true }) events: WebhookEvent[];
  @Column('boolean', { default: true }) isActive: boolean;
  /** Why the service switched it off, as a code; null when it did not. */
  @Column('varchar', { length: 32, nullable: true }) disabledReason: string | null;
  @Column('timestamptz', { nullable: true }) lastTriggeredAt: Date | null;
  /** HTTP status of the last attempt, 0 for no answer. */
  @Column('integer', { nullable: true }) lastStatus: number | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt: Date;
}

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One attempt to deliver, as the webhook's owner sees it. */
export interface DeliveryAttempt {
  /** ISO 8601. */
  readonly at: string;
  /** HTTP status, 0 for no answer. */
  readonly status: number;
  /**
   * Stable code of the failure: a `WebhookFailure`, or `lost` when the process ended before it wrote the outcome; null for
   * every answer except redirects.
   */
  readonly error: string | null;
  readonly durationMs: number;
}

/** The delivery of an event to one webhook. The table is the queue: senders lease due rows and write the outcome. */
@Entity('webhook_deliveries')
@Index('webhook_deliveries_event_key', ['webhookId', 'eventId'], { unique: true })
@Index('webhook_deliveries_webhook_idx', ['webhookId', 'id'])
@Index('webhook_deliveries_due_idx', ['webhookId', 'nextAttemptAt'], { where: `status = 'pending'` })
@Index('webhook_deliveries_leased_idx', ['webhookId'], { where: 'lease_token IS NOT NULL' })
@Index('webhook_deliveries_completed_idx', ['completedAt'], { where: 'completed_at IS NOT NULL' })
export class WebhookDeliveryEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('WebhookEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  webhookId: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @Column('uuid') eventId: string;
  @Column('varchar', { length: 32 }) event: WebhookEvent;
  @Column('jsonb') data: Record<string, unknown>;
  @Column('timestamptz') occurredAt: Date;
  @Column('varchar', { length: 16, default: 'pending' }) status: DeliveryStatus;
  @Column('jsonb', { default: [] }) attempts: DeliveryAttempt[];
  /** When the next attempt is due; during an attempt, when its lease ends; null once the delivery is over. */
  @Column('timestamptz', { nullable: true, default: () => 'now()' }) nextAttemptAt: Date | null;
  @Column('uuid', { nullable: true }) leaseToken: string | null;
  @Column('timestamptz', { nullable: true }) leaseUntil: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) completedAt: Date | null;
}
