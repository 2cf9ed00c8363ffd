import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ARCHIVE_PROVIDER } from '../../../mailbox/accounts/mailbox-account.entity';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column, type RowShape } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import type { ArchiveOwner } from '../../mails/writing/mail-to-archive';
import { ImportPlaceEntity, type PlaceOutcome } from './import-place.entity';
import type { Placed } from './placed-source';

/** An account as an operator names it. */
export interface ImportTarget extends ArchiveOwner {
  readonly email: string;
}

export interface NewPlace extends ArchiveOwner, Placed {
  readonly id: string;
  readonly isWatched: boolean;
}

/** A file or folder in the watched folder whose job has ended. */
export interface EndedPlace extends Placed {
  readonly id: string;
  readonly settledAs: PlaceOutcome | null;
  /** `<kind>-<number>` */
  readonly jobId: string;
  readonly status: string;
  readonly error: string | null;
  readonly errorCode: string | null;
  readonly result: Readonly<Record<string, unknown>> | null;
}

const TARGET_ROW: RowShape<ImportTarget> = {
  accountId: column.text,
  userId: column.text,
  email: column.text,
};

const ENDED_ROW: RowShape<EndedPlace> = {
  id: column.text,
  path: column.text,
  fingerprint: column.text,
  settledAs: column.nullable(column.oneOf(['done', 'failed', 'left'])),
  jobId: column.text,
  status: column.text,
  error: column.nullable(column.text),
  errorCode: column.nullable(column.text),
  result: column.nullable(column.json<Readonly<Record<string, unknown>>>()),
};

/** Files and folders that are imported where they lie, and the accounts that operators name for them. */
@Injectable()
export class ImportPlacesRepository extends BaseRepository<ImportPlaceEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ImportPlaceEntity);
  }

  /**
   * Finds the accounts of active users that a name means: an account's id, or the address of a mailbox in any case. The
   * names of archives without a mailbox do not count: users choose them, and would get what is meant for others.
   */
  findTargets(names: readonly string[]): Promise<(ImportTarget & { name: string })[]> {
    return this.queryRows(
      { ...TARGET_ROW, name: column.text },
      `SELECT account.id AS "accountId", account.user_id AS "userId", account.email, wanted.name
       FROM unnest($1::text[]) AS wanted(name)
       JOIN mailbox_accounts account
         ON account.id::text = lower(wanted.name)
         OR account.provider <> $2 AND lower(account.email) = lower(wanted.name)
       JOIN users ON users.id = account.user_id
       WHERE account.status <> 'purging' AND users.is_active
       ORDER BY wanted.name, account.id`,
      [names, ARCHIVE_PROVIDER],
    );
  }

  /** Inserts a place for a job. @returns false when the watched account has another import under way */
  async insert(
    { id, userId, accountId, path, fingerprint, isWatched }: NewPlace,
    jobNumber: number,
    transaction: Transaction,
  ): Promise<boolean> {
    const rows = await this.queryRows(
      {},
      `INSERT INTO import_places (id, user_id, account_id, job_id, path, fingerprint, is_watched)
       SELECT $1::uuid, $2::uuid, $3::uuid, jobs.id, $4, $5, $6::boolean FROM jobs
       WHERE jobs.user_id = $2::uuid AND jobs.number = $7::bigint AND jobs.payload->>'uploadId' = $1::uuid::text
       ON CONFLICT DO NOTHING RETURNING id`,
      [id, userId, accountId, path, fingerprint, isWatched, jobNumber],
      transaction,
    );
    return rows.length > 0;
  }

  async findOwned({ userId, accountId }: ArchiveOwner, id: string): Promise<Placed | null> {
    const [row] = await this.queryRows(
      { path: column.text, fingerprint: column.text },
      'SELECT path, fingerprint FROM import_places WHERE id = $1 AND user_id = $2 AND account_id = $3',
      [id, userId, accountId],
    );
    return row ?? null;
  }

  /** The unfinished job that imports a path into an account. @returns `<kind>-<number>` */
  async findOpenJob({ userId, accountId }: ArchiveOwner, path: string): Promise<string | null> {
    const [row] = await this.queryRows(
      { jobId: column.text },
      `SELECT jobs.type || '-' || jobs.number AS "jobId" FROM import_places place
       JOIN jobs ON jobs.id = place.job_id
       WHERE place.user_id = $1 AND place.account_id = $2 AND place.path = $3 AND jobs.completed_at IS NULL
       ORDER BY jobs.number LIMIT 1`,
      [userId, accountId, path],
    );
    return row?.jobId ?? null;
  }

  /** Whether a place is there, and still has the file that its job began with. */
  async isKept(id: string, transaction: Transaction): Promise<boolean> {
    const rows = await this.queryRows(
      {},
      `SELECT 1 FROM import_places WHERE id = $1 AND settled_as IS DISTINCT FROM 'left'`,
      [id],
      transaction,
    );
    return rows.length > 0;
  }

  /** Records that the file of a place is another one now. */
  async leave({ userId, accountId }: ArchiveOwner, id: string): Promise<void> {
    await this.executeAndCount(
      `UPDATE import_places SET settled_as = 'left' WHERE id = $1 AND user_id = $2 AND account_id = $3`,
      [id, userId, accountId],
    );
  }

  /** Lists accounts that have a watched file under way. */
  async listBusy(): Promise<Set<string>> {
    const rows = await this.queryRows(
      { accountId: column.text },
      'SELECT account_id AS "accountId" FROM import_places WHERE is_watched AND settled_as IS NULL',
    );
    return new Set(rows.map(({ accountId }) => accountId));
  }

  /** Lists watched files whose job has ended, also those that failed and were taken up again with success. */
  listEnded(most: number): Promise<EndedPlace[]> {
    return this.queryRows(
      ENDED_ROW,
      `SELECT place.id, place.path, place.fingerprint, place.settled_as AS "settledAs",
              jobs.type || '-' || jobs.number AS "jobId", jobs.status, jobs.error, jobs.error_code AS "errorCode",
              jobs.result
       FROM import_places place JOIN jobs ON jobs.id = place.job_id
       WHERE place.is_watched AND jobs.completed_at IS NOT NULL
         AND (place.settled_as IS NULL OR place.settled_as = 'failed' AND jobs.status = 'completed')
       ORDER BY jobs.completed_at LIMIT $1`,
      [most],
    );
  }

  /** Records what became of a watched file. @param path where it lies now */
  async settle(id: string, outcome: PlaceOutcome, path: string): Promise<void> {
    await this.executeAndCount('UPDATE import_places SET settled_as = $2, path = $3 WHERE id = $1', [
      id,
      outcome,
      path,
    ]);
  }
}
