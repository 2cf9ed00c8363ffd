import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column, RowShape } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import type { PlanOwner } from '../plans/offload-plan';
import type { Receipt } from './receipt';
import { OffloadReceiptEntity } from './offload-receipt.entity';

export interface StoredReceipt extends Receipt {
  readonly planId: string;
  readonly createdAt: Date;
}

const RECEIPT_ROW: RowShape<StoredReceipt> = {
  planId: column.text,
  statement: column.text,
  signature: column.text,
  keyId: column.text,
  createdAt: column.date,
};
const COLUMNS = 'plan_id AS "planId", statement, signature, key_id AS "keyId", created_at AS "createdAt"';

/** Receipts of accounts. */
@Injectable()
export class OffloadReceiptsRepository extends BaseRepository<OffloadReceiptEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, OffloadReceiptEntity);
  }

  async insert(
    { userId, accountId }: PlanOwner,
    planId: string,
    { statement, signature, keyId }: Receipt,
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `INSERT INTO offload_receipts (plan_id, user_id, account_id, statement, signature, key_id)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [planId, userId, accountId, statement, signature, keyId],
      transaction,
    );
  }

  async find({ userId, accountId }: PlanOwner, planId: string): Promise<StoredReceipt | null> {
    const [receipt] = await this.queryRows(
      RECEIPT_ROW,
      `SELECT ${COLUMNS} FROM offload_receipts WHERE plan_id = $3 AND account_id = $2 AND user_id = $1`,
      [userId, accountId, planId],
    );
    return receipt ?? null;
  }

  /** The account's last receipt. @param transaction that has locked the account: its receipts are made one after another */
  async findLast({ userId, accountId }: PlanOwner, transaction: Transaction): Promise<StoredReceipt | null> {
    const [receipt] = await this.queryRows(
      RECEIPT_ROW,
      `SELECT ${COLUMNS} FROM offload_receipts WHERE account_id = $2 AND user_id = $1
       ORDER BY created_at DESC, plan_id DESC LIMIT 1`,
      [userId, accountId],
      transaction,
    );
    return receipt ?? null;
  }

  /** Receipts, newest first. @param after plan of the last receipt of the page before */
  list({ userId, accountId }: PlanOwner, after: string | null, limit: number): Promise<StoredReceipt[]> {
    return this.queryRows(
      RECEIPT_ROW,
      `SELECT ${COLUMNS} FROM offload_receipts receipt
       WHERE account_id = $2 AND user_id = $1 AND ($3::uuid IS NULL OR (created_at, plan_id) < (
         SELECT earlier.created_at, earlier.plan_id FROM offload_receipts earlier
         WHERE earlier.plan_id = $3::uuid AND earlier.account_id = $2))
       ORDER BY created_at DESC, plan_id DESC LIMIT $4`,
      [userId, accountId, after, limit],
    );
  }
}
