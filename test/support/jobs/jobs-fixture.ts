import type { INestApplication } from '@nestjs/common';
import { ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { newId } from '../../../src/platform/crypto/ids';
import type { JobDefinition } from '../../../src/platform/jobs/job-definition';
import type { JobRecord } from '../../../src/platform/jobs/job-record';
import { JobReader } from '../../../src/platform/jobs/job-reader';
import { JobOwner, JobsService, StartJobOptions } from '../../../src/platform/jobs/jobs.service';
import { ApiClient } from '../api-client';
import { createTestDatabase } from '../database';
import { waitFor } from '../wait';
import { JobsAppOptions, startJobsApp } from './jobs-app';
import { BatchesPayload, JOURNAL_TABLE } from './test-kinds';

export interface ItemRow {
  readonly item: number;
  readonly attempt: number;
  readonly worker: string;
}

/** A database, a Redis prefix, and the applications and processes that work on them. */
export class JobsFixture {
  private readonly apps: INestApplication[] = [];
  private readonly children: ChildProcess[] = [];
  private first: { app: INestApplication; url: string } | undefined;

  private constructor(
    private readonly database: { url: string; drop: () => Promise<void> },
    readonly redisPrefix: string,
  ) {}

  static async create(first: Partial<JobsAppOptions> = {}): Promise<JobsFixture> {
    const fixture = new JobsFixture(await createTestDatabase(), `jobs-${randomBytes(6).toString('hex')}`);
    fixture.first = await fixture.startApp(first);
    await fixture.dataSource.query(JOURNAL_TABLE);
    return fixture;
  }

  get app(): INestApplication {
    return this.first!.app;
  }

  get dataSource(): DataSource {
    return this.app.get(DataSource);
  }

  options(more: Partial<JobsAppOptions> = {}): JobsAppOptions {
    return {
      databaseUrl: this.database.url,
      redisUrl: process.env.MAILROOM_TEST_REDIS_URL!,
      redisPrefix: this.redisPrefix,
      ...more,
    };
  }

  async startApp(more: Partial<JobsAppOptions> = {}): Promise<{ app: INestApplication; url: string }> {
    const started = await startJobsApp(this.options(more));
    this.apps.push(started.app);
    return started;
  }

  /** A worker in a process of its own; ends with the fixture at the latest. */
  async startProcess(worker: string): Promise<ChildProcess> {
    const child = fork(
      join(__dirname, 'worker-process.ts'),
      [JSON.stringify(this.options({ role: 'worker', worker }))],
      {
        execArgv: ['-r', join(__dirname, '../run/typescript.js')],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      },
    );
    this.children.push(child);
    const [message] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => [`exited with ${String(code)}`]),
    ]);
    if (message !== 'ready') throw new Error(`The worker process ${String(message)}`);
    return child;
  }

  /** Adds a user with a session, for which their id stands as a token. */
  async user(): Promise<string> {
    const id = newId();
    await this.dataSource.query('INSERT INTO users (id, email) VALUES ($1, $2)', [id, `${id}@users.test`]);
    await this.dataSource.query(
      `INSERT INTO sessions (id, user_id, expires_at) VALUES ($1, $1, now() + interval '1 day')`,
      [id],
    );
    return id;
  }

  /** A user with a mailbox account. */
  async owner(userId?: string): Promise<{ userId: string; accountId: string }> {
    const owner = userId ?? (await this.user());
    const accountId = newId();
    await this.dataSource.query(
      'INSERT INTO mailbox_accounts (id, user_id, email, provider) VALUES ($1, $2, $3, $4)',
      [accountId, owner, `${accountId}@mail.test`, 'gmail'],
    );
    return { userId: owner, accountId };
  }

  api(userId: string, url = this.first!.url): ApiClient {
    return new ApiClient(url, userId);
  }

  async start(
    definition: JobDefinition<BatchesPayload>,
    owner: JobOwner,
    payload: Partial<BatchesPayload> = {},
    options?: StartJobOptions,
  ): Promise<string> {
    const full = { items: 10, batch: 5, batchMs: 5, ...payload };
    return (await this.app.get(JobsService).start(definition, owner, full, options)).jobId;
  }

  record(userId: string, jobId: string): Promise<JobRecord> {
    return this.app.get(JobReader).findRecord(userId, jobId);
  }

  async until(
    userId: string,
    jobId: string,
    what: string,
    condition: (record: JobRecord) => boolean,
    timeoutMs?: number,
  ): Promise<JobRecord> {
    const probe = async (): Promise<JobRecord | undefined> => {
      const record = await this.record(userId, jobId);
      return condition(record) ? record : undefined;
    };
    return waitFor(`${jobId} to be ${what}`, probe, timeoutMs);
  }

  ended(userId: string, jobId: string, timeoutMs?: number): Promise<JobRecord> {
    return this.until(userId, jobId, 'ended', (record) => record.completedAt !== null, timeoutMs);
  }

  items(jobId: string): Promise<ItemRow[]> {
    return this.dataSource.query(
      'SELECT item, attempt, worker FROM job_items WHERE job_id = $1 ORDER BY item',
      [jobId],
    );
  }

  /** The number of times a handler was started for the job. */
  async runs(jobId: string): Promise<number> {
    const [{ count }] = await this.dataSource.query('SELECT count(*)::int FROM job_runs WHERE job_id = $1', [
      jobId,
    ]);
    return count as number;
  }

  async close(): Promise<void> {
    for (const child of this.children) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    }
    // The first application lends its data source to the probes of the others' tests.
    for (const app of [...this.apps].reverse()) await app.close();
    await this.database.drop();
  }
}
