import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { storableJson } from '../database/column-values';
import { BaseRepository } from '../database/base.repository';
import { AdvisoryLock } from '../database/advisory-locks';
import { Lease, LeasedRows, millisecondsFromNow, NO_LEASE, Renewal } from '../database/leased-rows';
import { column, RowShape } from '../database/row-shape';
import type { Transaction } from '../database/transactions';
import { JobEntity, JobFailure, JobStatus } from './job.entity';
import type { JobCounts } from './job-progress';
import type { JobQueue } from './job-queue';
import {
  ClaimedJob,
  JOB_ROW,
  JobRecord,
  JobRow,
  recordColumns,
  SavedCheckpoint,
  toRecord,
} from './job-record';
import { ATTEMPTS_LOST, JobInterrupted } from './jobs.errors';

/** Attempts that may be lost with their process, with nothing done in between, before the job fails. */
export const MAX_LOST_ATTEMPTS = 3;

/** Postponements of a job with nothing done in between, before it fails: with the longest waits they last for a day. */
export const MAX_POSTPONEMENTS = 100;

/** The state that a running job reads when it writes to its row. */
export interface RowState {
  readonly status: JobStatus;
  readonly updatedAt: string;
}

export interface JobOutcome {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly counts: JobCounts;
  readonly result: Record<string, unknown>;
  readonly error: string | null;
  readonly errorCode: string | null;
}

type ClaimedRow = JobRow & {
  lease_token: string;
  payload: Record<string, unknown>;
  sealed_secrets: string | null;
  checkpoint: SavedCheckpoint | null;
  failures: JobFailure[];
  attempts: number;
};

const CLAIMED_ROW: RowShape<ClaimedRow> = {
  ...JOB_ROW,
  lease_token: column.text,
  payload: column.json<Record<string, unknown>>(),
  sealed_secrets: column.nullable(column.text),
  checkpoint: column.nullable(column.json<SavedCheckpoint>()),
  failures: column.json<JobFailure[]>(),
  attempts: column.number,
};

/** The state that a heartbeat reads of a job. */
export interface JobState {
  readonly status: JobStatus;
}

const JOB_STATE: RowShape<JobState> = {
  status: column.oneOf(['pending', 'failed', 'cancelled', 'active', 'completed']),
};

interface RowStateRow extends JobState {
  readonly updated_at: Date;
}

const ROW_STATE_ROW: RowShape<RowStateRow> = { ...JOB_STATE, updated_at: column.date };

/** SQL condition of a job whose process is gone. */
const LOST = `(lease_until < clock_timestamp() OR (status = 'active' AND lease_token IS NULL))`;
/** SQL condition of a job that has lost `$1` attempts, the current one included. */
const EXHAUSTED = `(status <> 'cancelled' AND lost_attempts + 1 >= $1)`;
/** SQL condition of a job that completes when its worker ends it with the status `$3`. */
const COMPLETES = `(status <> 'cancelled' AND $3 = 'completed')`;
/** SQL condition of a pending job that may begin now. */
const isDue = (job: string): string =>
  `(${job}.status = 'pending' AND (${job}.due_at IS NULL OR ${job}.due_at <= clock_timestamp()))`;
/** SQL condition: more items are done than at the last checkpoint. Its state may change without, such as by a new time. */
const itemsWereDone = (processed: string, failed: string): string =>
  `(${processed}::int + ${failed}::int >
    coalesce((checkpoint->>'processed')::int + (checkpoint->>'failed')::int, 0))`;
/** Skips rows that another transaction writes; the next round takes them: no waiting, no deadlock with heartbeats. */
const FREE = 'FOR UPDATE SKIP LOCKED';

/** Jobs as leased rows: the workers' side of the table. */
@Injectable()
export class JobLeasesRepository extends BaseRepository<JobEntity> {
  private readonly leases: LeasedRows<JobEntity>;

  constructor(dataSource: DataSource) {
    super(dataSource, JobEntity);
    this.leases = new LeasedRows(dataSource, JobEntity);
  }

  /**
   * Takes the next runnable job of a queue: users with fewer running jobs first, then the oldest. An account whose job
   * of the queue is still held by a live process, whatever its status, has to wait.
   * @param passedOver users of whom this process may run no further job of the queue
   */
  async claimNext(
    queue: JobQueue,
    passedOver: readonly string[],
    leaseMs: number,
  ): Promise<ClaimedJob | null> {
    const [row] = await this.leases.claim(
      {
        turn: { lock: AdvisoryLock.JobClaims, name: queue },
        pick: `
          WITH running AS (
            SELECT user_id, mailbox_account_id FROM jobs WHERE lane = $1 AND lease_until > clock_timestamp()
          ), load AS (
            SELECT user_id, count(*) AS jobs FROM running GROUP BY user_id
          )
          SELECT job.id FROM jobs job LEFT JOIN load ON load.user_id = job.user_id
          WHERE job.lane = $1 AND ${isDue('job')} AND job.user_id <> ALL($2::uuid[])
            AND NOT EXISTS (SELECT FROM running WHERE running.mailbox_account_id = job.mailbox_account_id)
          ORDER BY coalesce(load.jobs, 0), job.number
          LIMIT 1
          FOR UPDATE OF job SKIP LOCKED`,
        set: `status = 'active', attempts = attempts + 1, due_at = NULL,
              started_at = coalesce(started_at, clock_timestamp()), updated_at = clock_timestamp()`,
        parameters: [queue, passedOver],
        read: `SELECT ${recordColumns('claimed')}, lease_token, payload, sealed_secrets, checkpoint, failures, attempts
               FROM claimed`,
        shape: CLAIMED_ROW,
      },
      leaseMs,
    );
    return row ? toClaimedJob(row) : null;
  }

