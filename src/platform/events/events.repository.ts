import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../database/base.repository';
import { storableJson } from '../database/column-values';
import { newId } from '../crypto/ids';
import { column } from '../database/row-shape';
import type { Transaction } from '../database/transactions';
import { EventEntity } from './event.entity';
import type { MailroomEvent, RecordedEvent } from './events';

@Injectable()
export class EventsRepository extends BaseRepository<EventEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, EventEntity);
  }

  /** @returns null when the occurrence is recorded already, or its user deleted */
  async record(event: MailroomEvent, transaction: Transaction): Promise<RecordedEvent | null> {
    // The statement locks the user's row: when they are deleted meanwhile, it inserts nothing instead of violating the
    // foreign key.
    const [row] = await this.queryRows(
      { id: column.text, created_at: column.date },
      `WITH concerned AS (SELECT id FROM users WHERE id = $2 FOR KEY SHARE)
       INSERT INTO events (id, user_id, key, type, data, transaction_id, snapshot)
       SELECT $1, concerned.id, $3, $4, $5, pg_current_xact_id()::text::bigint, pg_current_snapshot()::text
       FROM concerned
       ON CONFLICT (user_id, key) DO NOTHING
       RETURNING id, created_at`,
      [newId(), event.userId, event.key, event.type, storableJson({ ...event.data })],
      transaction,
    );
    return row ? { ...event, id: row.id, occurredAt: row.created_at } : null;
  }

  /** Deletes rows of all users. @returns their number, at most `limit` */
  async deleteBefore(before: Date, limit: number): Promise<number> {
    return this.executeAndCount(
      `DELETE FROM events WHERE id = ANY(ARRAY(
         SELECT id FROM events WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [before, limit],
    );
  }
}
