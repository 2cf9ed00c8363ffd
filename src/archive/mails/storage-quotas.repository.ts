import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import type { Transaction } from '../../platform/database/transactions';
import type { NotifiedLevel } from './storage-quota';
import { StorageQuotaLevelEntity } from './storage-quota-level.entity';
import { column } from '../../platform/database/row-shape';

/** In bytes. */
export interface StorageUsage {
  readonly usedBytes: number;
  readonly quotaBytes: number;
}

const USAGE_ROW = { used: column.text, quota: column.text };
const USAGE = {
  name: 'storage-usage',
  sql: `SELECT u.storage_quota_bytes AS quota,
               (SELECT coalesce(sum(t.bytes), 0) FROM mailbox_accounts a JOIN archive_totals t ON t.account_id = a.id
                 WHERE a.user_id = u.id) AS used
          FROM users u WHERE u.id = $1`,
};

/** Storage quotas, usage, and the levels users have been notified of. */
@Injectable()
export class StorageQuotasRepository extends BaseRepository<StorageQuotaLevelEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, StorageQuotaLevelEntity);
  }

  /** EML bytes of all the user's accounts, disconnected ones included. */
  async findUsage(userId: string, transaction?: Transaction): Promise<StorageUsage> {
    const [row] = transaction
      ? await this.queryRows(USAGE_ROW, USAGE.sql, [userId], transaction)
      : await this.readRows(USAGE_ROW, USAGE, [userId]);
    return { usedBytes: Number(row?.used ?? 0), quotaBytes: Number(row?.quota ?? 0) };
  }

  /** Makes other writers of the user's archives wait for the end of the transaction. */
  async lockLevel(userId: string, transaction: Transaction): Promise<NotifiedLevel> {
    const existing = await this.selectLockedLevel(userId, transaction);
    if (existing) return existing;
    await this.execute(
      'INSERT INTO storage_quota_levels (user_id) VALUES ($1) ON CONFLICT DO NOTHING',
      [userId],
      transaction,
    );
    return (await this.selectLockedLevel(userId, transaction)) ?? { percent: 0, refusedRoom: null };
  }

  async updateLevel(userId: string, notified: NotifiedLevel, transaction: Transaction): Promise<void> {
    await this.executeAndCount(
      `UPDATE storage_quota_levels SET percent = $2, refused_room = $3, updated_at = clock_timestamp()
        WHERE user_id = $1`,
      [userId, notified.percent, notified.refusedRoom],
      transaction,
    );
  }

  private async selectLockedLevel(userId: string, transaction: Transaction): Promise<NotifiedLevel | null> {
    const [row] = await this.queryRows(
      { percent: column.number, refused_room: column.nullable(column.text) },
      'SELECT percent, refused_room FROM storage_quota_levels WHERE user_id = $1 FOR UPDATE',
      [userId],
      transaction,
    );
    if (!row) return null;
    return { percent: row.percent, refusedRoom: row.refused_room === null ? null : Number(row.refused_room) };
  }
}
