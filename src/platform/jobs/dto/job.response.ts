import { ApiProperty } from '@nestjs/swagger';
import { progressOf } from '../job-progress';
import type { JobRecord } from '../job-record';
import type { JobWithPayload, ListedJob } from '../jobs.repository';

/** `status` of a job on the wire. */
export const JOB_STATUSES = ['pending', 'active', 'completed', 'failed', 'cancelled'] as const;

/** `queueState`: the live state. */
export const QUEUE_STATES = ['waiting', 'delayed', 'active', 'completed', 'failed', 'cancelled'] as const;

export type QueueState = (typeof QUEUE_STATES)[number];

/** A background job as event streams show it: without its payload. */
export class JobEventResponse {
  /** @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** The jobId that started it: `<kind>-<number>`.
   * @example bulk_operation-42 */
  queue_id: string;

  /** Kind of the job.
   * @example bulk_operation */
  type: string;

  @ApiProperty({ enum: JOB_STATUSES, enumName: 'JobStatus', example: 'active' })
  status: (typeof JOB_STATUSES)[number];

  /** 0–100: items dealt with, done or failed, of the total. */
  @ApiProperty({ minimum: 0, maximum: 100, example: 40 })
  progress: number;

  /** Items to process; 0 while unknown. */
  @ApiProperty({ type: 'integer', example: 10000 })
  total: number;

  /** Items that were done. */
  @ApiProperty({ type: 'integer', example: 4000 })
  processed: number;

  /** Items that failed; `result.failures` names them, each with the reason and its stable code. */
  @ApiProperty({ type: 'integer', example: 0 })
  failed: number;

  /** null for jobs that concern no single account. */
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
  })
  mailbox_account_id: string | null;

  /** Set when the job has ended: facts about its work, and the first 1,000 `failures: [{item, code, reason}]`. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: { failures: [] } })
  result: Readonly<Record<string, unknown>> | null;

  /** A sentence that says why the job failed, or why it was stopped by another than its owner. */
  @ApiProperty({ type: String, nullable: true, example: null })
  error: string | null;

  /** The same as a stable code. */
  @ApiProperty({ type: String, nullable: true, example: null })
  error_code: string | null;

  /** Why a pending job waits, as a stable code, e.g. `transfer-limit-reached`; null: for a free worker, or it does not wait. */
  @ApiProperty({ type: String, nullable: true, example: null })
  waits_for: string | null;

  /** The time until which the reason holds. The job may be tried again sooner, and goes on by itself. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  waits_until: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-05-04T09:30:00.000Z' })
  created_at: string;

  /** When a worker first began it. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-05-04T09:30:00.010Z' })
  started_at: string | null;

  /** When the job ended; a cancelled job ends with its current batch. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  completed_at: string | null;
}

/** A background job. */
export class JobResponse extends JobEventResponse {
  /** The job's input. */
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { action: 'mark_read', messageIds: ['18c2f3a4b5d6e7f8'] },
  })
  payload: Readonly<Record<string, unknown>>;

  /** Whether arrays in `payload` were cut to 100 items; `GET /api/jobs/{jobId}` returns them whole. */
  payload_truncated: boolean;

  /** Whether `payload` was deleted, as the job ended long ago. */
  payload_removed: boolean;
}

/** A background job with its live state. */
export class JobDetailResponse extends JobResponse {
  /**
   * Live state: `delayed` while a job lost with its process waits to be picked up again, and while a job waits for a
   * service that has asked for a pause; `active` also while a
   * cancelled job finishes its batch.
   */
  @ApiProperty({ enum: QUEUE_STATES, enumName: 'JobQueueState', example: 'active' })
  queueState: QueueState;
}

export function toJobEventResponse(job: JobRecord): JobEventResponse {
  return {
    id: job.id,
    queue_id: job.jobId,
    type: job.type,
    status: job.status,
    progress: progressOf(job),
    total: job.total,
    processed: job.processed,
    failed: job.failed,
    mailbox_account_id: job.accountId,
    result: job.result,
    error: job.error,
    error_code: job.errorCode,
    waits_for: job.waitsFor,
    waits_until: job.waitsUntil,
    created_at: job.createdAt,
    started_at: job.startedAt,
    completed_at: job.completedAt,
  };
}

export function toJobResponse(job: ListedJob): JobResponse {
  return {
    id: job.id,
    queue_id: job.queue_id,
    type: job.type,
    status: job.status,
    progress: progressOf(job),
    total: job.total,
    processed: job.processed,
    failed: job.failed,
    mailbox_account_id: job.mailbox_account_id,
    result: job.result,
    error: job.error,
    error_code: job.error_code,
    waits_for: job.waits_for,
    waits_until: job.waits_until,
    created_at: job.created_at,
    started_at: job.started_at,
    completed_at: job.completed_at,
    payload: job.payload,
    payload_truncated: job.payload_truncated,
    payload_removed: job.payload_removed,
  };
}

/** The detail has the whole payload. */
export function toJobDetailResponse({ record, payload, payloadRemoved }: JobWithPayload): JobDetailResponse {
  return {
    ...toJobEventResponse(record),
    payload,
    payload_truncated: false,
    payload_removed: payloadRemoved,
    queueState: queueStateOf(record),
  };
}

/** The live state of a job, from its status and whether a live process holds it. */
export function queueStateOf(
  job: Pick<JobRecord, 'status' | 'leased' | 'completedAt' | 'dueAt'>,
): QueueState {
  if (job.status === 'pending')
    return job.dueAt !== null && Date.parse(job.dueAt) > Date.now() ? 'delayed' : 'waiting';
  if (job.status === 'active') return job.leased ? 'active' : 'delayed';
  return job.status === 'cancelled' && !job.completedAt && job.leased ? 'active' : job.status;
}
