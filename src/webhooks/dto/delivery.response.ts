import { ApiProperty } from '@nestjs/swagger';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../events/events';
import type { DeliveryPage } from '../deliveries/deliveries.service';
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  type WebhookDeliveryEntity,
} from '../outbox/webhook-delivery.entity';

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
