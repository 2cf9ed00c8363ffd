import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column, RowShape, typedRows } from '../../platform/database/row-shape';
import { EventEntity } from '../../platform/events/event.entity';
import type { MailroomEvent } from '../../platform/events/events';

/**
 * The position of a stream: it has shown every event that `snapshot` sees, except those after `after`. Ids and times
 * would not do: a transaction that began early may commit late.
 */
export interface StreamPosition {
  /** PostgreSQL's `pg_snapshot`, as text. */
  readonly snapshot: string;
  /** Id of the last event shown; null when the stream has shown everything that `snapshot` sees. */
  readonly after: string | null;
}

export type RecentEvent = Pick<MailroomEvent, 'type' | 'data'> & {
  readonly id: string;
  readonly created_at: Date;
  /** The event's notification in the application, if it has one. */
  readonly notification_id: string | null;
};

export interface EventsSince {
  /** Oldest first. */
  readonly events: readonly RecentEvent[];
  readonly position: StreamPosition;
}

const RECENT_EVENT_ROW: RowShape<RecentEvent> = {
  id: column.text,
  type: column.json<RecentEvent['type']>(),
  data: column.json<RecentEvent['data']>(),
  created_at: column.date,
  notification_id: column.nullable(column.text),
};

@Injectable()
export class RecentEventsRepository extends BaseRepository<EventEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, EventEntity);
  }

  /** The position of a stream that shows only events from now on. */
  async readPosition(): Promise<StreamPosition> {
    const [row] = await this.queryRows(
      { snapshot: column.text },
      'SELECT pg_current_snapshot()::text AS snapshot',
    );
    return { snapshot: row!.snapshot, after: null };
  }

  /** The position of a stream that has last shown `eventId`. For an unknown event, only later ids are new. */
  async readPositionAfter(userId: string, eventId: string): Promise<StreamPosition> {
    const [row] = await this.queryRows(
      { snapshot: column.text },
      `SELECT coalesce(
         (SELECT snapshot FROM events WHERE user_id = $1 AND id = $2), pg_current_snapshot()::text) AS snapshot`,
      [userId, eventId],
    );
    return { snapshot: row!.snapshot, after: eventId };
  }

  /** The newest `limit` events of the last `seconds` that became visible since `position`, and the new position. */
  async readSince(
    userId: string,
    position: StreamPosition,
    { seconds, limit }: { seconds: number; limit: number },
  ): Promise<EventsSince> {
    // The new position is the statement's own snapshot: events that commit meanwhile are left to the next read. Events of
    // one transaction become visible together and are shown in order: those before `after` have been shown.
    const rows = await this.queryRows(
      { snapshot: column.text, id: column.nullable(column.text) },
      `SELECT reading.snapshot, recent.id, recent.type, recent.data, recent.created_at,
              (SELECT id FROM notifications WHERE user_id = $1 AND event_key = recent.key) AS notification_id
       FROM (SELECT pg_current_snapshot()::text AS snapshot) reading
       LEFT JOIN (
         SELECT id, key, type, data, created_at FROM events
         WHERE user_id = $1 AND created_at > now() - make_interval(secs => $4)
           AND (NOT pg_visible_in_snapshot(transaction_id::text::xid8, $2::pg_snapshot) OR id > $3::uuid)
           AND id IS DISTINCT FROM $3::uuid
           AND (id < $3::uuid AND transaction_id =
                 (SELECT transaction_id FROM events WHERE user_id = $1 AND id = $3::uuid)) IS NOT TRUE
         ORDER BY id DESC LIMIT $5) recent ON true
       ORDER BY recent.id`,
      [userId, position.snapshot, position.after, seconds, limit],
    );
    const events = typedRows(
      RECENT_EVENT_ROW,
      rows.filter(({ id }) => id !== null),
    );
    return { events, position: { snapshot: rows[0]!.snapshot, after: null } };
  }
}
