import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../common/database/base.repository';
import { newId } from '../../common/database/ids';
import { storableJson } from '../../common/database/storable-json';
import type { Transaction } from '../../common/database/transactions';
import type { RecordedEvent } from '../../events/events';
import { WebhookDeliveryEntity } from './webhook-delivery.entity';

@Injectable()
export class WebhookDeliveriesRepository extends BaseRepository<WebhookDeliveryEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, WebhookDeliveryEntity);
  }

  /** Adds a delivery for each active webhook of the event's user that is subscribed to it. @returns how many */
  async enqueue(event: RecordedEvent, transaction: Transaction): Promise<number> {
    const webhooks = await this.rows<{ id: string }>(
      'SELECT id FROM webhooks WHERE user_id = $1 AND is_active AND $2 = ANY(events) FOR KEY SHARE',
      [event.userId, event.type],
      transaction,
    );
    if (webhooks.length === 0) return 0;
    await this.rows(
      `INSERT INTO webhook_deliveries (id, webhook_id, user_id, event_id, event, data, occurred_at)
       SELECT pair.id, pair.webhook_id, $3, $4, $5, $6, $7
       FROM unnest($1::uuid[], $2::uuid[]) AS pair (id, webhook_id)
       ON CONFLICT (webhook_id, event_id) DO NOTHING`,
      [
        webhooks.map(() => newId()),
        webhooks.map(({ id }) => id),
        event.userId,
        event.id,
        event.type,
        storableJson({ ...event.data }),
        event.occurredAt,
      ],
      transaction,
    );
    return webhooks.length;
  }

  /** Deliveries that are waiting or on their way, and the seconds since the oldest of them was added. */
  async open(): Promise<{ count: number; oldestSeconds: number }> {
    const [row] = await this.rows<{ count: string; age: number | null }>(
      `SELECT count(*), extract(epoch FROM now() - min(created_at))::float8 AS age
       FROM webhook_deliveries WHERE status = 'pending'`,
    );
    return { count: Number(row?.count ?? 0), oldestSeconds: row?.age ?? 0 };
  }

  /** Of all users. @returns how many, at most `limit` */
  async deleteCompletedBefore(before: Date, limit: number): Promise<number> {
    return this.affected(
      `DELETE FROM webhook_deliveries WHERE id = ANY(ARRAY(
         SELECT id FROM webhook_deliveries WHERE completed_at < $1
         ORDER BY completed_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [before, limit],
    );
  }
}
