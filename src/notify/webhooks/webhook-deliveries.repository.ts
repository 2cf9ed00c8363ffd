import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { AdvisoryLock } from '../../platform/database/advisory-locks';
import { storableJson } from '../../platform/database/column-values';
import { newId } from '../../platform/crypto/ids';
import { Lease, LeasedRows, millisecondsFromNow, NO_LEASE } from '../../platform/database/leased-rows';
import { column, RowShape } from '../../platform/database/row-shape';
import type { Transaction } from '../../platform/database/transactions';
import { offsetOf, type PageQuery } from '../../platform/validation/page.dto';
import { type RecordedEvent, WEBHOOK_EVENTS } from '../../platform/events/events';
import type { DeliveredEvent } from './webhook-formats';
import { type AfterAttempt, MAX_WAITING } from './webhook-timings';
import { DeliveryAttempt, WEBHOOK_TYPES, WebhookDeliveryEntity } from './webhook.entity';
import type { WebhookEntity } from './webhook.entity';

type DeliverySlice = readonly [deliveries: WebhookDeliveryEntity[], total: number];

/** A delivery whose next attempt this process makes, with its event and its webhook. */
export interface ClaimedDelivery {
  readonly lease: Lease;
  readonly event: Pick<WebhookDeliveryEntity, 'eventId' | 'event' | 'data' | 'occurredAt'>;
  readonly webhook: Pick<WebhookEntity, 'id' | 'userId' | 'type' | 'sealedTarget'>;
  /** Whether the webhook and its user are active. */
  readonly deliverable: boolean;
  /** Earlier attempts, including those lost with their process. */
  readonly attempts: number;
}

export interface InFlightLimits {
  /** Limits in all processes together, for one webhook and for one user. */
  readonly webhook: number;
  readonly user: number;
  /** The most deliveries that this process claims. */
  readonly here: number;
}

interface ClaimedRow {
  readonly id: string;
  readonly token: string;
  readonly event_id: string;
  readonly event: WebhookDeliveryEntity['event'];
  readonly data: Record<string, unknown>;
  readonly occurred_at: Date;
  readonly attempts: number;
  readonly webhook_id: string;
  readonly user_id: string;
  readonly type: WebhookEntity['type'];
  readonly sealed_target: string;
  readonly deliverable: boolean;
}

const CLAIMED_ROW: RowShape<ClaimedRow> = {
  id: column.text,
  token: column.text,
  event_id: column.text,
  event: column.oneOf(WEBHOOK_EVENTS),
  data: column.json<Record<string, unknown>>(),
  occurred_at: column.date,
  attempts: column.number,
  webhook_id: column.text,
  user_id: column.text,
  type: column.oneOf(WEBHOOK_TYPES),
  sealed_target: column.text,
  deliverable: column.boolean,
};

const DELIVERABLE = '(webhook.is_active AND owner.is_active AND owner.deletion_requested_at IS NULL)';

/** Deliveries are leased rows: the table is the queue. A leased delivery is due again only when its lease has ended. */
@Injectable()
export class WebhookDeliveriesRepository extends BaseRepository<WebhookDeliveryEntity> {
  private readonly leases: LeasedRows<WebhookDeliveryEntity>;

  constructor(dataSource: DataSource) {
    super(dataSource, WebhookDeliveryEntity);
    this.leases = new LeasedRows(dataSource, WebhookDeliveryEntity);
  }

