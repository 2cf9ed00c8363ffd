import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import Redis from 'ioredis';
import { newId } from '../../../../src/platform/crypto/ids';
import { JobsService } from '../../../../src/platform/jobs/jobs.service';
import { findFreePort } from '../../../../src/platform/embedded/child-server';
import { JobsFixture } from '../../../support/jobs/jobs-fixture';
import { Batches, Hangs } from '../../../support/jobs/test-kinds';
import { spawnBound } from '../../../support/run/bound-process';
import { waitFor } from '../../../support/wait';
import { nightly } from '../../../support/nightly';

const SLOW = { items: 120, batch: 4, batchMs: 40 };

async function lostAttempts(sut: JobsFixture, id: string): Promise<number> {
  const [row] = await sut.dataSource.query('SELECT lost_attempts FROM jobs WHERE id = $1', [id]);
  return row.lost_attempts as number;
}

describe('jobs that outlive their process', () => {
  let sut: JobsFixture;

  beforeEach(async () => {
    sut = await JobsFixture.create({ role: 'api', worker: 'api' });
  });

  afterEach(() => sut.close());

  it('should continue from the checkpoint after a SIGKILL, with nothing lost and nothing counted twice', async () => {
    const owner = await sut.owner();
    const victim = await sut.startProcess('victim');
    const jobId = await sut.start(Batches, owner, { ...SLOW, batchMs: 150, failEvery: 7 });
    await sut.until(owner.userId, jobId, 'under way', (job) => job.processed > 8);
    await sut.startApp({ role: 'worker', worker: 'heir' });
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    const killedAt = Date.now();
    const job = await sut.ended(owner.userId, jobId);
    expect(job).toMatchObject({ status: 'completed', total: 120, processed: 102, failed: 18 });
    expect(job.result).toMatchObject({ attempts: 2 });
    expect(job.result!['failures']).toHaveLength(18);
    // Items were done since.
    expect(await lostAttempts(sut, job.id)).toBe(0);
    const items = await sut.items(jobId);
    expect(items.map((row) => row.item)).toEqual(Array.from({ length: 120 }, (_, item) => item));
    expect(new Set(items.map((row) => row.worker))).toEqual(new Set(['victim', 'heir']));
    const [{ started_at }] = await sut.dataSource.query(
      `SELECT started_at FROM job_runs WHERE job_id = $1 AND worker = 'heir'`,
      [jobId],
    );
    // Lease 1.5 s, reconciler every 0.4 s here; ten times that in service.
    expect((started_at as Date).getTime() - killedAt).toBeLessThan(4_000);
  });

  nightly(
    'should give up after three lost attempts, with a clear error',
    async () => {
      const owner = await sut.owner();
      const jobId = await sut.start(Batches, owner, { items: 1_000, batch: 1, batchMs: 50, idle: true });
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        const victim = await sut.startProcess(`victim-${attempt}`);
        await waitFor(`attempt ${attempt}`, async () => {
          const runs: unknown[] = await sut.dataSource.query(
            'SELECT FROM job_runs WHERE job_id = $1 AND attempt = $2',
            [jobId, attempt],
          );
          return runs.length > 0;
        });
        victim.kill('SIGKILL');
        await once(victim, 'exit');
      }
      await sut.startApp({ role: 'worker', worker: 'reconciler' });
      const job = await sut.ended(owner.userId, jobId);
      expect(job).toMatchObject({ status: 'failed', errorCode: 'job-process-lost' });
      expect(job.error).toMatch(/three times/);
      const [{ count }] = await sut.dataSource.query('SELECT count(*)::int FROM job_runs WHERE job_id = $1', [
        jobId,
      ]);
      expect(count).toBe(3);
    },
    90_000,
  );

  it('should reset the count of lost attempts once items are done, but not for another state alone', async () => {
    await sut.startApp({ role: 'worker', worker: 'main' });
    const [working, idling] = await Promise.all([sut.owner(), sut.owner()]);
    const payload = { items: 1_000, batch: 1, batchMs: 20 };
    const jobs = [
      { owner: working, jobId: await sut.start(Batches, working, payload), left: 0 },
      { owner: idling, jobId: await sut.start(Batches, idling, { ...payload, idle: true }), left: 2 },
    ];
    for (const { owner, jobId } of jobs)
      await sut.until(owner.userId, jobId, 'active', (job) => job.status === 'active');
    await sut.dataSource.query('UPDATE jobs SET lost_attempts = 2');
    const checkpoints = async (): Promise<number[]> =>
      (await sut.dataSource.query(`SELECT (checkpoint->'state'->>'next')::int AS next FROM jobs`)).map(
        ({ next }: { next: number }) => next,
      );
    const before = Math.max(...(await checkpoints()));
    await waitFor('both to have saved again', async () => Math.min(...(await checkpoints())) > before + 2);
    for (const { owner, jobId, left } of jobs) {
      const { id } = await sut.record(owner.userId, jobId);
      expect(await lostAttempts(sut, id)).toBe(left);
      await sut.app.get(JobsService).cancel(owner.userId, jobId);
      await sut.ended(owner.userId, jobId);
    }
  });

  nightly('should end a cancelled job whose process is lost', async () => {
    const owner = await sut.owner();
    const victim = await sut.startProcess('victim');
    const { jobId } = await sut.app.get(JobsService).start(Hangs, owner, {});
    await sut.until(owner.userId, jobId, 'active', (job) => job.status === 'active');
    await sut.app.get(JobsService).cancel(owner.userId, jobId);
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    await sut.startApp({ role: 'worker', worker: 'reconciler' });
    expect(await sut.ended(owner.userId, jobId)).toMatchObject({ status: 'cancelled', error: null });
  });

  it('should release a job at once when its process is stopped', async () => {
    const owner = await sut.owner();
    const leaving = await sut.startProcess('leaving');
    // Long enough for another process to start meanwhile, on a busy machine too.
    const jobId = await sut.start(Batches, owner, { ...SLOW, batchMs: 200 });
    await sut.until(owner.userId, jobId, 'under way', (job) => job.processed > 20);
    await sut.startApp({ role: 'worker', worker: 'heir' });
    leaving.kill('SIGTERM');
    const [code] = await once(leaving, 'exit');
    expect(code).toBe(0);
    const job = await sut.ended(owner.userId, jobId);
    expect(job).toMatchObject({ status: 'completed', processed: 120, result: { attempts: 2 } });
    expect(await lostAttempts(sut, job.id)).toBe(0);
    const items = await sut.items(jobId);
    expect(items).toHaveLength(120);
    expect(new Set(items.map((row) => row.worker))).toEqual(new Set(['leaving', 'heir']));
    const [{ pause }] = await sut.dataSource.query(
      `SELECT extract(epoch FROM heir.started_at - leaving.ended_at)::float8 AS pause
       FROM job_runs heir, job_runs leaving
       WHERE heir.job_id = $1 AND leaving.job_id = $1 AND heir.worker = 'heir' AND leaving.worker = 'leaving'`,
      [jobId],
    );
    expect(pause).toBeLessThan(0.3);
  });

  nightly('should not wait forever for a handler that does not stop', async () => {
    const owner = await sut.owner();
    const { app } = await sut.startApp({ role: 'worker', worker: 'stuck', timings: { shutdownMs: 500 } });
    const { jobId } = await sut.app.get(JobsService).start(Hangs, owner, {});
    await sut.until(owner.userId, jobId, 'active', (job) => job.status === 'active');
    const before = Date.now();
    await app.close();
    expect(Date.now() - before).toBeLessThan(2_500);
  });

  nightly(
    'should stop an attempt whose lease another process has taken, and let it write nothing',
    async () => {
      const owner = await sut.owner();
      const { app } = await sut.startApp({ role: 'worker', worker: 'fenced' });
      const jobId = await sut.start(Batches, owner, SLOW);
      const { id } = await sut.until(owner.userId, jobId, 'under way', (job) => job.processed > 8);
      await sut.dataSource.query(
        `UPDATE jobs SET lease_token = $2, lease_until = now() + interval '1 hour', processed = 4 WHERE id = $1`,
        [id, newId()],
      );
      await waitFor('the handler to stop', async () => {
        const [run] = await sut.dataSource.query('SELECT ended_at FROM job_runs WHERE job_id = $1', [jobId]);
        return run.ended_at !== null;
      });
      expect(await sut.record(owner.userId, jobId)).toMatchObject({ status: 'active', processed: 4 });
      // The new owner dies as well: the job goes on from its last checkpoint.
      await sut.dataSource.query('UPDATE jobs SET lease_until = now() WHERE id = $1', [id]);
      expect(await sut.ended(owner.userId, jobId)).toMatchObject({ status: 'completed', processed: 120 });
      await app.close();
    },
  );

  nightly('should share many jobs between processes, each run once', async () => {
    const owners = await Promise.all(Array.from({ length: 20 }, () => sut.owner()));
    const payload = { items: 2, batch: 1, batchMs: 5 };
    await sut.startProcess('one');
    await sut.startProcess('two');
    const jobs = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const owner = owners[index % owners.length]!;
        return { owner, jobId: await sut.start(Batches, owner, payload) };
      }),
    );
    for (const { owner, jobId } of jobs) {
      expect(await sut.ended(owner.userId, jobId)).toMatchObject({ status: 'completed', processed: 2 });
    }
    const runs: { worker: string; runs: number; jobs: number }[] = await sut.dataSource.query(
      'SELECT worker, count(*)::int AS runs, count(DISTINCT job_id)::int AS jobs FROM job_runs GROUP BY worker',
    );
    expect(runs.reduce((sum, row) => sum + row.runs, 0)).toBe(100);
    expect(runs.map((row) => row.worker).sort()).toEqual(['one', 'two']);
    const overlaps: unknown[] = await sut.dataSource.query(
      `SELECT FROM job_runs a JOIN job_runs b ON a.account_id = b.account_id AND a.job_id < b.job_id
       AND tstzrange(a.started_at, a.ended_at) && tstzrange(b.started_at, b.ended_at)`,
    );
    expect(overlaps).toEqual([]);
  });
});

