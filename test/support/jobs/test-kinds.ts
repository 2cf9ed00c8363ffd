import { IsBoolean, IsInt, IsOptional, IsString, Min } from 'class-validator';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { DomainError } from '../../../src/platform/http/domain-error';
import type { JobContext } from '../../../src/platform/jobs/job-definition';
import { HandlesJob, JobDefinition, JobHandler, JobResult } from '../../../src/platform/jobs/job-definition';
import { JobQueue } from '../../../src/platform/jobs/job-queue';

/** Work in batches, as real kinds do it; every item leaves a row, so that tests see what was done and by whom. */
export class BatchesPayload {
  @IsInt() @Min(0) items: number;
  @IsInt() @Min(1) batch: number;
  @IsInt() @Min(0) batchMs: number;
  /** Every n-th item cannot be done. */
  @IsOptional() @IsInt() failEvery?: number;
  /** Throws after the first batch: `domain`, `once` and `away` (on the first attempt), or any text. */
  @IsOptional() @IsString() throws?: string;
  /** Is refused after the first batch of the first attempt, for so many milliseconds. */
  @IsOptional() @IsInt() waitsMs?: number;
  /** Does nothing, and saves another state for each item. */
  @IsOptional() @IsBoolean() idle?: boolean;
  @IsOptional() @IsInt({ each: true }) numbers?: number[];
}

/** Declares a kind without `defineJob`: the services of other specs in the process must not expect it. */
function testJob<P extends object>(
  kind: string,
  options: Pick<JobDefinition<P>, 'queue' | 'payload'> & Partial<JobDefinition<P>>,
): JobDefinition<P> {
  const defaults = {
    notifies: 'every-end' as const,
    survivesDeactivation: false,
    resumes: true,
    outlivesAccount: false,
  };
  return Object.freeze({ ...defaults, ...options, kind });
}

export const Batches = testJob('test_batches', {
  queue: JobQueue.InteractiveBulk,
  payload: BatchesPayload,
  retryOf: ({ batch, batchMs }, items) => ({ items: items.length, batch, batchMs }),
  // `POST /api/test-jobs` starts it for no account.
  outlivesAccount: true,
});
/** The crypto queue runs one job per user and process. */
export const OneByOne = testJob('test_one_by_one', { queue: JobQueue.Crypto, payload: BatchesPayload });

/** A kind whose end causes no notification. */
export const NeverNotified = testJob('test_never_notified', {
  queue: JobQueue.Maintenance,
  payload: BatchesPayload,
  notifies: 'never',
});
/** Only failures are notified of. */
export const FailuresNotified = testJob('test_failures_notified', {
  queue: JobQueue.Maintenance,
  payload: BatchesPayload,
  notifies: 'failure',
});

class SecretPayload {
  @IsOptional() @IsString() note?: string;
}
export const UsesSecret = testJob('test_secret', {
  queue: JobQueue.Scan,
  payload: SecretPayload,
  resumes: false,
});

/** Blocks without ever looking at the signal, like a process that hangs. */
export const Hangs = testJob('test_hangs', { queue: JobQueue.Scan, payload: SecretPayload });

export const JOURNAL_TABLE = `
  CREATE TABLE job_items (
    job_id text NOT NULL, item int NOT NULL, attempt int NOT NULL, worker text NOT NULL,
    PRIMARY KEY (job_id, item));
  CREATE TABLE job_runs (
    job_id text NOT NULL, account_id uuid, attempt int NOT NULL, worker text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(), ended_at timestamptz)`;

/** Which process or application a handler runs in. */
export class WorkerName {
  constructor(readonly value: string) {}
}

abstract class BatchesHandlerBase implements JobHandler<BatchesPayload> {
  protected constructor(
    private readonly dataSource: DataSource,
    private readonly worker: WorkerName,
  ) {}

  async run(payload: BatchesPayload, job: JobContext): Promise<JobResult> {
    const { items, batch, batchMs, failEvery, throws, waitsMs, idle } = payload;
    job.setTotal(items);
    await this.dataSource.query(
      'INSERT INTO job_runs (job_id, account_id, attempt, worker) VALUES ($1, $2, $3, $4)',
      [job.jobId, job.accountId, job.attempt, this.worker.value],
    );
    try {
      for (let next = job.savedCheckpoint<{ next: number }>()?.next ?? 0; next < items; next += batch) {
        const done = Array.from({ length: Math.min(batch, items - next) }, (_, index) => next + index);
        await delay(batchMs);
        await this.dataSource.query(
          `INSERT INTO job_items SELECT $1, item, $3, $4 FROM unnest($2::int[]) item ON CONFLICT DO NOTHING`,
          [job.jobId, done, job.attempt, this.worker.value],
        );
        for (const item of done) {
          if (failEvery && item % failEvery === 0) job.fail(`item-${item}`, 'not-doable');
          else if (!idle) job.progress({ processed: 1 });
        }
        await job.checkpoint({ next: next + done.length });
        if (waitsMs !== undefined && job.attempt === 1) {
          const retryAt = new Date(Date.now() + waitsMs);
          throw new DomainError({ code: 'not-now', status: 503, detail: 'Not now.', retryAt });
        }
        if (throws === 'domain' || (throws === 'once' && job.attempt === 1)) {
          throw new DomainError({
            code: 'mailbox-reauth-required',
            status: 409,
            detail: 'Connect it again.',
          });
        }
        if (throws === 'away' && job.attempt === 1) {
          throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
        }
        if (throws && throws !== 'away' && throws !== 'once') throw new Error(throws);
      }
      return { attempts: job.attempt };
    } finally {
      await this.dataSource.query(
        'UPDATE job_runs SET ended_at = clock_timestamp() WHERE job_id = $1 AND attempt = $2 AND ended_at IS NULL',
        [job.jobId, job.attempt],
      );
    }
  }
}

@HandlesJob(Batches)
export class BatchesHandler extends BatchesHandlerBase {
  constructor(dataSource: DataSource, worker: WorkerName) {
    super(dataSource, worker);
  }
}

@HandlesJob(OneByOne)
export class OneByOneHandler extends BatchesHandlerBase {
  constructor(dataSource: DataSource, worker: WorkerName) {
    super(dataSource, worker);
  }
}

@HandlesJob(NeverNotified)
export class NeverNotifiedHandler extends BatchesHandlerBase {
  constructor(dataSource: DataSource, worker: WorkerName) {
    super(dataSource, worker);
  }
}

@HandlesJob(FailuresNotified)
export class FailuresNotifiedHandler extends BatchesHandlerBase {
  constructor(dataSource: DataSource, worker: WorkerName) {
    super(dataSource, worker);
  }
}

@HandlesJob(UsesSecret)
export class UsesSecretHandler implements JobHandler<SecretPayload> {
  async run(_payload: SecretPayload, job: JobContext): Promise<JobResult> {
    return { length: job.secrets<{ passphrase: string }>().passphrase.length };
  }
}

@HandlesJob(Hangs)
export class HangsHandler implements JobHandler<SecretPayload> {
  constructor(private readonly dataSource: DataSource) {}

  async run(_payload: SecretPayload, job: JobContext): Promise<void> {
    await this.dataSource.query(`INSERT INTO job_runs (job_id, attempt, worker) VALUES ($1, $2, 'hanging')`, [
      job.jobId,
      job.attempt,
    ]);
    await delay(60_000, undefined, { ref: false });
  }
}

export const TEST_HANDLERS = [
  BatchesHandler,
  OneByOneHandler,
  NeverNotifiedHandler,
  FailuresNotifiedHandler,
  UsesSecretHandler,
  HangsHandler,
];
