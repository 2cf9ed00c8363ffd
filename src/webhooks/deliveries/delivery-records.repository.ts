import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../common/database/base.repository';
import { newId } from '../../common/database/ids';
import { storableJson } from '../../common/database/storable-json';
import type { Transaction } from '../../common/database/transactions';
import { offsetOf, type PageQuery } from '../../common/http/paging/page.dto';
import type { ToldEvent } from '../formats/webhook-request';
import { type DeliveryAttempt, WebhookDeliveryEntity } from '../outbox/webhook-delivery.entity';

type DeliveryPage = readonly [deliveries: WebhookDeliveryEntity[], total: number];

/** Deliveries as their owner sees them; the sender has a repository of its own. */
@Injectable()
export class DeliveryRecordsRepository extends BaseRepository<WebhookDeliveryEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, WebhookDeliveryEntity);
  }

  /** Newest first. */
  pageOwned(userId: string, webhookId: string, query: PageQuery): Promise<DeliveryPage> {
    return this.table().findAndCount({
      where: { webhookId, userId },
      order: { id: 'DESC' },
      skip: offsetOf(query),
      take: query.limit,
    });
  }

  /**
   * Ends what is waiting to be delivered. An attempt that is under way ends by itself: it may have been received already.
   * @returns how many
   */
  cancelOpen(userId: string, webhookId: string, transaction: Transaction): Promise<number> {
    return this.affected(
      `UPDATE webhook_deliveries SET status = 'cancelled', next_attempt_at = NULL, lease_token = NULL,
         lease_until = NULL, completed_at = clock_timestamp()
       WHERE webhook_id = $1 AND user_id = $2 AND status = 'pending'
         AND (lease_until IS NULL OR lease_until < clock_timestamp())`,
      [webhookId, userId],
      transaction,
    );
  }

  /** Adds a delivery that is over after its one attempt, and what came of it to its webhook, if there still is one. */
  async addFinished(
    userId: string,
    webhookId: string,
    event: ToldEvent,
    attempt: DeliveryAttempt,
    delivered: boolean,
    transaction: Transaction,
  ): Promise<void> {
    await this.rows(
      `WITH told AS (
         UPDATE webhooks SET last_triggered_at = $7, last_status = $8 WHERE id = $2 AND user_id = $3
         RETURNING id, user_id
       )
       INSERT INTO webhook_deliveries
         (id, webhook_id, user_id, event_id, event, data, occurred_at, status, attempts, next_attempt_at, completed_at)
       SELECT $1, told.id, told.user_id, $4, $5, $6, $7, $9, $10, NULL, now() FROM told`,
      [
        newId(),
        webhookId,
        userId,
        event.id,
        event.type,
        storableJson(event.data),
        event.occurredAt,
        attempt.status,
        delivered ? 'delivered' : 'failed',
        storableJson([attempt]),
      ],
      transaction,
    );
  }
}
