import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import type { Transaction } from '../../platform/database/transactions';
import { ArchivedMailEntity } from './archived-mail.entity';
import type { FileToDelete } from '../files/file-deletions';
import { notHeld } from './holds/archive-holds';
import type { ArchiveOwner } from './writing/mail-to-archive';
import { column } from '../../platform/database/row-shape';

export interface DeletedMail extends FileToDelete {
  readonly sizeBytes: number;
}

/** Deletes the mails of an account. */
@Injectable()
export class ArchiveDeletionRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  async sizeOf(userId: string, accountId: string): Promise<{ mails: number; bytes: number }> {
    const [row] = await this.queryRows(
      { mails: column.number, bytes: column.text },
      `SELECT count(*)::int AS mails, coalesce(sum(size_bytes), 0) AS bytes
         FROM archived_mails WHERE account_id = $2 AND user_id = $1`,
      [userId, accountId],
    );
    return { mails: row?.mails ?? 0, bytes: Number(row?.bytes ?? 0) };
  }

  /**
   * Deletes up to `limit` mails with their dependent rows, and returns where their files are.
   * @param transaction holds the lock of the archive
   */
  async deleteBatch(
    { userId, accountId }: ArchiveOwner,
    limit: number,
    transaction: Transaction,
  ): Promise<DeletedMail[]> {
    const rows = await this.queryRows(
      { storage: column.text, storage_key: column.text, size_bytes: column.text },
      `DELETE FROM archived_mails WHERE id IN (
         SELECT id FROM archived_mails WHERE account_id = $2 AND user_id = $1 ORDER BY date, id LIMIT $3
       ) RETURNING storage, storage_key, size_bytes`,
      [userId, accountId, limit],
      transaction,
    );
    return rows.map((row) => ({
      storage: row.storage,
      storageKey: row.storage_key,
      userId,
      accountId,
      sizeBytes: Number(row.size_bytes),
    }));
  }

  /**
   * Deletes the given mails that exist and are not held, with their dependent rows, and returns where their files are.
   * @param transaction holds the lock of the archive
   */
  async deleteThese(
    { userId, accountId }: ArchiveOwner,
    ids: readonly string[],
    transaction: Transaction,
  ): Promise<FileToDelete[]> {
    const rows = await this.queryRows(
      { storage: column.text, storage_key: column.text },
      `DELETE FROM archived_mails WHERE id = ANY ($3::uuid[]) AND account_id = $2 AND user_id = $1
         AND ${notHeld('archived_mails')}
       RETURNING storage, storage_key`,
      [userId, accountId, ids],
      transaction,
    );
    return rows.map(({ storage, storage_key: storageKey }) => ({ storage, storageKey, userId, accountId }));
  }
}
