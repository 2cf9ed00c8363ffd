import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column } from '../../platform/database/row-shape';
import type { Transaction } from '../../platform/database/transactions';
import { SelectionEntity } from './selection.entity';

export interface SelectionOwner {
  readonly userId: string;
  readonly accountId: string;
}

@Injectable()
export class SelectionsRepository extends BaseRepository<SelectionEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, SelectionEntity);
  }

  /** @returns instant at which the selection expires */
  async insert(
    { userId, accountId }: SelectionOwner,
    id: string,
    messageIds: readonly string[],
    keptSeconds: number,
    transaction: Transaction,
  ): Promise<Date> {
    const [row] = await this.queryRows(
      { expiresAt: column.date },
      `INSERT INTO selections (id, user_id, account_id, message_ids, expires_at)
       VALUES ($1, $2, $3, $4::text[], clock_timestamp() + make_interval(secs => $5))
       RETURNING expires_at AS "expiresAt"`,
      [id, userId, accountId, messageIds, keptSeconds],
      transaction,
    );
    return row!.expiresAt;
  }

  /** Deletes all of the user's selections except the newest. */
  async keepNewest(userId: string, limit: number, transaction: Transaction): Promise<void> {
    await this.execute(
      `DELETE FROM selections WHERE user_id = $1 AND id IN (
         SELECT id FROM selections WHERE user_id = $1 ORDER BY created_at DESC, id DESC OFFSET $2
       )`,
      [userId, limit],
      transaction,
    );
  }

  /** Finds the messages of a selection; undefined when it has expired or is not of this account. */
  async findOwned({ userId, accountId }: SelectionOwner, id: string): Promise<string[] | undefined> {
    const [row] = await this.queryRows(
      { messageIds: column.array(column.text) },
      `SELECT message_ids AS "messageIds" FROM selections
       WHERE id = $1 AND user_id = $2 AND account_id = $3 AND expires_at > clock_timestamp()`,
      [id, userId, accountId],
    );
    return row?.messageIds;
  }

  /** @returns number of deleted selections */
  deleteExpired(limit: number): Promise<number> {
    return this.executeAndCount(
      `DELETE FROM selections WHERE id IN (
         SELECT id FROM selections WHERE expires_at <= clock_timestamp() LIMIT $1
       )`,
      [limit],
    );
  }
}