  /** Queues with a job that could run now; of other versions of the service as well. */
  async findRunnableQueues(): Promise<string[]> {
    const rows = await this.queryRows(
      { lane: column.text },
      `WITH running AS (
         SELECT lane, mailbox_account_id FROM jobs WHERE lease_until > clock_timestamp()
       )
       SELECT DISTINCT lane FROM jobs job
       WHERE ${isDue('job')} AND NOT EXISTS (
         SELECT FROM running
         WHERE running.lane = job.lane AND running.mailbox_account_id = job.mailbox_account_id)`,
    );
    return rows.map((row) => row.lane);
  }

  /** Renews leases, and reads what has become of their jobs. A lease missing from the answer is lost. */
  renew(leases: readonly Lease[], leaseMs: number): Promise<(Renewal & JobState)[]> {
    return this.leases.renew(leases, leaseMs, JOB_STATE);
  }

  /**
   * Stores state, counts and new failures together. Lost attempts and postponements are counted anew once items were done.
   * null when the lease is lost.
   */
  async saveCheckpoint(
    lease: Lease,
    checkpoint: SavedCheckpoint,
    newFailures: readonly JobFailure[],
    leaseMs: number,
  ): Promise<RowState | null> {
    return this.writeHeld(
      lease,
      `checkpoint = $3, total = $4, processed = $5, failed = $6, failures = failures || $7::jsonb,
       lost_attempts = CASE WHEN ${itemsWereDone('$5', '$6')} THEN 0 ELSE lost_attempts END,
       postponements = CASE WHEN ${itemsWereDone('$5', '$6')} THEN 0 ELSE postponements END,
       lease_until = ${millisecondsFromNow('$8')}`,
      [
        storableJson(checkpoint),
        checkpoint.total,
        checkpoint.processed,
        checkpoint.failed,
        storableJson(newFailures),
        leaseMs,
      ],
    );
  }

  /** Counts for readers, between checkpoints; a re-run starts from the checkpoint's. null when the lease is lost. */
  async saveProgress(lease: Lease, counts: JobCounts): Promise<RowState | null> {
    return this.writeHeld(lease, 'total = $3, processed = $4, failed = $5', [
      counts.total,
      counts.processed,
      counts.failed,
    ]);
  }

  /**
   * Makes sure, in a transaction that writes what a job has done, that the caller still holds the job. A cancellation need
   * not wait for such a transaction.
   * @throws JobInterrupted when the lease is lost
   */
  async requireHeld({ id, token }: Lease, transaction: Transaction): Promise<void> {
    const held = await this.queryRows(
      {},
      'SELECT 1 FROM jobs WHERE id = $1 AND lease_token = $2 FOR KEY SHARE',
      [id, token],
      transaction,
    );
    if (held.length === 0) throw new JobInterrupted('lease-lost');
  }

  /** Owner before job, the order in which the deletion of a user locks them: no deadlock. */
  async lockOwner(userId: string, transaction: Transaction): Promise<void> {
    await this.execute('SELECT 1 FROM users WHERE id = $1 FOR KEY SHARE', [userId], transaction);
  }

  /**
   * Ends the job; a cancellation that came first stands, with its reason. One that failed or was cancelled keeps its
   * checkpoint, from which it can be taken up again. null when the lease is lost.
   */
  async finish(lease: Lease, outcome: JobOutcome, transaction: Transaction): Promise<JobRecord | null> {
    const row = await this.leases.write(
      lease,
      {
        set: `
          status = CASE WHEN status = 'cancelled' THEN status ELSE $3 END,
          error = CASE WHEN status = 'cancelled' THEN error ELSE $4 END,
          error_code = CASE WHEN status = 'cancelled' THEN error_code ELSE $5 END,
          total = $6, processed = $7, failed = $8, result = $9,
          failures = CASE WHEN ${COMPLETES} THEN '[]' ELSE failures END,
          checkpoint = CASE WHEN ${COMPLETES} THEN NULL ELSE checkpoint END,
          sealed_secrets = NULL, ${NO_LEASE},
          completed_at = clock_timestamp(), updated_at = clock_timestamp()`,
        parameters: [
          outcome.status,
          outcome.error,
          outcome.errorCode,
          outcome.counts.total,
          outcome.counts.processed,
          outcome.counts.failed,
          storableJson(outcome.result),
        ],
        returning: recordColumns(),
        shape: JOB_ROW,
      },
      transaction,
    );
    return row ? toRecord(row) : null;
  }

