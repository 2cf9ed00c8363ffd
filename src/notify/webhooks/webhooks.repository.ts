import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column } from '../../platform/database/row-shape';
import type { Transaction } from '../../platform/database/transactions';
import { DeliveryAttempt, WebhookEntity } from './webhook.entity';

type Definition = Pick<WebhookEntity, 'name' | 'type' | 'events' | 'sealedTarget'>;
export type NewWebhook = Definition & Pick<WebhookEntity, 'id' | 'userId'>;

const COLUMNS = `id, user_id AS "userId", name, sealed_target AS "sealedTarget", type, events,
  is_active AS "isActive", disabled_reason AS "disabledReason", last_triggered_at AS "lastTriggeredAt",
  last_status AS "lastStatus", created_at AS "createdAt", updated_at AS "updatedAt"`;

@Injectable()
export class WebhooksRepository extends BaseRepository<WebhookEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, WebhookEntity);
  }

  /** Newest first. */
  listOwned(userId: string): Promise<WebhookEntity[]> {
    return this.getTable().find({ where: { userId }, order: { id: 'DESC' } });
  }

  findOwned(userId: string, id: string): Promise<WebhookEntity | null> {
    return this.getTable().findOneBy({ userId, id });
  }

  /** @returns null when the user has `limit` webhooks already */
  async insertBelow(
    limit: number,
    { id, userId, name, type, events, sealedTarget }: NewWebhook,
    transaction: Transaction,
  ): Promise<WebhookEntity | null> {
    const [inserted] = await this.queryEntities(
      `INSERT INTO webhooks (id, user_id, name, type, events, sealed_target)
       SELECT $2::uuid, $3::uuid, $4, $5, $6::text[], $7
       WHERE (SELECT count(*) FROM webhooks WHERE user_id = $3::uuid) < $1::int
       RETURNING ${COLUMNS}`,
      [limit, id, userId, name, type, events, sealedTarget],
      transaction,
    );
    return inserted ?? null;
  }

  /**
   * Keeps the row from other changes, and events from adding deliveries to it, until the transaction ends.
   * @returns null when it is not the user's
   */
  async lockOwned(userId: string, id: string, transaction: Transaction): Promise<WebhookEntity | null> {
    const [locked] = await this.queryEntities(
      `SELECT ${COLUMNS} FROM webhooks WHERE id = $1 AND user_id = $2 FOR UPDATE`,
      [id, userId],
      transaction,
    );
    return locked ?? null;
  }

  /** @returns null when it is not the user's */
  async redefineOwned(
    userId: string,
    id: string,
    { name, type, events, sealedTarget }: Definition,
    transaction: Transaction,
  ): Promise<WebhookEntity | null> {
    const [updated] = await this.queryEntities(
      `UPDATE webhooks SET name = $3, type = $4, events = $5, sealed_target = $6, updated_at = now()
       WHERE id = $1 AND user_id = $2
       RETURNING ${COLUMNS}`,
      [id, userId, name, type, events, sealedTarget],
      transaction,
    );
    return updated ?? null;
  }

  /** Switches it on or off by hand: why the service switched it off does not matter any more. */
  async switchOwned(
    userId: string,
    id: string,
    isActive: boolean,
    transaction: Transaction,
  ): Promise<WebhookEntity | null> {
    const [updated] = await this.queryEntities(
      `UPDATE webhooks SET is_active = $3, disabled_reason = NULL, updated_at = now()
       WHERE id = $1 AND user_id = $2
       RETURNING ${COLUMNS}`,
      [id, userId, isActive],
      transaction,
    );
    return updated ?? null;
  }

  /** Deletes a webhook with its deliveries. */
  async deleteOwned(userId: string, id: string, transaction: Transaction): Promise<boolean> {
    const deleted = await this.executeAndCount(
      'DELETE FROM webhooks WHERE id = $1 AND user_id = $2',
      [id, userId],
      transaction,
    );
    return deleted > 0;
  }

  /**
   * Locks the webhook before its delivery, the order in which deletions take them.
   * @returns the webhook as it is now; null when it is deleted, its deliveries with it
   */
  async lockForDelivery(
    id: string,
    transaction: Transaction,
  ): Promise<Pick<WebhookEntity, 'sealedTarget' | 'isActive'> | null> {
    const [row] = await this.queryRows(
      { sealed_target: column.text, is_active: column.boolean },
      'SELECT sealed_target, is_active FROM webhooks WHERE id = $1 FOR NO KEY UPDATE',
      [id],
      transaction,
    );
    return row ? { sealedTarget: row.sealed_target, isActive: row.is_active } : null;
  }

  /** @param attempt the last one that was made */
  async recordAttempt(
    id: string,
    attempt: Pick<DeliveryAttempt, 'status' | 'at'>,
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      'UPDATE webhooks SET last_status = $2, last_triggered_at = $3 WHERE id = $1',
      [id, attempt.status, attempt.at],
      transaction,
    );
  }

  /** @param reason stored code of why the service switches it off */
  async switchOff(id: string, reason: string, transaction: Transaction): Promise<void> {
    await this.execute(
      `UPDATE webhooks SET is_active = false, disabled_reason = $2, updated_at = clock_timestamp() WHERE id = $1`,
      [id, reason],
      transaction,
    );
  }

  /** Switches off all webhooks of a user and cancels their deliveries, also those being sent: their leases are lost. */
  async switchOffAll(userId: string, transaction: Transaction): Promise<void> {
    await this.execute(
      'UPDATE webhooks SET is_active = false, updated_at = now() WHERE user_id = $1 AND is_active',
      [userId],
      transaction,
    );
    await this.execute(
      `UPDATE webhook_deliveries
          SET status = 'cancelled', next_attempt_at = NULL, lease_token = NULL, lease_until = NULL, completed_at = now()
        WHERE webhook_id = ANY (ARRAY(SELECT id FROM webhooks WHERE user_id = $1)) AND status = 'pending'`,
      [userId],
      transaction,
    );
  }
}
