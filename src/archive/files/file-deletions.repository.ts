import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { newId } from '../../platform/crypto/ids';
import { Lease, LeasedRows, millisecondsFromNow } from '../../platform/database/leased-rows';
import { column, RowShape } from '../../platform/database/row-shape';
import type { Transaction } from '../../platform/database/transactions';
import { FileDeletionEntity } from './file-deletion.entity';
import { mailIdOf } from './storage-key';

/** A stored file with its store, key and owner. */
export interface FileToDelete {
  /** Store of the file: `local`, or the id of a storage configuration. */
  readonly storage: string;
  readonly storageKey: string;
  readonly userId: string;
  readonly accountId: string;
}

/** A store with files that are due, and the owner of one of them: except on the local disk, all have the same owner. */
export interface DueStore {
  readonly storage: string;
  readonly userId: string;
}

/** Numbers of files of an account in one store. */
export interface FilesLeft {
  readonly storage: string;
  /** Files that a process is deleting. */
  readonly claimed: number;
  readonly waiting: number;
}

/** A file under the lease of its writer, or of the process that deletes it. */
export interface LeasedFile extends Lease {
  readonly storage: string;
  readonly storageKey: string;
}

const LEASED_FILE: RowShape<LeasedFile> = {
  id: column.text,
  token: column.text,
  storage: column.text,
  storageKey: column.text,
};
const LEASED_COLUMNS = 'id, lease_token AS token, storage, storage_key AS "storageKey"';

const INSERT_BATCH = 1_000;
const UNLEASED = '(lease_until IS NULL OR lease_until <= clock_timestamp())';
const DUE_NOW = 'due_at = least(due_at, clock_timestamp())';
const READ = `SELECT ${LEASED_COLUMNS} FROM claimed`;