/** A Redis of the test's own, on a port it keeps, that keeps nothing. */
async function startOwnRedis(port: number): Promise<ChildProcess> {
  const server = spawnBound('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
    stdio: 'ignore',
  });
  await once(server, 'spawn');
  return server;
}

async function stopOwnRedis(server: ChildProcess): Promise<void> {
  if (server.signalCode !== null) return;
  server.kill('SIGKILL');
  await once(server, 'exit');
}

describe('jobs that outlive Redis', () => {
  let port: number;
  let redis: ChildProcess;

  beforeEach(async () => {
    port = await findFreePort();
    redis = await startOwnRedis(port);
  });

  afterEach(() => stopOwnRedis(redis));

  nightly('should continue when Redis is emptied, is unavailable, and comes back empty', async () => {
    const redisUrl = `redis://127.0.0.1:${port}`;
    const sut = await JobsFixture.create({ redisUrl, worker: 'main' });
    try {
      const [owner, other] = [await sut.owner(), await sut.owner()];
      const running = await sut.start(Batches, owner, { ...SLOW, items: 300 });
      const waiting = await sut.start(Batches, owner, { items: 3, batch: 1, batchMs: 5 });
      await sut.until(owner.userId, running, 'under way', (job) => job.processed > 8);
      const client = new Redis(redisUrl);
      await client.flushall();
      client.disconnect();
      const afterFlush = await sut.start(Batches, other);
      expect(await sut.ended(other.userId, afterFlush)).toMatchObject({ status: 'completed' });

      await stopOwnRedis(redis);
      const withoutRedis = await sut.start(Batches, other);
      expect(await sut.ended(other.userId, withoutRedis)).toMatchObject({ status: 'completed' });
      redis = await startOwnRedis(port);
      expect(await sut.ended(owner.userId, running)).toMatchObject({ status: 'completed', processed: 300 });
      expect(await sut.ended(owner.userId, waiting)).toMatchObject({ status: 'completed', processed: 3 });
      const afterRestart = await sut.start(Batches, other);
      expect(await sut.ended(other.userId, afterRestart)).toMatchObject({ status: 'completed' });
    } finally {
      await sut.close();
    }
  });

  it('should let the process end while Redis is unavailable', async () => {
    const sut = await JobsFixture.create({ redisUrl: `redis://127.0.0.1:${port}`, worker: 'main' });
    const owner = await sut.owner();
    const jobId = await sut.start(Batches, owner);
    await sut.ended(owner.userId, jobId);
    await stopOwnRedis(redis);
    const before = Date.now();
    await sut.close();
    expect(Date.now() - before).toBeLessThan(5_000);
  });
});
