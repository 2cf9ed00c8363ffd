import { ApiProperty } from '@nestjs/swagger';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../events/events';
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  WEBHOOK_TYPES,
  type WebhookDeliveryEntity,
  type WebhookType,
} from '../webhook.entity';
import type { DeliveryPage, Webhook } from '../webhooks.service';

/** Somebody else's server that is told of events of the caller. */
export class WebhookResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  id: string;

  /** Its owner. */
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e' })
  user_id: string;

  @ApiProperty({ example: 'Chat of the team' })
  name: string;

  /** Where events are posted to; empty when it cannot be read with the service's key any more. */
  @ApiProperty({ example: 'https://hooks.example.org/mailroom' })
  url: string;

  @ApiProperty({ enum: WEBHOOK_TYPES, enumName: 'WebhookType', example: 'generic' })
  type: WebhookType;

  @ApiProperty({
    enum: WEBHOOK_EVENTS,
    enumName: 'WebhookEvent',
    isArray: true,
    example: ['job.failed', 'quota.warning'],
  })
  events: WebhookEvent[];

  @ApiProperty({ example: true })
  is_active: boolean;

  /** What deliveries are signed with; null unless the type is generic. */
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD2fcZgkcLtrI=',
  })
  secret: string | null;

  /** When it was last told of something. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-05-04T09:30:00.000Z' })
  last_triggered_at: string | null;

  /** HTTP status of the last attempt; 0 for no answer, and before the first (`last_triggered_at` is null then). */
  @ApiProperty({ type: 'integer', example: 200 })
  last_status: number;

  @ApiProperty({ format: 'date-time', example: '2026-05-04T09:30:00.000Z' })
  created_at: string;

  /** Why the service itself switched it off, `gone` for example; null when it did not. */
  @ApiProperty({ type: String, nullable: true, example: null })
  disabled_reason: string | null;
}

export class WebhookTestResponse {
  /**
   * Whether the receiver answered with a status of success (2xx).
   * @example true
   */
  success: boolean;
}

export function toWebhookResponse(webhook: Webhook): WebhookResponse {
  return {
    id: webhook.id,
    user_id: webhook.userId,
    name: webhook.name,
    url: webhook.url,
    type: webhook.type,
    events: webhook.events,
    is_active: webhook.isActive,
    secret: webhook.secret,
    last_triggered_at: webhook.lastTriggeredAt?.toISOString() ?? null,
    last_status: webhook.lastStatus ?? 0,
    created_at: webhook.createdAt.toISOString(),
    disabled_reason: webhook.disabledReason,
  };
}

/** One try to deliver. */
export class DeliveryAttemptResponse {
  @ApiProperty({ format: 'date-time', example: '2026-05-04T09:30:00.000Z' })
  at: string;

  /** HTTP status of the answer, 0 for none. */
  @ApiProperty({ type: 'integer', example: 503 })
  status: number;

  /** Why there was no answer, or none that counts (`redirect`), as a code; null when there was one. */
  @ApiProperty({ type: String, nullable: true, example: null })
  error: string | null;

  /** Milliseconds it took. */
  @ApiProperty({ type: 'integer', example: 120 })
  duration_ms: number;
}

/** An event on its way to the webhook, or where that ended. */
export class DeliveryResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  id: string;

  /** The `id` the receiver sees, the same in every attempt. */
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e' })
  event_id: string;

  @ApiProperty({ enum: WEBHOOK_EVENTS, enumName: 'WebhookEvent', example: 'job.failed' })
  event: WebhookEvent;

  /** The `data` of the event. */
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { jobId: 'bulk_operation-42', type: 'bulk_operation', status: 'failed' },
  })
  data: Readonly<Record<string, unknown>>;

  /** `pending` until it is delivered, has failed for good, or was cancelled with its webhook. */
  @ApiProperty({ enum: DELIVERY_STATUSES, enumName: 'DeliveryStatus', example: 'pending' })
  status: DeliveryStatus;

  /** Oldest first. */
  @ApiProperty({ type: [DeliveryAttemptResponse] })
  attempts: DeliveryAttemptResponse[];

  /** When the next attempt is due; null once it is over. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-05-04T09:40:00.000Z' })
  next_attempt_at: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-05-04T09:30:00.000Z' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  completed_at: string | null;
}

export class DeliveryPageResponse {
  /** Newest first. */
  @ApiProperty({ type: [DeliveryResponse] })
  deliveries: DeliveryResponse[];

  /** All deliveries of the webhook that are kept. */
  @ApiProperty({ type: 'integer', example: 42 })
  total: number;

  @ApiProperty({ type: 'integer', example: 1 })
  page: number;

  /** The limit used. */
  @ApiProperty({ type: 'integer', example: 50 })
  limit: number;
}

export function toDeliveryPageResponse({
  deliveries,
  total,
  page,
  limit,
}: DeliveryPage): DeliveryPageResponse {
  return { deliveries: deliveries.map(toDeliveryResponse), total, page, limit };
}

function toDeliveryResponse(delivery: WebhookDeliveryEntity): DeliveryResponse {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    event: delivery.event,
    data: delivery.data,
    status: delivery.status,
    attempts: delivery.attempts.map(({ at, status, error, durationMs }) => ({
      at,
      status,
      error,
      duration_ms: durationMs,
    })),
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    created_at: delivery.createdAt.toISOString(),
    completed_at: delivery.completedAt?.toISOString() ?? null,
  };
}
