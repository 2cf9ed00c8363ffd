import { ApiProperty } from '@nestjs/swagger';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../../platform/events/events';
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  WEBHOOK_TYPES,
  type WebhookDeliveryEntity,
  type WebhookType,
} from '../webhook.entity';
import type { DeliveryPage, Webhook } from '../webhooks.service';

/** An address of another service that gets the caller's events. */
export class WebhookResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  id: string;

  /** Id of the webhook's owner. */
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e' })
  user_id: string;

  @ApiProperty({ example: 'Chat of the team' })
  name: string;

  /** The address that events are posted to; empty when the service's key can no longer open it. */
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

  /** Key of the signatures; null unless the type is `generic`. */
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD2fcZgkcLtrI=',
  })
  secret: string | null;

  /** Time of the last attempt. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-05-04T09:30:00.000Z' })
  last_triggered_at: string | null;

  /** HTTP status of the last attempt; 0 without an answer, and before the first attempt (null `last_triggered_at`). */
  @ApiProperty({ type: 'integer', example: 200 })
  last_status: number;

  @ApiProperty({ format: 'date-time', example: '2026-05-04T09:30:00.000Z' })
  created_at: string;

  /** Why the service switched it off, for example `gone`; null when it did not. */
  @ApiProperty({ type: String, nullable: true, example: null })
  disabled_reason: string | null;
}

export class WebhookTestResponse {
  /**
   * Whether the receiver answered with a success status (2xx).
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

/** One attempt to deliver. */
export class DeliveryAttemptResponse {
  @ApiProperty({ format: 'date-time', example: '2026-05-04T09:30:00.000Z' })
  at: string;

  /** HTTP status of the answer; 0 without an answer. */
  @ApiProperty({ type: 'integer', example: 503 })
  status: number;

  /** Why the attempt had no answer, or only a redirect, as a code; null when it was answered. */
  @ApiProperty({ type: String, nullable: true, example: null })
  error: string | null;

  /** Duration in milliseconds. */
  @ApiProperty({ type: 'integer', example: 120 })
  duration_ms: number;
}

/** The delivery of an event to the webhook. */
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

  /** `pending` until it is delivered, has failed for good, or is cancelled with its webhook. */
  @ApiProperty({ enum: DELIVERY_STATUSES, enumName: 'DeliveryStatus', example: 'pending' })
  status: DeliveryStatus;

  /** Oldest first. */
  @ApiProperty({ type: [DeliveryAttemptResponse] })
  attempts: DeliveryAttemptResponse[];

  /** When the next attempt is due; null once the delivery is over. */
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

  /** All deliveries of the webhook from the last 30 days, and open ones. */
  @ApiProperty({ type: 'integer', example: 42 })
  total: number;

  @ApiProperty({ type: 'integer', example: 1 })
  page: number;

  /** The page size used. */
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
