import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { storableJson } from '../database/column-values';
import { AdvisoryLock } from '../database/advisory-locks';
import { BaseRepository, KNOWN_PAGE, ReadStatement } from '../database/base.repository';
import type { Transaction } from '../database/transactions';
import { IDEMPOTENCY_HOURS, IdempotencyKey } from './idempotency';
import { JobEntity, JobStatus } from './job.entity';
import type { JobDefinition } from './job-definition';
import { JobRecord, JobRow, recordColumns, toRecord } from './job-record';
import { OWNER_DEACTIVATED } from './jobs.errors';
import { previewOf } from './job-payload';
import type { JobReference } from './job-record';
import { column, RowShape } from '../database/row-shape';
import { JOB_ROW, READ_JOB_ROW } from './job-record';

export interface NewJob {
  readonly id: string;
  readonly definition: JobDefinition;
  readonly userId: string;
  readonly accountId: string | null;
  readonly total: number;
  readonly payload: object;
  readonly sealedSecrets: string | null;
  readonly idempotency: IdempotencyKey | null;
}

export interface JobFilter {
  readonly status?: JobStatus;
  /** Kind of the jobs. */
  readonly type?: string;
  readonly accountId?: string;
  /** Only jobs older than the one with this number. */
  readonly beforeNumber?: number;
  readonly limit: number;
}

export interface JobWithPayload {
  readonly record: JobRecord;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Whether `payload` is empty because the job ended long ago. */
  readonly payloadRemoved: boolean;
}

/** Only jobs of these accounts; null: all jobs of the user, including those of no account. */
export type JobAccounts = readonly string[] | null;

/** SQL condition that limits jobs to accounts; `parameter` holds their ids. */
const withinAccounts = (parameter: string): string =>
  `(${parameter}::uuid[] IS NULL OR mailbox_account_id = ANY(${parameter}::uuid[]))`;

type PayloadRow = JobRow<string> & {
  payload: Record<string, unknown>;
  is_cleared: boolean;
};

const PAYLOAD_ROW: RowShape<PayloadRow> = {
  ...READ_JOB_ROW,
  payload: column.json<Record<string, unknown>>(),
  is_cleared: column.boolean,
};

const findOwned = (name: string, condition: string): ReadStatement => ({
  name,
  sql: `SELECT ${recordColumns()}, payload, is_cleared FROM jobs
        WHERE user_id = $1 AND ${withinAccounts('$2')} AND ${condition}`,
});

const FIND_BY_ID = findOwned('job-by-id', 'id = $3');
const FIND_BY_NUMBER = findOwned('job-by-number', 'type = $3 AND number = $4');