/** Rows of files that will be deleted, and their leases. */
@Injectable()
export class FileDeletionsRepository extends LeasedRows<FileDeletionEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, FileDeletionEntity);
  }

  /** Inserts files that may be deleted as soon as the transaction has committed. */
  async insertDue(files: readonly FileToDelete[], transaction?: Transaction): Promise<void> {
    for (let at = 0; at < files.length; at += INSERT_BATCH) {
      await this.execute(
        `INSERT INTO file_deletions (id, storage, storage_key, user_id, account_id, due_at)
         SELECT *, clock_timestamp() FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::uuid[])`,
        columnsOf(files.slice(at, at + INSERT_BATCH)),
        transaction,
      );
    }
  }

  /**
   * Inserts files that no mail names and that have no row yet. One statement sees both tables as of one moment: a file whose
   * mail is just being committed is in one of them.
   * @returns keys of those inserted
   */
  async insertUnnamed(files: readonly FileToDelete[]): Promise<Set<string>> {
    const rows = await this.queryRows(
      { storage_key: column.text },
      `INSERT INTO file_deletions (id, storage, storage_key, user_id, account_id, due_at)
       SELECT file.id, file.storage, file.storage_key, file.user_id, file.account_id, clock_timestamp()
         FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[])
           AS file (id, storage, storage_key, user_id, account_id, mail_id)
        WHERE NOT EXISTS (SELECT FROM archived_mails mail
                           WHERE mail.id = file.mail_id AND mail.storage_key = file.storage_key)
          AND NOT EXISTS (SELECT FROM file_deletions known
                           WHERE known.account_id = file.account_id AND known.storage_key = file.storage_key)
       RETURNING storage_key`,
      [...columnsOf(files), files.map(({ storageKey }) => mailIdOf(storageKey))],
    );
    return new Set(rows.map((row) => row.storage_key));
  }

  /** Inserts files that are about to be written: they are due when the lease has ended. */
  async insertLeased(files: readonly FileToDelete[], leaseMs: number): Promise<LeasedFile[]> {
    return this.queryRows(
      LEASED_FILE,
      `INSERT INTO file_deletions (id, storage, storage_key, user_id, account_id, lease_token, due_at, lease_until)
       SELECT file.*, gen_random_uuid(), lease.ends_at, lease.ends_at
         FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::uuid[]) AS file,
              (SELECT ${millisecondsFromNow('$6')} AS ends_at) AS lease
       RETURNING ${LEASED_COLUMNS}`,
      [...columnsOf(files), leaseMs],
    );
  }

  /** Prolongs the leases of a writer; its files become due when they end. */
  async extend(files: readonly Lease[], leaseMs: number): Promise<void> {
    await this.execute(
      `UPDATE file_deletions AS file SET lease_until = ends_at, due_at = ends_at
         FROM unnest($1::uuid[], $2::uuid[]) AS lease (id, token), (SELECT ${millisecondsFromNow('$3')} AS ends_at) AS ends
        WHERE file.id = lease.id AND file.lease_token = lease.token`,
      [files.map(({ id }) => id), files.map(({ token }) => token), leaseMs],
    );
  }

  /** Ends the leases of files, which the next process to claim them deletes. */
  releaseDue(files: readonly Lease[]): Promise<void> {
    return this.release(files, DUE_NOW);
  }

  /** Ends the leases of files that could not be deleted; the pauses between attempts grow up to a day. */
  postpone(files: readonly Lease[]): Promise<void> {
    return this.release(
      files,
      `attempts = attempts + 1,
       due_at = clock_timestamp() + least(interval '1 minute' * power(2, least(attempts, 11)), interval '1 day')`,
    );
  }

  /** Stores with files that are due. */
  async findStoresWithDue(): Promise<DueStore[]> {
    // From store to store by the index: there may be a million rows of one.
    return this.queryRows(
      { storage: column.text, userId: column.text },
      `WITH RECURSIVE stores AS (
         (SELECT storage FROM file_deletions ORDER BY storage LIMIT 1)
         UNION ALL
         SELECT (SELECT storage FROM file_deletions WHERE storage > stores.storage ORDER BY storage LIMIT 1)
           FROM stores WHERE stores.storage IS NOT NULL)
       SELECT storage, due.user_id AS "userId" FROM stores CROSS JOIN LATERAL (
         SELECT user_id FROM file_deletions file
          WHERE file.storage = stores.storage AND due_at <= clock_timestamp() AND ${UNLEASED} LIMIT 1) due`,
    );
  }

  /** Claims files of a store that are due. */
  async claimDue(storage: string, limit: number, leaseMs: number): Promise<LeasedFile[]> {
    return this.claim(
      {
        shape: LEASED_FILE,
        pick: `SELECT id FROM file_deletions WHERE storage = $1 AND due_at <= clock_timestamp() AND ${UNLEASED}
                ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
        parameters: [storage, limit],
        read: READ,
      },
      leaseMs,
    );
  }

  /**
   * Claims files of an account in the order of their ids, also those that wait after a failure.
   * @param page.except stores that are away
   */
  async claimOf(
    accountId: string,
    page: { after: string; except: readonly string[]; limit: number },
    leaseMs: number,
  ): Promise<LeasedFile[]> {
    return this.claim(
      {
        shape: LEASED_FILE,
        pick: `SELECT id FROM file_deletions
                WHERE account_id = $1 AND id > $2 AND storage <> ALL ($3::text[]) AND ${UNLEASED}
                ORDER BY id LIMIT $4 FOR UPDATE SKIP LOCKED`,
        parameters: [accountId, page.after, page.except, page.limit],
        // By this time, a process that waits for the account's files tells files being deleted from files being written.
        set: DUE_NOW,
        read: `${READ} ORDER BY id`,
      },
      leaseMs,
    );
  }

  /**
   * The keys of the given files that a mail names, in whatever store: two configurations may be one bucket, and
   * earlier versions gave mail that was archived again its old key. No row can begin to name such a key after this query:
   * rows are only inserted, and changed, to name keys that their writer has just drawn.
   */
  async findNamed(files: readonly LeasedFile[]): Promise<Set<string>> {
    const ids = files.map(({ storageKey }) => mailIdOf(storageKey)).filter((id) => id !== null);
    const rows = await this.queryRows(
      { storage_key: column.text },
      // An array whose length the planner cannot see: with old statistics it would read the whole table.
      'SELECT storage_key FROM archived_mails WHERE id = ANY (ARRAY(SELECT unnest($1::uuid[])))',
      [ids],
    );
    return new Set(rows.map((row) => row.storage_key));
  }

  /** Counts the files of an account that are being deleted, and those that wait. Files that are being written are neither. */
  count(accountId: string): Promise<FilesLeft[]> {
    return this.queryRows(
      { storage: column.text, claimed: column.number, waiting: column.number },
      `SELECT storage, count(*) FILTER (WHERE due_at <= clock_timestamp() AND NOT ${UNLEASED})::int AS claimed,
              count(*) FILTER (WHERE ${UNLEASED})::int AS waiting
         FROM file_deletions WHERE account_id = $1 GROUP BY storage`,
      [accountId],
    );
  }

  /** Whether files of a user in a store have not been deleted yet. */
  async hasLeft(userId: string, storage: string): Promise<boolean> {
    const found = await this.queryRows(
      {},
      'SELECT 1 FROM file_deletions WHERE storage = $2 AND user_id = $1 LIMIT 1',
      [userId, storage],
    );
    return found.length > 0;
  }
}

const columnsOf = (files: readonly FileToDelete[]): string[][] => [
  files.map(() => newId()),
  files.map(({ storage }) => storage),
  files.map(({ storageKey }) => storageKey),
  files.map(({ userId }) => userId),
  files.map(({ accountId }) => accountId),
];
