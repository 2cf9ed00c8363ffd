import { ApiProperty } from '@nestjs/swagger';
import { notificationOf } from '../notification-texts';
import { NOTIFICATION_CATEGORIES } from '../notification.entity';
import type { RecentEvent } from '../recent-events.repository';

/** A toast: clients show it for a moment. */
export class ToastResponse {
  /** Id of the event, the same as in webhook deliveries. */
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c' })
  id: string;

  @ApiProperty({ enum: NOTIFICATION_CATEGORIES, enumName: 'NotificationType', example: 'job_completed' })
  type: (typeof NOTIFICATION_CATEGORIES)[number];

  /** Plain text.
   * @example "Bulk operation completed" */
  title: string;

  /** Plain text.
   * @example "1,234 messages were processed." */
  body: string;

  /** The `data` of the event, for programs. */
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { jobId: 'bulk_operation-42', type: 'bulk_operation', status: 'completed' },
  })
  data: Readonly<Record<string, unknown>>;

  @ApiProperty({ format: 'date-time', example: '2026-05-04T09:30:00.000Z' })
  created_at: string;

  /** The notification of the same event, to be marked as read; null when it has none. */
  @ApiProperty({
    format: 'uuid',
    type: 'string',
    nullable: true,
    example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
  })
  notification_id: string | null;
}

export function toToastResponse(event: RecentEvent): ToastResponse {
  const { id, data, created_at, notification_id } = event;
  return {
    id,
    ...notificationOf(event),
    data: { ...data },
    created_at: created_at.toISOString(),
    notification_id,
  };
}
