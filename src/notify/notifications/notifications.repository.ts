import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository, ReadStatement } from '../../platform/database/base.repository';
import { storableJson } from '../../platform/database/column-values';
import { column, RowShape, typedRows } from '../../platform/database/row-shape';
import type { Transaction } from '../../platform/database/transactions';
import { DEFAULT_PREFERENCES, NOTIFICATION_CATEGORIES, NotificationEntity } from './notification.entity';
import type { NotificationCategory } from './notification.entity';

export type NewNotification = Pick<
  NotificationEntity,
  'id' | 'userId' | 'type' | 'title' | 'body' | 'data' | 'eventKey'
>;

export interface NotificationRow {
  readonly id: string;
  readonly user_id: string;
  readonly type: NotificationCategory;
  readonly title: string;
  readonly body: string;
  readonly data: Record<string, unknown>;
  readonly is_read: boolean;
  readonly created_at: string;
}

const NOTIFICATION_ROW: RowShape<NotificationRow> = {
  id: column.text,
  user_id: column.text,
  type: column.oneOf(NOTIFICATION_CATEGORIES),
  title: column.text,
  body: column.text,
  data: column.json<Record<string, unknown>>(),
  is_read: column.boolean,
  created_at: column.timestamp,
};

/** A page, newest first, and how many are unread of all; the subquery skips earlier pages in the index alone. */
const pageOwned = (name: string, condition: string): ReadStatement => ({
  name,
  sql: `SELECT counted.unread, page.*
        FROM (SELECT count(*)::int AS unread FROM notifications WHERE user_id = $1 AND NOT is_read) counted
        LEFT JOIN LATERAL (
          SELECT id, user_id, type, title, body, data, is_read, created_at FROM notifications
          WHERE user_id = $1 AND id = ANY(ARRAY(
            SELECT id FROM notifications WHERE user_id = $1 ${condition}
            ORDER BY id DESC LIMIT $2 OFFSET $3))
        ) page ON true
        ORDER BY page.id DESC`,
});

const PAGE_OF_ALL = pageOwned('notifications-of-user', '');
const PAGE_OF_UNREAD = pageOwned('unread-notifications-of-user', 'AND NOT is_read');

export interface NotificationSlice {
  readonly unreadOnly: boolean;
  readonly offset: number;
  readonly limit: number;
}

@Injectable()
export class NotificationsRepository extends BaseRepository<NotificationEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, NotificationEntity);
  }

  /**
   * Adds a notification, unless the user's preferences exclude its category, the user is deleted, or the event has one.
   */
  async insertIfWanted(notification: NewNotification, transaction: Transaction): Promise<void> {
    // The category is the name of its preference's column. The statement locks the user's row: when they are deleted
    // meanwhile, it inserts nothing instead of violating the foreign key.
    await this.execute(
      `WITH recipient AS (SELECT id FROM users WHERE id = $2 FOR KEY SHARE)
       INSERT INTO notifications (id, user_id, type, title, body, data, event_key)
       SELECT $1, recipient.id, $3, $4, $5, $6, $7
       FROM recipient LEFT JOIN notification_preferences preferences ON preferences.user_id = recipient.id
       WHERE coalesce(preferences.${notification.type}, $8)
       ON CONFLICT (user_id, event_key) DO NOTHING`,
      [
        notification.id,
        notification.userId,
        notification.type,
        notification.title,
        notification.body,
        storableJson(notification.data),
        notification.eventKey,
        DEFAULT_PREFERENCES[notification.type],
      ],
      transaction,
    );
  }

  /** Newest first, with the number of all that are unread. */
  async findOwnedPage(
    userId: string,
    { unreadOnly, offset, limit }: NotificationSlice,
  ): Promise<{ notifications: NotificationRow[]; unread: number }> {
    const rows = await this.readRows(
      { unread: column.number, id: column.nullable(column.text) },
      unreadOnly ? PAGE_OF_UNREAD : PAGE_OF_ALL,
      [userId, limit, offset],
    );
    // An empty page is one row without a notification.
    const page = rows.filter(({ id }) => id !== null);
    return { notifications: typedRows(NOTIFICATION_ROW, page), unread: rows[0]!.unread };
  }

  /** @returns whether the user has it, read before or not */
  async markRead(userId: string, id: string): Promise<boolean> {
    const marked = await this.executeAndCount(
      'UPDATE notifications SET is_read = true WHERE user_id = $1 AND id = $2',
      [userId, id],
    );
    return marked > 0;
  }

  /** @returns number that were unread */
  async markAllRead(userId: string): Promise<number> {
    return this.executeAndCount(
      'UPDATE notifications SET is_read = true WHERE user_id = $1 AND NOT is_read',
      [userId],
    );
  }

  async deleteOwned(userId: string, id: string): Promise<boolean> {
    return (
      (await this.executeAndCount('DELETE FROM notifications WHERE user_id = $1 AND id = $2', [userId, id])) >
      0
    );
  }

  async deleteRead(userId: string): Promise<void> {
    await this.executeAndCount('DELETE FROM notifications WHERE user_id = $1 AND is_read', [userId]);
  }

  /** Deletes read notifications of all users. @returns their number, at most `limit` */
  async deleteReadBefore(before: Date, limit: number): Promise<number> {
    return this.executeAndCount(
      `DELETE FROM notifications WHERE id = ANY(ARRAY(
         SELECT id FROM notifications WHERE is_read AND created_at < $1
         ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [before, limit],
    );
  }
}