/** A job as lists have it. */
export interface ListedJob {
  readonly id: string;
  /** `<kind>-<number>` */
  readonly queue_id: string;
  readonly type: string;
  readonly status: JobStatus;
  readonly total: number;
  readonly processed: number;
  readonly failed: number;
  readonly mailbox_account_id: string | null;
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly error: string | null;
  readonly error_code: string | null;
  readonly waits_for: string | null;
  readonly waits_until: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  /** The payload with long arrays cut. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly payload_truncated: boolean;
  readonly payload_removed: boolean;
}

const LISTED_ROW: RowShape<ListedJob> = {
  id: column.text,
  queue_id: column.text,
  type: column.text,
  status: READ_JOB_ROW.status,
  total: column.number,
  processed: column.number,
  failed: column.number,
  mailbox_account_id: column.nullable(column.text),
  result: READ_JOB_ROW.result,
  error: column.nullable(column.text),
  error_code: column.nullable(column.text),
  waits_for: column.nullable(column.text),
  waits_until: column.nullable(column.timestamp),
  created_at: column.timestamp,
  started_at: column.nullable(column.timestamp),
  completed_at: column.nullable(column.timestamp),
  payload: PAYLOAD_ROW.payload,
  payload_truncated: column.boolean,
  payload_removed: column.boolean,
};

const LISTED_COLUMNS = `
  id, type || '-' || number AS queue_id, type, status, total, processed, failed, mailbox_account_id, result, error,
  error_code, CASE WHEN status = 'pending' THEN waits_for END AS waits_for,
  CASE WHEN status = 'pending' THEN waits_until END AS waits_until,
  created_at, started_at, completed_at, coalesce(payload_preview, payload) AS payload,
  payload_preview IS NOT NULL AS payload_truncated, is_cleared AS payload_removed`;

const NEWEST = {
  name: 'newest-jobs',
  sql: `SELECT ${LISTED_COLUMNS}
        FROM (SELECT * FROM jobs WHERE user_id = $1 ORDER BY number DESC LIMIT ${KNOWN_PAGE}) newest
        ORDER BY number DESC LIMIT $2`,
};

const LIST_OWNED = {
  sql: `SELECT ${LISTED_COLUMNS} FROM jobs
        WHERE user_id = $1
          AND ($2::text IS NULL OR status = $2)
          AND ($3::uuid IS NULL OR mailbox_account_id = $3)
          AND ($4::bigint IS NULL OR number < $4)
          AND ${withinAccounts('$6')}
          AND ($7::text IS NULL OR type = $7)
        ORDER BY number DESC LIMIT $5`,
};

/** A pending job is over at once; an active one ends when its handler has stopped. */
const CANCELLATION = `
  cancel_requested_at = clock_timestamp(),
  completed_at = CASE WHEN status = 'pending' THEN clock_timestamp() END,
  sealed_secrets = CASE WHEN status = 'pending' THEN NULL ELSE sealed_secrets END,
  result = CASE WHEN status = 'pending' THEN jsonb_build_object('failures', failures) END,
  status = 'cancelled',
  updated_at = clock_timestamp()`;

/** Whether a job may be started for a user; never for one who is being deleted. */
const OWNER_MAY_START = (survives: string): string =>
  `(is_active OR (${survives} AND deletion_requested_at IS NULL))`;

/**
 * Jobs as their owners see them; the workers' side is `JobLeasesRepository`, and `EndedJobsRepository` deletes old ones.
 */
@Injectable()
export class JobsRepository extends BaseRepository<JobEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, JobEntity);
  }

  /**
   * null when a job with the same idempotency key exists, or the owner is inactive or gone; waits for a concurrent
   * insert or deactivation to commit. The lock on the owner is the one that the foreign key takes anyway.
   */
  async insert(job: NewJob, transaction?: Transaction): Promise<JobRecord | null> {
    const preview = previewOf(job.payload);
    const [row] = await this.queryRows(
      JOB_ROW,
      `INSERT INTO jobs (id, type, lane, user_id, mailbox_account_id, total, payload, payload_preview,
                         sealed_secrets, idempotency_key, request_hash, survives_deactivation)
       SELECT $1::uuid, $2, $3, owner.id, $5::uuid, $6::int, $7::jsonb, $8::jsonb, $9, $10, $11, $12::boolean
       FROM (SELECT id FROM users WHERE id = $4 AND ${OWNER_MAY_START('$12')} FOR KEY SHARE) owner
       ON CONFLICT (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
       RETURNING ${recordColumns()}`,
      [
        job.id,
        job.definition.kind,
        job.definition.queue,
        job.userId,
        job.accountId,
        job.total,
        storableJson(job.payload),
        preview ? storableJson(preview) : null,
        job.sealedSecrets,
        job.idempotency?.key ?? null,
        job.idempotency?.requestHash ?? null,
        job.definition.survivesDeactivation,
      ],
      transaction,
    );
    return row ? toRecord(row) : null;
  }

  /** Makes other starts for the user wait for the end of the transaction, so that they see what it has started. */
  async lockStarts(userId: string, transaction: Transaction): Promise<void> {
    await this.execute(
      'SELECT pg_advisory_xact_lock($1, hashtext($2))',
      [AdvisoryLock.JobStarts, userId],
      transaction,
    );
  }

  /** The user's open jobs, and the bytes of their payloads as they are stored. */
  async openOf(userId: string, transaction: Transaction): Promise<{ jobs: number; payloadBytes: number }> {
    const [row] = await this.queryRows(
      { jobs: column.number, payloadBytes: column.number },
      `SELECT count(*)::int AS jobs, coalesce(sum(pg_column_size(payload)), 0)::float8 AS "payloadBytes"
       FROM jobs WHERE user_id = $1 AND status IN ('pending', 'active')`,
      [userId],
      transaction,
    );
    return row!;
  }

  /**
   * Puts a job that failed or was cancelled back into its queue, as its checkpoint left it. null when it is in another
   * state, cleared, or its owner inactive.
   * @param requestKey of the request, if it has one
   */
  async resume(
    userId: string,
    id: string,
    requestKey: string | null,
    transaction: Transaction,
  ): Promise<JobRecord | null> {
    const checkpointCount = (count: string): string => `coalesce((checkpoint->>'${count}')::int, 0)`;
    const [row] = await this.queryRows(
      JOB_ROW,
      `UPDATE jobs SET
         status = 'pending', total = coalesce((checkpoint->>'total')::int, total),
         processed = ${checkpointCount('processed')}, failed = ${checkpointCount('failed')},
         failures = CASE WHEN checkpoint IS NULL THEN '[]' ELSE failures END,
         result = NULL, error = NULL, error_code = NULL, completed_at = NULL, cancel_requested_at = NULL, due_at = NULL,
         waits_for = NULL, waits_until = NULL,
         lost_attempts = 0, postponements = 0, resumptions = resumptions + 1, resume_key = $3, resumed_at = clock_timestamp(),
         updated_at = clock_timestamp()
       FROM (SELECT id AS owner_id FROM users WHERE id = $1 AND ${OWNER_MAY_START('false')} FOR KEY SHARE) owner
       WHERE jobs.user_id = owner.owner_id AND jobs.id = $2 AND status IN ('failed', 'cancelled')
         AND completed_at IS NOT NULL AND NOT is_cleared
       RETURNING ${recordColumns()}`,
      [userId, id, requestKey],
      transaction,
    );
    return row ? toRecord(row) : null;
  }

  async payloadOf(userId: string, id: string, transaction: Transaction): Promise<Record<string, unknown>> {
    const [row] = await this.queryRows(
      { payload: column.json<Record<string, unknown>>() },
      'SELECT payload FROM jobs WHERE user_id = $1 AND id = $2',
      [userId, id],
      transaction,
    );
    return row?.payload ?? {};
  }

  /** Whether the request with this key has taken the job up again, as the last that did and while the key counts. */
  async isResumedBy(userId: string, id: string, key: string, transaction: Transaction): Promise<boolean> {
    const found = await this.queryRows(
      {},
      `SELECT 1 FROM jobs WHERE user_id = $1 AND id = $2 AND resume_key = $3
         AND resumed_at > clock_timestamp() - make_interval(hours => $4::int)`,
      [userId, id, key, IDEMPOTENCY_HOURS],
      transaction,
    );
    return found.length > 0;
  }

  /** Whether a job of this kind may be started for the user. */
  async mayStart(userId: string, definition: JobDefinition, transaction?: Transaction): Promise<boolean> {
    const found = await this.queryRows(
      {},
      `SELECT 1 FROM users WHERE id = $1 AND ${OWNER_MAY_START('$2')}`,
      [userId, definition.survivesDeactivation],
      transaction,
    );
    return found.length > 0;
  }

  async findByKey(
    userId: string,
    key: string,
    transaction?: Transaction,
  ): Promise<{ record: JobRecord; requestHash: string | null } | null> {
    const [row] = await this.queryRows(
      { ...JOB_ROW, request_hash: column.nullable(column.text) },
      `SELECT ${recordColumns()}, request_hash FROM jobs WHERE user_id = $1 AND idempotency_key = $2`,
      [userId, key],
      transaction,
    );
    return row ? { record: toRecord(row), requestHash: row.request_hash } : null;
  }

  /** Frees a key whose time is over, for use by a new job. */
  async expireKey(userId: string, key: string, transaction?: Transaction): Promise<void> {
    await this.executeAndCount(
      `UPDATE jobs SET idempotency_key = NULL
       WHERE user_id = $1 AND idempotency_key = $2
         AND created_at < clock_timestamp() - make_interval(hours => $3::int)`,
      [userId, key, IDEMPOTENCY_HOURS],
      transaction,
    );
  }

  async findOwned(
    userId: string,
    reference: JobReference,
    within: JobAccounts = null,
  ): Promise<JobWithPayload | null> {
    const [row] =
      'id' in reference
        ? await this.readRows(PAYLOAD_ROW, FIND_BY_ID, [userId, within, reference.id])
        : await this.readRows(PAYLOAD_ROW, FIND_BY_NUMBER, [
            userId,
            within,
            reference.kind,
            reference.number,
          ]);
    return row ? withPayload(row) : null;
  }

  async findRecordOwned(
    userId: string,
    reference: JobReference,
    within: JobAccounts = null,
    transaction?: Transaction,
  ): Promise<JobRecord | null> {
    const [condition, parameters] = this.conditionOf(reference);
    const [row] = await this.queryRows(
      JOB_ROW,
      `SELECT ${recordColumns()} FROM jobs WHERE user_id = $1 AND ${withinAccounts('$2')} AND ${condition}`,
      [userId, within, ...parameters],
      transaction,
    );
    return row ? toRecord(row) : null;
  }

  /** The account's last job of a kind. */
  async findLast(accountId: string, kind: string, transaction?: Transaction): Promise<JobRecord | null> {
    const [row] = await this.queryRows(
      JOB_ROW,
      `SELECT ${recordColumns()} FROM jobs
       WHERE mailbox_account_id = $1 AND type = $2 ORDER BY number DESC LIMIT 1`,
      [accountId, kind],
      transaction,
    );
    return row ? toRecord(row) : null;
  }

  /** Newest first, long arrays of payloads cut. */
  listOwned(userId: string, filter: JobFilter, within: JobAccounts = null): Promise<ListedJob[]> {
    const { status = null, type = null, accountId = null, beforeNumber = null, limit } = filter;
    const isWhole = [status, type, accountId, beforeNumber, within].every((condition) => condition === null);
    return isWhole && limit <= KNOWN_PAGE
      ? this.readRows(LISTED_ROW, NEWEST, [userId, limit])
      : this.readRows(LISTED_ROW, LIST_OWNED, [userId, status, accountId, beforeNumber, limit, within, type]);
  }

  /** The user's unfinished jobs and those among `ids` whatever their state, newest first. */
  async openOrNamed(
    userId: string,
    ids: readonly string[],
    limit: number,
    within: JobAccounts = null,
  ): Promise<JobRecord[]> {
    const rows = await this.queryRows(
      JOB_ROW,
      // The condition is that of the partial index jobs_open_idx.
      `SELECT ${recordColumns()} FROM jobs
       WHERE user_id = $1
         AND ((status IN ('pending', 'active') OR lease_until IS NOT NULL) OR id = ANY($2::uuid[]))
         AND ${withinAccounts('$4')}
       ORDER BY number DESC LIMIT $3`,
      [userId, ids, limit, within],
    );
    return rows.map(toRecord);
  }

  /**
   * Cancels a job that has not finished. A pending one is over at once; an active one is marked, and its worker
   * completes the record when the handler has stopped. null when there was nothing to cancel.
   */
  async cancelOwned(userId: string, id: string, transaction: Transaction): Promise<JobRecord | null> {
    const [row] = await this.queryRows(
      JOB_ROW,
      `UPDATE jobs SET ${CANCELLATION}
       WHERE user_id = $1 AND id = $2 AND status IN ('pending', 'active')
       RETURNING ${recordColumns()}`,
      [userId, id],
      transaction,
    );
    return row ? toRecord(row) : null;
  }

  /**
   * Cancels the user's jobs that do not survive a deactivation, and records the reason on each. `transaction` holds the
   * user's row for update, so that no further job can be started meanwhile.
   * @param survivors whether to cancel jobs that survive a deactivation as well
   */
  async cancelAllOf(userId: string, survivors: boolean, transaction: Transaction): Promise<JobRecord[]> {
    // Rows are locked in the order of heartbeats, which write to many rows as well: no deadlock.
    const open = await this.queryRows(
      { id: column.text },
      `SELECT id FROM jobs
       WHERE user_id = $1 AND (status IN ('pending', 'active') OR lease_until IS NOT NULL)
         AND status <> 'cancelled' AND ($2 OR NOT survives_deactivation)
       ORDER BY id FOR NO KEY UPDATE`,
      [userId, survivors],
      transaction,
    );
    const rows = await this.queryRows(
      JOB_ROW,
      `UPDATE jobs SET ${CANCELLATION}, error = $2, error_code = $3
       WHERE id = ANY($1::uuid[]) AND status IN ('pending', 'active')
       RETURNING ${recordColumns()}`,
      [open.map(({ id }) => id), OWNER_DEACTIVATED.detail, OWNER_DEACTIVATED.code],
      transaction,
    );
    return rows.map(toRecord);
  }

  /** Jobs waiting for a slot per queue, and for how many seconds the oldest could have begun. */
  async countQueueDepths(): Promise<{ queue: string; depth: number; ageSeconds: number }[]> {
    return this.queryRows(
      { queue: column.text, depth: column.number, ageSeconds: column.number },
      `SELECT lane AS queue, count(*)::int AS depth,
              extract(epoch FROM clock_timestamp() - min(coalesce(due_at, created_at)))::float8 AS "ageSeconds"
       FROM jobs WHERE status = 'pending' AND (due_at IS NULL OR due_at <= clock_timestamp()) GROUP BY lane`,
    );
  }

  /** A condition with parameters from `$3` on. */
  private conditionOf(reference: JobReference): [string, readonly unknown[]] {
    return 'id' in reference
      ? ['id = $3', [reference.id]]
      : ['number = $3 AND type = $4', [reference.number, reference.kind]];
  }
}

const withPayload = (row: PayloadRow): JobWithPayload => ({
  record: toRecord(row),
  payload: row.payload,
  payloadRemoved: row.is_cleared,
});
