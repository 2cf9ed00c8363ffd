import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import { EventEntity } from '../events/event.entity';
import type { MailroomEvent } from '../events/events';
import { column, RowShape, typedRows } from '../common/database/row-shape';

/**
 * What a stream has shown: everything `snapshot` sees, without what comes after `after`. Neither ids nor times would do:
 * a transaction that began early may commit late.
 */
export interface StreamPosition {
  /** PostgreSQL's `pg_snapshot`, as text. */
  readonly snapshot: string;
  /** An event's id; null: nothing that `snapshot` sees is to be shown. */
  readonly after: string | null;
}

export type RecentEvent = Pick<MailroomEvent, 'type' | 'data'> & {
  readonly id: string;
  readonly created_at: Date;
  /** Of the notification in the application, if there is one. */
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

  /** That of a stream to which everything so far is past. */
  async now(): Promise<StreamPosition> {
    const [row] = await this.rows(
      { snapshot: column.text },
      'SELECT pg_current_snapshot()::text AS snapshot',
    );
    return { snapshot: row!.snapshot, after: null };
  }

  /** That of a stream which has shown one event last. Of an event that is not known, only what its id precedes is new. */
  async after(userId: string, eventId: string): Promise<StreamPosition> {
    const [row] = await this.rows(
      { snapshot: column.text },
      `SELECT coalesce(
         (SELECT snapshot FROM events WHERE user_id = $1 AND id = $2), pg_current_snapshot()::text) AS snapshot`,
      [userId, eventId],
    );
    return { snapshot: row!.snapshot, after: eventId };
  }

  /** The newest `limit` of those that became visible since, of the last `seconds`, and where that leaves the stream. */
  async since(
    userId: string,
    position: StreamPosition,
    { seconds, limit }: { seconds: number; limit: number },
  ): Promise<EventsSince> {
    // The position is that of the statement itself: what commits meanwhile is left to the next one. Events of one
    // transaction become visible together and are shown in order: those before `after` have been.
    const rows = await this.rows(
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
