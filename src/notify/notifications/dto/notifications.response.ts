import { ApiProperty } from '@nestjs/swagger';
import { NOTIFICATION_CATEGORIES } from '../notification.entity';
import type { NotificationRow } from '../notifications.repository';
import type { NotificationPage } from '../notifications.service';

/** A notification of the caller. */
export class NotificationResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  id: string;

  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e' })
  user_id: string;

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

  /** @example false */
  is_read: boolean;

  @ApiProperty({ format: 'date-time', example: '2026-05-04T09:30:00.000Z' })
  created_at: string;
}

export class NotificationPageResponse {
  /** Newest first. */
  notifications: NotificationResponse[];

  /** All unread notifications of the caller, on every page. */
  @ApiProperty({ type: 'integer', example: 3 })
  unreadCount: number;

  @ApiProperty({ type: 'integer', example: 1 })
  page: number;

  /** The page size used. */
  @ApiProperty({ type: 'integer', example: 20 })
  limit: number;
}

export class NotificationReadResponse {
  /** @example true */
  success: true;
}

export class NotificationsReadResponse {
  /** Number of notifications that were unread. */
  @ApiProperty({ type: 'integer', example: 3 })
  updated: number;
}

export class NotificationsOkResponse {
  /** @example true */
  ok: true;
}

export function toNotificationResponse(notification: NotificationRow): NotificationResponse {
  const { id, user_id, type, title, body, data, is_read, created_at } = notification;
  return { id, user_id, type, title, body, data, is_read, created_at };
}

export function toNotificationPageResponse(page: NotificationPage): NotificationPageResponse {
  return {
    notifications: page.notifications.map(toNotificationResponse),
    unreadCount: page.unreadCount,
    page: page.page,
    limit: page.limit,
  };
}
