import { isUUID } from 'class-validator';
import { JobQueue } from './job-queue';
import type { JobFailure, JobStatus } from './job.entity';
import { type Column, column, RowShape } from '../database/row-shape';

/**
 * A job as readers see it: without payload, secrets and checkpoint. Timestamps are ISO 8601 strings, so that a
 * record is the same thing in a process, in a Redis message and in an event stream.
 */
export interface JobRecord {
  readonly id: string;
  /** `<kind>-<number>` */
  readonly jobId: string;
  readonly number: number;
  readonly type: string;
  /** The queue, named as in the column and in messages between processes. */
  readonly lane: JobQueue;
  readonly userId: string;
  readonly accountId: string | null;
  readonly status: JobStatus;
  readonly total: number;
  readonly processed: number;
  readonly failed: number;
  readonly result: Readonly<Record<string, unknown>> | null;
  readonly error: string | null;
  readonly errorCode: string | null;
  /** A pending job waits until then; null: for a free slot only. */
  readonly dueAt: string | null;
  /** Reason for which a pending job was postponed, and the time until which it was asked for. */
  readonly waitsFor: string | null;
  readonly waitsUntil: string | null;
  /** Number of times that the job was taken up again after its end. */
  readonly resumptions: number;
  /** Whether a live process holds the job at the time of reading. */
  readonly leased: boolean;
  readonly createdAt: string;
  readonly startedAt: string | null;
  /** Time from which nothing can change any more: a cancelled job first finishes its batch. */
  readonly completedAt: string | null;
  /** From the row; orders the records of a job. */
  readonly updatedAt: string;
}

/** A job as a worker claims it. */
export interface ClaimedJob {
  readonly record: JobRecord;
  readonly leaseToken: string;
  readonly payload: Record<string, unknown>;
  readonly sealedSecrets: string | null;
  readonly checkpoint: SavedCheckpoint | null;
  readonly failures: readonly JobFailure[];
  /** 1 for the first. */
  readonly attempt: number;
}

/** The handler's state with the counts that belong to it, so that a re-run counts nothing twice. */
export interface SavedCheckpoint {
  readonly state: Record<string, unknown>;
  readonly total: number;
  readonly processed: number;
  readonly failed: number;
}

/** `<kind>-<number>` */
export const jobIdOf = (kind: string, number: number): string => `${kind}-${number}`;

/**
 * Columns of a record; `table` is the table's name or alias in the statement. `withoutResult` leaves the result, which may
 * be large, unread: null.
 */
export const recordColumns = (table = 'jobs', { withoutResult = false } = {}): string =>
  [
    'id, number, type, lane, user_id, mailbox_account_id, status, total, processed, failed, result, error, error_code',
    'due_at, waits_for, waits_until, resumptions, created_at, started_at, completed_at, updated_at',
  ]
    .flatMap((line) => line.split(', '))
    .map((column) => (column === 'result' && withoutResult ? 'NULL::jsonb AS result' : `${table}.${column}`))
    .concat(`coalesce(${table}.lease_until > clock_timestamp(), false) AS leased`)
    .join(', ');

/** A row of `recordColumns()` as the driver returns it; `readRows` has times as text. */
export interface JobRow<Time extends Date | string = Date> {
  readonly id: string;
  readonly number: string;
  readonly type: string;
  readonly lane: string;
  readonly user_id: string;
  readonly mailbox_account_id: string | null;
  readonly status: JobStatus;
  readonly total: number;
  readonly processed: number;
  readonly failed: number;
  readonly result: Record<string, unknown> | null;
  readonly error: string | null;
  readonly error_code: string | null;
  readonly due_at: Time | null;
  readonly waits_for: string | null;
  readonly waits_until: Time | null;
  readonly resumptions: number;
  readonly created_at: Time;
  readonly started_at: Time | null;
  readonly completed_at: Time | null;
  readonly updated_at: Time;
  readonly leased: boolean;
}

const jobRow = <Time extends Date | string>(time: Column<Time>): RowShape<JobRow<Time>> => ({
  id: column.text,
  number: column.text,
  type: column.text,
  lane: column.text,
  user_id: column.text,
  mailbox_account_id: column.nullable(column.text),
  status: column.oneOf(['pending', 'failed', 'cancelled', 'active', 'completed']),
  total: column.number,
  processed: column.number,
  failed: column.number,
  result: column.nullable(column.json<Record<string, unknown>>()),
  error: column.nullable(column.text),
  error_code: column.nullable(column.text),
  due_at: column.nullable(time),
  waits_for: column.nullable(column.text),
  waits_until: column.nullable(time),
  resumptions: column.number,
  created_at: time,
  started_at: column.nullable(time),
  completed_at: column.nullable(time),
  updated_at: time,
  leased: column.boolean,
});

export const JOB_ROW = jobRow(column.date);
export const READ_JOB_ROW = jobRow(column.timestamp);

const isoOf = (time: Date | string): string => (typeof time === 'string' ? time : time.toISOString());

export function toRecord(row: JobRow<Date | string>): JobRecord {
  const number = Number(row.number);
  return {
    id: row.id,
    jobId: jobIdOf(row.type, number),
    number,
    type: row.type,
    // It may be a queue of another version of the service: its jobs are listed all the same.
    lane: row.lane as JobQueue,
    userId: row.user_id,
    accountId: row.mailbox_account_id,
    status: row.status,
    total: row.total,
    processed: row.processed,
    failed: row.failed,
    result: row.result,
    error: row.error,
    errorCode: row.error_code,
    dueAt: row.due_at && isoOf(row.due_at),
    waitsFor: row.status === 'pending' ? row.waits_for : null,
    waitsUntil: row.status === 'pending' ? row.waits_until && isoOf(row.waits_until) : null,
    resumptions: row.resumptions,
    leased: row.leased,
    createdAt: isoOf(row.created_at),
    startedAt: row.started_at && isoOf(row.started_at),
    completedAt: row.completed_at && isoOf(row.completed_at),
    updatedAt: isoOf(row.updated_at),
  };
}

/** The name of a job in a path or query: its record's id, or `<kind>-<number>`. */
export type JobReference = { readonly id: string } | { readonly kind: string; readonly number: number };

const JOB_ID = /^([a-z][a-z0-9_]{0,63})-(\d{1,15})$/;

/** null when the text cannot name a job. */
export function parseJobReference(text: string): JobReference | null {
  if (isUUID(text)) return { id: text };
  const match = JOB_ID.exec(text);
  return match ? { kind: match[1]!, number: Number(match[2]) } : null;
}
