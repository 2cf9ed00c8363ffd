import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import type { Transaction } from '../common/database/transactions';
import { mailIdOf } from './storage-key';
import { FileDeletionEntity } from './file-deletion.entity';
import type { FileToDelete, StoredFile } from './file-deletions';
import { column, RowShape } from '../common/database/row-shape';

/** What is known of the removal of a key. */
export interface DeletionState {
  readonly isPending: boolean;
  /** Another one for each time the file was deleted. */
  readonly version: string;
}

interface FileRow {
  storage: string;
  storage_key: string;
}

const FILE_ROW: RowShape<FileRow> = { storage: column.text, storage_key: column.text };

/** Everyone who locks several removals locks them in this order. */
const LOCK_ORDER = 'ORDER BY storage COLLATE "C", storage_key COLLATE "C"';
/** How long others wait for files that somebody is deleting at the moment. */
const LOCK_TIMEOUT = '60s';
const LOCK_NOT_AVAILABLE = '55P03';

/** Registered removals of files. */
@Injectable()
export class FileDeletionsRepository extends BaseRepository<FileDeletionEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, FileDeletionEntity);
  }

  /** Those of some files that a row names. */
  async named(files: readonly StoredFile[], transaction: Transaction): Promise<StoredFile[]> {
    const ids = files.map(({ storageKey }) => mailIdOf(storageKey)).filter((id) => id !== null);
    const rows = await this.rows(
      FILE_ROW,
      'SELECT storage, storage_key FROM archived_mails WHERE id = ANY ($1)',
      [ids],
      transaction,
    );
    return rows.map(toFile);
  }

  /** A file registered before becomes pending again. @param files each once, in lock order */
  async upsert(files: readonly FileToDelete[], transaction: Transaction): Promise<void> {
    await this.execute(
      `INSERT INTO archive_removals (storage, storage_key, user_id, account_id, due_at)
       SELECT *, clock_timestamp() + interval '1 minute' FROM unnest($1::text[], $2::text[], $3::uuid[], $4::uuid[])
       ON CONFLICT (storage, storage_key) DO UPDATE
         SET user_id = excluded.user_id, account_id = excluded.account_id, registered_at = clock_timestamp(),
             due_at = excluded.due_at, failures = 0, removed_at = NULL`,
      [
        files.map(({ storage }) => storage),
        files.map(({ storageKey }) => storageKey),
        files.map(({ userId }) => userId),
        files.map(({ accountId }) => accountId),
      ],
      transaction,
    );
  }

  /**
   * Locks those of some files whose removal is pending, waiting for whoever is carrying them out.
   * @returns null when that took too long
   */
  async claim(
    storage: string,
    storageKeys: readonly string[],
    transaction: Transaction,
  ): Promise<StoredFile[] | null> {
    await this.execute(`SELECT set_config('lock_timeout', $1, true)`, [LOCK_TIMEOUT], transaction);
    const locked = this.rows(
      FILE_ROW,
      `SELECT storage, storage_key FROM archive_removals
        WHERE storage = $1 AND storage_key = ANY ($2) AND removed_at IS NULL ${LOCK_ORDER} FOR UPDATE`,
      [storage, storageKeys],
      transaction,
    );
    try {
      return (await locked).map(toFile);
    } catch (error) {
      if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return null;
      throw error;
    }
  }

  /** Stores with removals that are due. */
  async storesWithDue(): Promise<string[]> {
    const rows = await this.rows(
      { storage: column.text },
      `SELECT DISTINCT storage FROM archive_removals WHERE removed_at IS NULL AND due_at <= clock_timestamp()`,
    );
    return rows.map(({ storage }) => storage);
  }

  /** Locks removals of a store that are due and that nobody is carrying out. */
  async claimDue(storage: string, limit: number, transaction: Transaction): Promise<StoredFile[]> {
    const rows = await this.rows(
      FILE_ROW,
      `SELECT storage, storage_key FROM archive_removals
        WHERE removed_at IS NULL AND due_at <= clock_timestamp() AND storage = $1
        ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
      [storage, limit],
      transaction,
    );
    return rows.map(toFile);
  }

  /** Pending removals of an account in the order of their keys. @param after the last one of the page before */
  async pendingOf(
    accountId: string,
    page: { after: StoredFile | null; limit: number },
  ): Promise<StoredFile[]> {
    const rows = await this.rows(
      FILE_ROW,
      `SELECT storage, storage_key FROM archive_removals
        WHERE account_id = $1 AND removed_at IS NULL
          AND (storage COLLATE "C", storage_key COLLATE "C") > ($2, $3) ${LOCK_ORDER} LIMIT $4`,
      [accountId, page.after?.storage ?? '', page.after?.storageKey ?? '', page.limit],
    );
    return rows.map(toFile);
  }

  async countPending(accountId: string): Promise<number> {
    const [row] = await this.rows(
      { count: column.number },
      'SELECT count(*)::int AS count FROM archive_removals WHERE account_id = $1 AND removed_at IS NULL',
      [accountId],
    );
    return row?.count ?? 0;
  }

  /** Files of one store that are gone. */
  async markRemoved(
    storage: string,
    storageKeys: readonly string[],
    transaction: Transaction,
  ): Promise<void> {
    await this.affected(
      `UPDATE archive_removals SET removed_at = clock_timestamp()
        WHERE storage = $1 AND storage_key = ANY ($2) AND removed_at IS NULL`,
      [storage, storageKeys],
      transaction,
    );
  }

  /** Files of one store that could not be deleted: tried again later and later, after an hour at the most. */
  async postpone(storage: string, storageKeys: readonly string[], transaction: Transaction): Promise<void> {
    await this.affected(
      `UPDATE archive_removals
          SET failures = failures + 1,
              due_at = clock_timestamp() + least(interval '1 minute' * power(2, least(failures, 6)), interval '1 hour')
        WHERE storage = $1 AND storage_key = ANY ($2) AND removed_at IS NULL`,
      [storage, storageKeys],
      transaction,
    );
  }

  /** What is known of some keys of a store; nothing of most. */
  async states(
    storage: string,
    storageKeys: readonly string[],
    transaction?: Transaction,
  ): Promise<Map<string, DeletionState>> {
    const rows = await this.rows(
      { storage_key: column.text, is_pending: column.boolean, version: column.text },
      `SELECT storage_key, removed_at IS NULL AS is_pending,
              coalesce(extract(epoch FROM removed_at)::text, '') AS version
         FROM archive_removals WHERE storage = $1 AND storage_key = ANY ($2)`,
      [storage, storageKeys],
      transaction,
    );
    return new Map(rows.map((row) => [row.storage_key, { isPending: row.is_pending, version: row.version }]));
  }

  /** Forgets removals carried out long ago. @returns how many; fewer than `limit` when there are no more */
  forget(olderThanHours: number, limit: number): Promise<number> {
    return this.affected(
      `DELETE FROM archive_removals WHERE (storage, storage_key) IN (
         SELECT storage, storage_key FROM archive_removals
          WHERE removed_at < clock_timestamp() - interval '1 hour' * $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [olderThanHours, limit],
    );
  }
}

const toFile = (row: FileRow): StoredFile => ({ storage: row.storage, storageKey: row.storage_key });