  /** Hands an unfinished job to the next process; no attempt is counted as lost. null when the lease is lost. */
  async release(lease: Lease): Promise<JobRecord | null> {
    const row = await this.leases.write(lease, {
      set: `status = 'pending', ${NO_LEASE}, updated_at = clock_timestamp()`,
      where: `status = 'active'`,
      returning: recordColumns(),
      shape: JOB_ROW,
    });
    return row ? toRecord(row) : null;
  }

  /**
   * Puts an active job back into its queue, where it waits for so many milliseconds; no attempt is counted as lost.
   * @param reason stable code of the reason, and the time until which it holds
   * @returns null when the lease is lost, the job was cancelled, or it was postponed too often
   */
  async postpone(
    lease: Lease,
    waitMs: number,
    reason: { readonly code: string | null; readonly until: Date },
  ): Promise<JobRecord | null> {
    const row = await this.leases.write(lease, {
      set: `status = 'pending', due_at = ${millisecondsFromNow('$3')}, postponements = postponements + 1, ${NO_LEASE},
            waits_for = $5, waits_until = $6, updated_at = clock_timestamp()`,
      where: `status = 'active' AND postponements < $4`,
      parameters: [waitMs, MAX_POSTPONEMENTS, reason.code, reason.until],
      returning: recordColumns(),
      shape: JOB_ROW,
    });
    return row ? toRecord(row) : null;
  }

  /** Jobs whose process is gone: back to pending. Cancelled and exhausted ones are left to those who end them. */
  async recoverLost(): Promise<JobRecord[]> {
    const rows = await this.queryRows(
      JOB_ROW,
      `UPDATE jobs SET
         status = 'pending', lost_attempts = lost_attempts + 1,
         ${NO_LEASE}, updated_at = clock_timestamp()
       WHERE id IN (
         SELECT id FROM jobs WHERE ${LOST} AND status <> 'cancelled' AND NOT ${EXHAUSTED} ${FREE})
       RETURNING ${recordColumns()}`,
      [MAX_LOST_ATTEMPTS],
    );
    return rows.map(toRecord);
  }

  /** Ends jobs that were cancelled, and whose process is gone. */
  async endLostCancelled(transaction: Transaction): Promise<JobRecord[]> {
    const rows = await this.queryRows(
      JOB_ROW,
      `UPDATE jobs SET
         lost_attempts = lost_attempts + 1,
         ${NO_LEASE}, sealed_secrets = NULL,
         result = jsonb_build_object('failures', failures),
         completed_at = clock_timestamp(), updated_at = clock_timestamp()
       WHERE id IN (SELECT id FROM jobs WHERE ${LOST} AND status = 'cancelled' ${FREE})
       RETURNING ${recordColumns()}`,
      [],
      transaction,
    );
    return rows.map(toRecord);
  }

  /** Lost jobs that have no attempt left. */
  async findExhausted(): Promise<{ id: string; userId: string }[]> {
    return this.queryRows(
      { id: column.text, userId: column.text },
      `SELECT id, user_id AS "userId" FROM jobs WHERE ${LOST} AND ${EXHAUSTED}`,
      [MAX_LOST_ATTEMPTS],
    );
  }

  /** Ends a job that has no attempt left. null when another process has just done so, or is writing to it. */
  async failExhausted(id: string, transaction: Transaction): Promise<JobRecord | null> {
    const [row] = await this.queryRows(
      JOB_ROW,
      `UPDATE jobs SET
         status = 'failed', lost_attempts = lost_attempts + 1, error = $3, error_code = $4,
         ${NO_LEASE}, sealed_secrets = NULL,
         result = jsonb_build_object('failures', failures),
         completed_at = clock_timestamp(), updated_at = clock_timestamp()
       WHERE id IN (
         SELECT id FROM jobs WHERE id = $2 AND ${LOST} AND ${EXHAUSTED} ${FREE})
       RETURNING ${recordColumns()}`,
      [MAX_LOST_ATTEMPTS, id, ATTEMPTS_LOST.detail, ATTEMPTS_LOST.code],
      transaction,
    );
    return row ? toRecord(row) : null;
  }

  private async writeHeld(
    lease: Lease,
    assignments: string,
    parameters: readonly unknown[],
  ): Promise<RowState | null> {
    const row = await this.leases.write(lease, {
      set: `${assignments}, updated_at = clock_timestamp()`,
      parameters,
      returning: 'status, updated_at',
      shape: ROW_STATE_ROW,
    });
    return row ? { status: row.status, updatedAt: row.updated_at.toISOString() } : null;
  }
}

function toClaimedJob(row: ClaimedRow): ClaimedJob {
  return {
    record: toRecord(row),
    leaseToken: row.lease_token,
    payload: row.payload,
    sealedSecrets: row.sealed_secrets,
    checkpoint: row.checkpoint,
    failures: row.failures,
    attempt: row.attempts,
  };
}
