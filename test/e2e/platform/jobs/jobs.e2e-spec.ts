import { randomUUID } from 'node:crypto';
import { JobsService } from '../../../../src/platform/jobs/jobs.service';
import { Transactions } from '../../../../src/platform/database/transactions';
import { JobsFixture } from '../../../support/jobs/jobs-fixture';
import { Batches, OneByOne, UsesSecret } from '../../../support/jobs/test-kinds';
import { waitFor } from '../../../support/wait';

describe('jobs', () => {
  let sut: JobsFixture;

  beforeAll(async () => {
    sut = await JobsFixture.create();
  });

  afterAll(() => sut.close());

  describe('running', () => {
    it('should complete with all items processed', async () => {
      const owner = await sut.owner();
      const jobId = await sut.start(Batches, owner, { items: 12, batch: 5 });
      const job = await sut.ended(owner.userId, jobId);
      expect(job).toMatchObject({
        status: 'completed',
        total: 12,
        processed: 12,
        failed: 0,
        error: null,
        result: { attempts: 1, failures: [] },
      });
      expect(jobId).toBe(`test_batches-${job.number}`);
      expect(await sut.items(jobId)).toHaveLength(12);
    });

    it('should complete when some items failed, and name them', async () => {
      const owner = await sut.owner();
      const jobId = await sut.start(Batches, owner, { items: 10, batch: 4, failEvery: 5 });
      const job = await sut.ended(owner.userId, jobId);
      expect(job).toMatchObject({ status: 'completed', processed: 8, failed: 2 });
      expect(job.result).toEqual({
        attempts: 1,
        failures: [
          { item: 'item-0', code: 'not-doable', reason: 'not-doable' },
          { item: 'item-5', code: 'not-doable', reason: 'not-doable' },
        ],
      });
    });

    it('should keep 1,000 failures and count all', async () => {
      const owner = await sut.owner();
      const jobId = await sut.start(Batches, owner, { items: 1_200, batch: 300, failEvery: 1 });
      const job = await sut.ended(owner.userId, jobId);
      expect(job).toMatchObject({ processed: 0, failed: 1_200 });
      expect(job.result).toMatchObject({ failuresTruncated: true });
      expect(job.result!['failures']).toHaveLength(1_000);
    });

    it('should fail with the sentence and code of a domain error', async () => {
      const owner = await sut.owner();
      const jobId = await sut.start(Batches, owner, { throws: 'domain' });
      const job = await sut.ended(owner.userId, jobId);
      expect(job).toMatchObject({
        status: 'failed',
        processed: 5,
        error: 'Connect it again.',
        errorCode: 'mailbox-reauth-required',
      });
    });

    it('should reveal nothing of an unexpected error', async () => {
      const owner = await sut.owner();
      const jobId = await sut.start(Batches, owner, { throws: 'secret internals at /srv' });
      const job = await sut.ended(owner.userId, jobId);
      expect(job).toMatchObject({ status: 'failed', errorCode: 'internal-error' });
      expect(JSON.stringify(job)).not.toContain('internals');
    });

    it('should retry from the checkpoint when one of our services was unavailable', async () => {
      const owner = await sut.owner();
      const jobId = await sut.start(Batches, owner, { throws: 'away' });
      const job = await sut.ended(owner.userId, jobId);
      expect(job).toMatchObject({ status: 'completed', processed: 10, result: { attempts: 2 } });
      expect((await sut.items(jobId)).map((row) => row.attempt)).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
    });

    it('should open sealed secrets, keep them out of the payload and erase them at the end', async () => {
      const owner = await sut.owner();
      const started = await sut.app
        .get(JobsService)
        .start(UsesSecret, owner, { note: 'n' }, { secrets: { passphrase: 'swordfish!' } });
      const job = await sut.ended(owner.userId, started.jobId);
      expect(job.result).toEqual({ length: 10, failures: [] });
      const [row] = await sut.dataSource.query('SELECT payload, sealed_secrets FROM jobs WHERE id = $1', [
        job.id,
      ]);
      expect(row).toEqual({ payload: { note: 'n' }, sealed_secrets: null });
    });

    it('should refuse a payload that does not match its class', async () => {
      const owner = await sut.owner();
      await expect(sut.start(Batches, owner, { items: -1 })).rejects.toMatchObject({
        code: 'validation-failed',
        errors: [expect.objectContaining({ field: 'items' })],
      });
    });

    it('should start nothing when the transaction is rolled back, and after the commit otherwise', async () => {
      const owner = await sut.owner();
      const transactions = sut.app.get(Transactions);
      const rolledBack = transactions.run(async (transaction) => {
        await sut.start(Batches, owner, {}, { transaction });
        throw new Error('rolled back');
      });
      await expect(rolledBack).rejects.toThrow('rolled back');
      const jobId = await transactions.run((transaction) => sut.start(Batches, owner, {}, { transaction }));
      await sut.ended(owner.userId, jobId);
      const [{ count }] = await sut.dataSource.query('SELECT count(*)::int FROM jobs WHERE user_id = $1', [
        owner.userId,
      ]);
      expect(count).toBe(1);
    });

    it('should create one job for several starts with the same schedule key', async () => {
      const owner = await sut.owner();
      const starts = Array.from({ length: 10 }, () =>
        sut.start(Batches, owner, {}, { once: 'nightly@2026-05-04' }),
      );
      expect(new Set(await Promise.all(starts)).size).toBe(1);
    });
  });

  describe('cancelling', () => {
    it('should stop an active job between two batches and keep what was done', async () => {
      const owner = await sut.owner();
      const jobId = await sut.start(Batches, owner, { items: 1_000, batch: 10, batchMs: 30, failEvery: 10 });
      await sut.until(owner.userId, jobId, 'under way', (job) => job.processed >= 9);
      const before = Date.now();
      expect((await sut.api(owner.userId).delete(`/api/jobs/${jobId}`)).status).toBe(204);
      expect((await sut.record(owner.userId, jobId)).status).toBe('cancelled');
      const job = await sut.ended(owner.userId, jobId);
      expect(Date.now() - before).toBeLessThan(1_000);
      expect(job.status).toBe('cancelled');
      expect(job.processed + job.failed).toBe((await sut.items(jobId)).length);
      expect(job.processed + job.failed).toBeLessThan(1_000);
      expect(job.result!['failures']).toHaveLength(job.failed);
    });

    it('should end a pending job at once, and never run it', async () => {
      const owner = await sut.owner();
      const running = await sut.start(Batches, owner, { items: 20, batch: 1, batchMs: 20 });
      const pending = await sut.start(Batches, owner);
      await sut.app.get(JobsService).cancel(owner.userId, pending);
      expect(await sut.record(owner.userId, pending)).toMatchObject({
        status: 'cancelled',
        completedAt: expect.any(String),
        startedAt: null,
      });
      await sut.ended(owner.userId, running);
      expect(await sut.items(pending)).toEqual([]);
    });

    it('should answer 409 for a finished job, 204 again for a cancelled one, 404 for others', async () => {
      const owner = await sut.owner();
      const api = sut.api(owner.userId);
      const done = await sut.start(Batches, owner);
      await sut.ended(owner.userId, done);
      const refused = await api.delete(`/api/jobs/${done}`);
      expect([refused.status, refused.body.code]).toEqual([409, 'job-finished']);

      const active = await sut.start(Batches, owner, { items: 100, batch: 1, batchMs: 20 });
      expect((await api.delete(`/api/jobs/${active}`)).status).toBe(204);
      expect((await api.delete(`/api/jobs/${active}`)).status).toBe(204);

      const stranger = sut.api(await sut.user());
      expect((await stranger.delete(`/api/jobs/${active}`)).status).toBe(404);
      for (const unknown of [randomUUID(), 'test_batches-999999999', 'nonsense']) {
        expect((await api.delete(`/api/jobs/${unknown}`)).status).toBe(404);
      }
      await sut.ended(owner.userId, active);
    });
  });

  describe('sharing workers', () => {
    it('should run one job of a queue at a time per account', async () => {
      const owner = await sut.owner();
      const jobs = await Promise.all(
        Array.from({ length: 6 }, () => sut.start(Batches, owner, { items: 4, batch: 2, batchMs: 20 })),
      );
      for (const jobId of jobs) await sut.ended(owner.userId, jobId);
      const overlaps: unknown[] = await sut.dataSource.query(
        `SELECT a.job_id, b.job_id FROM job_runs a JOIN job_runs b
         ON a.account_id = b.account_id AND a.job_id < b.job_id
         AND tstzrange(a.started_at, a.ended_at) && tstzrange(b.started_at, b.ended_at)
         WHERE a.account_id = $1`,
        [owner.accountId],
      );
      expect(overlaps).toEqual([]);
    });

    it('should run different accounts in parallel', async () => {
      const userId = await sut.user();
      const owners = await Promise.all([sut.owner(userId), sut.owner(userId)]);
      const payload = { items: 10, batch: 1, batchMs: 30 };
      const jobs = await Promise.all(owners.map((owner) => sut.start(Batches, owner, payload)));
      await waitFor('both to be active', async () => {
        const records = await Promise.all(jobs.map((jobId) => sut.record(userId, jobId)));
        return records.every((record) => record.status === 'active');
      });
      for (const jobId of jobs) await sut.ended(userId, jobId);
    });

    it('should let a user with one job overtake another who has many waiting', async () => {
      const [many, one] = [await sut.user(), await sut.user()];
      const owner = { userId: many, accountId: null };
      // Two workers in all for a queue with one slot each for a user.
      const second = await sut.startApp({ role: 'worker', worker: 'fairness' });
      const payload = { items: 3, batch: 1, batchMs: 40 };
      const first = await Promise.all(Array.from({ length: 8 }, () => sut.start(OneByOne, owner, payload)));
      const late = await sut.start(OneByOne, { userId: one, accountId: null }, payload);
      await sut.ended(one, late);
      for (const jobId of first) await sut.ended(many, jobId);
      const order: { job_id: string }[] = await sut.dataSource.query(
        'SELECT job_id FROM job_runs WHERE job_id = ANY($1) ORDER BY started_at',
        [[...first, late]],
      );
      // At most the two running and the two that a free slot took before the late one was there.
      expect(order.findIndex((run) => run.job_id === late)).toBeLessThanOrEqual(4);
      await second.app.close();
    });
  });

  describe('that have to wait', () => {
    const HOUR = 3_600_000;
    const waiting = async (userId: string, jobId: string): Promise<void> => {
      await sut.until(
        userId,
        jobId,
        'put off',
        ({ status, dueAt }) => status === 'pending' && dueAt !== null,
      );
    };

    it('should free their slot for others meanwhile', async () => {
      const owner = await sut.owner();
      const jobId = await sut.start(OneByOne, owner, { waitsMs: HOUR });
      await waiting(owner.userId, jobId);
      expect((await sut.api(owner.userId).get(`/api/jobs/${jobId}`)).body).toMatchObject({
        status: 'pending',
        queueState: 'delayed',
        processed: 5,
      });
      const next = await sut.start(OneByOne, owner);
      expect(await sut.ended(owner.userId, next)).toMatchObject({ status: 'completed' });
      expect(await sut.record(owner.userId, jobId)).toMatchObject({ status: 'pending' });
      // Put off for at most a quarter of an hour, however long was asked for.
      const [{ minutes }] = await sut.dataSource.query(
        `SELECT extract(epoch FROM due_at - now())::float8 / 60 AS minutes FROM jobs WHERE user_id = $1 AND due_at IS NOT NULL`,
        [owner.userId],
      );
      expect(minutes).toBeGreaterThan(10);
      expect(minutes).toBeLessThan(15.1);
    });

    it('should continue from their checkpoint, without losing an attempt', async () => {
      const owner = await sut.owner();
      const jobId = await sut.start(Batches, owner, { waitsMs: 150 });
      const job = await sut.ended(owner.userId, jobId);
      expect(job).toMatchObject({ status: 'completed', processed: 10, dueAt: null, result: { attempts: 2 } });
      expect((await sut.items(jobId)).map((row) => row.attempt)).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
      const [row] = await sut.dataSource.query(
        'SELECT lost_attempts, postponements FROM jobs WHERE id = $1',
        [job.id],
      );
      // Items were done since.
      expect(row).toEqual({ lost_attempts: 0, postponements: 0 });
    });

    it('should be cancelled at once', async () => {
      const owner = await sut.owner();
      const jobId = await sut.start(Batches, owner, { waitsMs: HOUR });
      await waiting(owner.userId, jobId);
      await sut.app.get(JobsService).cancel(owner.userId, jobId);
      expect(await sut.record(owner.userId, jobId)).toMatchObject({
        status: 'cancelled',
        completedAt: expect.any(String),
      });
    });

    it('should fail with the reason of their wait once they were postponed 100 times', async () => {
      const owner = await sut.owner();
      const jobId = await sut.start(Batches, owner, { waitsMs: HOUR, batchMs: 200, idle: true });
      await sut.until(owner.userId, jobId, 'active', ({ status }) => status === 'active');
      await sut.dataSource.query('UPDATE jobs SET postponements = 100 WHERE user_id = $1', [owner.userId]);
      expect(await sut.ended(owner.userId, jobId)).toMatchObject({
        status: 'failed',
        error: 'Not now.',
        errorCode: 'not-now',
      });
    });
  });

  describe('of one user', () => {
    it.each([
      [Batches, 5],
      [OneByOne, 1],
    ] as const)('should leave a slot of every queue to other users', async (kind, most) => {
      const [greedy, other] = [await sut.user(), await sut.user()];
      const long = { items: 1_000, batch: 1, batchMs: 20 };
      const jobs = await Promise.all(
        Array.from({ length: most + 2 }, () => sut.start(kind, { userId: greedy, accountId: null }, long)),
      );
      const active = async (): Promise<number> => {
        const records = await Promise.all(jobs.map((jobId) => sut.record(greedy, jobId)));
        return records.filter(({ status }) => status === 'active').length;
      };
      await waitFor('their share to be active', async () => (await active()) >= most);
      const theirs = await sut.start(kind, { userId: other, accountId: null });
      expect(await sut.ended(other, theirs)).toMatchObject({ status: 'completed' });
      expect(await active()).toBe(most);
      for (const jobId of jobs.reverse()) await sut.app.get(JobsService).cancel(greedy, jobId);
      for (const jobId of jobs) await sut.ended(greedy, jobId);
    });
  });

  describe('Idempotency-Key', () => {
    const body = { items: 2, batch: 2, batchMs: 1 };

    it('should start one job for 20 parallel requests with the same key', async () => {
      const userId = await sut.user();
      const headers = { 'idempotency-key': 'k-1' };
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => sut.api(userId).post('/api/test-jobs', body, { headers })),
      );
      expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(202));
      expect(new Set(answers.map((answer) => answer.body.jobId)).size).toBe(1);
      const list = await sut.api(userId).get('/api/jobs');
      expect(list.body).toHaveLength(1);
    });

    it('should recognise a request by its content, not by the order of its fields', async () => {
      const userId = await sut.user();
      const headers = { 'idempotency-key': 'k-2' };
      const first = await sut.api(userId).post('/api/test-jobs', body, { headers });
      const same = await sut
        .api(userId)
        .post('/api/test-jobs', { batchMs: 1, batch: 2, items: 2 }, { headers });
      expect(same.body).toEqual(first.body);
      const other = await sut.api(userId).post('/api/test-jobs', { ...body, items: 3 }, { headers });
      expect([other.status, other.body.code]).toEqual([409, 'idempotency-key-reused']);
    });

    it('should keep users separate and forget after 24 hours', async () => {
      const [a, b] = [await sut.user(), await sut.user()];
      const headers = { 'idempotency-key': 'k-3' };
      const first = await sut.api(a).post('/api/test-jobs', body, { headers });
      const foreign = await sut.api(b).post('/api/test-jobs', body, { headers });
      expect(foreign.body.jobId).not.toBe(first.body.jobId);
      await sut.dataSource.query(
        `UPDATE jobs SET created_at = now() - interval '25 hours' WHERE user_id = $1`,
        [a],
      );
      const later = await sut.api(a).post('/api/test-jobs', body, { headers });
      expect(later.status).toBe(202);
      expect(later.body.jobId).not.toBe(first.body.jobId);
    });

    it('should refuse a key of more than 255 characters', async () => {
      const headers = { 'idempotency-key': 'k'.repeat(256) };
      const answer = await sut.api(await sut.user()).post('/api/test-jobs', body, { headers });
      expect([answer.status, answer.body.code]).toEqual([400, 'validation-failed']);
    });
  });
});