  /**
   * Adds a delivery for each active webhook of the event's user that is subscribed to it, unless as many as may wait for
   * the webhook do already. @returns number of deliveries added
   */
  async enqueue(event: RecordedEvent, transaction: Transaction): Promise<number> {
    const webhooks = await this.queryRows(
      { id: column.text },
      `SELECT id FROM webhooks
       WHERE user_id = $1 AND is_active AND $2 = ANY(events)
         AND NOT EXISTS (
           SELECT FROM webhook_deliveries WHERE webhook_id = webhooks.id AND status = 'pending' OFFSET $3 LIMIT 1)
       FOR KEY SHARE`,
      [event.userId, event.type, MAX_WAITING - 1],
      transaction,
    );
    if (webhooks.length === 0) return 0;
    await this.execute(
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

  /** Deliveries that are not over, and the age of the oldest in seconds. */
  async countBacklog(): Promise<{ count: number; oldestSeconds: number }> {
    const [row] = await this.queryRows(
      { count: column.text, age: column.nullable(column.number) },
      `SELECT count(*), extract(epoch FROM now() - min(created_at))::float8 AS age
       FROM webhook_deliveries WHERE status = 'pending'`,
    );
    return { count: Number(row?.count ?? 0), oldestSeconds: row?.age ?? 0 };
  }

  /** Deletes rows of all users. @returns their number, at most `limit` */
  async deleteCompletedBefore(before: Date, limit: number): Promise<number> {
    return this.executeAndCount(
      `DELETE FROM webhook_deliveries WHERE id = ANY(ARRAY(
         SELECT id FROM webhook_deliveries WHERE completed_at < $1
         ORDER BY completed_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [before, limit],
    );
  }

  /** Newest first. */
  findOwnedPage(userId: string, webhookId: string, query: PageQuery): Promise<DeliverySlice> {
    return this.getTable().findAndCount({
      where: { webhookId, userId },
      order: { id: 'DESC' },
      skip: offsetOf(query),
      take: query.limit,
    });
  }

  /**
   * Cancels deliveries that wait for an attempt. One that is being sent ends by itself: the receiver may have it already.
   * @returns number of deliveries cancelled
   */
  cancelOpen(userId: string, webhookId: string, transaction: Transaction): Promise<number> {
    return this.executeAndCount(
      `UPDATE webhook_deliveries SET status = 'cancelled', next_attempt_at = NULL, ${NO_LEASE},
         completed_at = clock_timestamp()
       WHERE webhook_id = $1 AND user_id = $2 AND status = 'pending'
         AND (lease_until IS NULL OR lease_until < clock_timestamp())`,
      [webhookId, userId],
      transaction,
    );
  }

  /** Adds a delivery that ended with its only attempt, and the outcome to its webhook, unless that has been deleted. */
  async addFinished(
    userId: string,
    webhookId: string,
    event: DeliveredEvent,
    attempt: DeliveryAttempt,
    delivered: boolean,
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `WITH webhook AS (
         UPDATE webhooks SET last_triggered_at = $7, last_status = $8 WHERE id = $2 AND user_id = $3
         RETURNING id, user_id
       )
       INSERT INTO webhook_deliveries
         (id, webhook_id, user_id, event_id, event, data, occurred_at, status, attempts, next_attempt_at, completed_at)
       SELECT $1, webhook.id, webhook.user_id, $4, $5, $6, $7, $9, $10, NULL, now() FROM webhook`,
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

  /**
   * Takes due deliveries: users with fewer deliveries in flight first, then the oldest. However many a webhook or a user
   * has waiting, the statement reads only as many as may be in flight. An attempt whose lease has run out counts, as one
   * without an answer.
   */
  async claim(limits: InFlightLimits, leaseMs: number): Promise<ClaimedDelivery[]> {
    const rows = await this.leases.claim(
      {
        turn: { lock: AdvisoryLock.DeliveryClaims },
        pick: `
          WITH RECURSIVE open AS (
            (SELECT webhook_id, user_id FROM webhook_deliveries WHERE status = 'pending'
             ORDER BY webhook_id LIMIT 1)
            UNION ALL
            SELECT next.webhook_id, next.user_id FROM open CROSS JOIN LATERAL (
              SELECT webhook_id, user_id FROM webhook_deliveries
              WHERE status = 'pending' AND webhook_id > open.webhook_id
              ORDER BY webhook_id LIMIT 1) next
          ), held AS (
            SELECT webhook_id, user_id FROM webhook_deliveries
            WHERE lease_token IS NOT NULL AND lease_until > statement_timestamp()
          ), due AS (
            SELECT waiting.id, open.user_id, waiting.next_attempt_at
            FROM open CROSS JOIN LATERAL (
              SELECT id, next_attempt_at FROM webhook_deliveries
              WHERE status = 'pending' AND webhook_id = open.webhook_id
                AND next_attempt_at <= statement_timestamp()
              ORDER BY next_attempt_at
              LIMIT greatest(0, $1 - (SELECT count(*) FROM held WHERE held.webhook_id = open.webhook_id))) waiting
          ), ranked AS (
            SELECT id, next_attempt_at,
              row_number() OVER (PARTITION BY user_id ORDER BY next_attempt_at)
                + (SELECT count(*) FROM held WHERE held.user_id = due.user_id) AS turn
            FROM due
          )
          SELECT id FROM webhook_deliveries
          WHERE id = ANY(ARRAY(
              SELECT id FROM ranked WHERE turn <= $2 ORDER BY turn, next_attempt_at LIMIT $3))
            AND status = 'pending' AND next_attempt_at <= statement_timestamp()
          FOR UPDATE SKIP LOCKED`,
        set: `
          next_attempt_at = ${millisecondsFromNow('$4')},
          attempts = CASE WHEN lease_token IS NULL THEN attempts ELSE attempts || jsonb_build_array(
            jsonb_build_object('at', to_json(lease_until - make_interval(secs => $4::float8 / 1000)), 'status', 0, 'error', 'lost', 'durationMs', 0)) END`,
        parameters: [limits.webhook, limits.user, limits.here, leaseMs],
        read: `
          SELECT claimed.id, claimed.lease_token AS token, claimed.event_id, claimed.event, claimed.data,
            claimed.occurred_at, jsonb_array_length(claimed.attempts) AS attempts,
            webhook.id AS webhook_id, webhook.user_id, webhook.type, webhook.sealed_target,
            ${DELIVERABLE} AS deliverable
          FROM claimed JOIN webhooks webhook ON webhook.id = claimed.webhook_id
            JOIN users owner ON owner.id = claimed.user_id`,
        shape: CLAIMED_ROW,
      },
      leaseMs,
    );
    return rows.map(toClaimed);
  }

  /**
   * Adds an attempt. A delivery that was cancelled meanwhile is not tried again.
   * @param attempt null when none was made: all attempts were lost with their processes
   * @returns false when the lease is lost; nothing is written then
   */
  async writeBack(
    lease: Lease,
    attempt: DeliveryAttempt | null,
    after: AfterAttempt,
    transaction: Transaction,
  ): Promise<boolean> {
    const waitMs = after.status === 'pending' ? after.waitMs : null;
    const written = await this.leases.write(
      lease,
      {
        set: `
          attempts = attempts || $3::jsonb,
          status = CASE WHEN status = 'pending' OR $4 = 'delivered' THEN $4 ELSE status END,
          next_attempt_at = CASE WHEN status = 'pending' AND $5::float8 IS NOT NULL THEN ${millisecondsFromNow('$5')} END,
          completed_at = CASE WHEN status = 'pending' AND $5::float8 IS NOT NULL THEN NULL
                         ELSE coalesce(completed_at, clock_timestamp()) END,
          ${NO_LEASE}`,
        parameters: [storableJson(attempt ? [attempt] : []), after.status, waitMs],
        returning: 'id',
        shape: { id: column.text },
      },
      transaction,
    );
    return written !== null;
  }

  /**
   * Cancels what inactive webhooks, and webhooks of inactive users, have waiting. It skips locked rows, which the next
   * round takes: waiting could deadlock with a deletion that locks them in another order.
   */
  async cancelUndeliverable(webhookIds: readonly string[], transaction?: Transaction): Promise<void> {
    await this.execute(
      `WITH undeliverable AS (
         SELECT delivery.id FROM webhook_deliveries delivery
           JOIN webhooks webhook ON webhook.id = delivery.webhook_id
           JOIN users owner ON owner.id = webhook.user_id
         WHERE delivery.webhook_id = ANY($1) AND delivery.status = 'pending'
           AND (delivery.lease_until IS NULL OR delivery.lease_until < clock_timestamp()) AND NOT ${DELIVERABLE}
         FOR UPDATE OF delivery SKIP LOCKED
       )
       UPDATE webhook_deliveries SET status = 'cancelled', next_attempt_at = NULL, ${NO_LEASE},
         completed_at = clock_timestamp()
       FROM undeliverable WHERE webhook_deliveries.id = undeliverable.id`,
      [webhookIds],
      transaction,
    );
  }

  /** Cancels claimed deliveries. */
  async cancel(leases: readonly Lease[]): Promise<void> {
    await this.leases.release(
      leases,
      `status = 'cancelled', next_attempt_at = NULL, completed_at = coalesce(completed_at, clock_timestamp())`,
    );
  }

  /** Gives claimed deliveries back: they are due at once. */
  async release(leases: readonly Lease[]): Promise<void> {
    await this.leases.release(
      leases,
      `next_attempt_at = CASE WHEN status = 'pending' THEN clock_timestamp() END`,
    );
  }
}

const toClaimed = (row: ClaimedRow): ClaimedDelivery => ({
  lease: { id: row.id, token: row.token },
  event: { eventId: row.event_id, event: row.event, data: row.data, occurredAt: row.occurred_at },
  webhook: { id: row.webhook_id, userId: row.user_id, type: row.type, sealedTarget: row.sealed_target },
  deliverable: row.deliverable,
  attempts: row.attempts,
});
