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

  /** Adds a delivery for each active webhook of the event's user that is subscribed to it. */
  async enqueue(event: RecordedEvent, transaction: Transaction): Promise<void> {
    const webhooks = await this.rows<{ id: string }>(
      'SELECT id FROM webhooks WHERE user_id = $1 AND is_active AND $2 = ANY(events) FOR KEY SHARE',
      [event.userId, event.type],
      transaction,
    );
    if (webhooks.length === 0) return;
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
  }
}
