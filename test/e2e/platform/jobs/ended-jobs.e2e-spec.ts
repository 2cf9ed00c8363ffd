import { randomUUID } from 'node:crypto';
import { Transactions } from '../../../../src/platform/database/transactions';
import { EndedJobsService } from '../../../../src/platform/jobs/ended-jobs.service';
import { EndedJobsRepository } from '../../../../src/platform/jobs/ended-jobs.repository';
import { JobsService } from '../../../../src/platform/jobs/jobs.service';
import type { ApiClient } from '../../../support/api-client';
import { JobsFixture } from '../../../support/jobs/jobs-fixture';
import { Batches, FailuresNotified, UsesSecret } from '../../../support/jobs/test-kinds';

const DAY_MS = 86_400_000;
const daysFromNow = (days: number): Date => new Date(Date.now() + days * DAY_MS);

describe('Jobs that have ended', () => {
  let sut: JobsFixture;

  beforeAll(async () => {
    sut = await JobsFixture.create();
  });

  afterAll(() => sut.close());

  const resume = (api: ApiClient, jobId: string, key?: string) =>
    api.post(
      `/api/jobs/${jobId}/resume`,
      undefined,
      key ? { headers: { 'idempotency-key': key } } : undefined,
    );
  const retry = (api: ApiClient, jobId: string, key?: string) =>
    api.post(
      `/api/jobs/${jobId}/retry-failed`,
      undefined,
      key ? { headers: { 'idempotency-key': key } } : undefined,
    );
  const told = async (userId: string): Promise<string[]> => {
    const rows = await sut.dataSource.query('SELECT type FROM notifications WHERE user_id = $1 ORDER BY id', [
      userId,
    ]);
    return rows.map(({ type }: { type: string }) => type);
  };

  describe('POST /api/jobs/:jobId/resume', () => {
    it('should continue a failed job from its checkpoint, and notify of each end', async () => {
      const owner = await sut.owner();
      const api = sut.api(owner.userId);
      const jobId = await sut.start(Batches, owner, { throws: 'once', failEvery: 5 });
      expect(await sut.ended(owner.userId, jobId)).toMatchObject({
        status: 'failed',
        processed: 4,
        failed: 1,
      });
      const answer = await resume(api, jobId);
      expect([answer.status, answer.body]).toEqual([202, { jobId }]);
      const job = await sut.ended(owner.userId, jobId);
      expect(job).toMatchObject({
        status: 'completed',
        total: 10,
        processed: 8,
        failed: 2,
        error: null,
        errorCode: null,
        resumptions: 1,
        result: {
          attempts: 2,
          failures: [
            { item: 'item-0', code: 'not-doable', reason: 'not-doable' },
            { item: 'item-5', code: 'not-doable', reason: 'not-doable' },
          ],
        },
      });
      expect((await sut.items(jobId)).map((row) => row.attempt)).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
      expect(await told(owner.userId)).toEqual(['job_failed', 'job_completed']);
    });

    it('should show the job at its checkpoint while it waits', async () => {
      const owner = await sut.owner();
      const api = sut.api(owner.userId);
      const jobId = await sut.start(Batches, owner, { throws: 'domain' });
      await sut.ended(owner.userId, jobId);
      const blocker = await sut.start(Batches, owner, { items: 1_000, batch: 1, batchMs: 20 });
      await sut.until(owner.userId, blocker, 'active', ({ status }) => status === 'active');
      // Counts beyond the checkpoint, as an attempt that is lost leaves them.
      await sut.dataSource.query('UPDATE jobs SET processed = 7, lost_attempts = 2 WHERE user_id = $1', [
        owner.userId,
      ]);
      expect((await resume(api, jobId)).status).toBe(202);
      expect((await api.get(`/api/jobs/${jobId}`)).body).toMatchObject({
        status: 'pending',
        queueState: 'waiting',
        progress: 50,
        processed: 5,
        result: null,
        error: null,
        completed_at: null,
      });
      await sut.app.get(JobsService).cancel(owner.userId, jobId);
      await sut.app.get(JobsService).cancel(owner.userId, blocker);
      await sut.ended(owner.userId, blocker);
    });

    it('should continue a cancelled job, started or not', async () => {
      const owner = await sut.owner();
      const api = sut.api(owner.userId);
      const begun = await sut.start(Batches, owner, { items: 60, batch: 5, batchMs: 30 });
      const waiting = await sut.start(Batches, owner);
      await sut.until(owner.userId, begun, 'under way', ({ processed }) => processed > 5);
      for (const jobId of [waiting, begun]) await api.delete(`/api/jobs/${jobId}`);
      const stopped = await sut.ended(owner.userId, begun);
      expect(stopped.status).toBe('cancelled');
      for (const jobId of [begun, waiting]) expect((await resume(api, jobId)).status).toBe(202);
      expect(await sut.ended(owner.userId, begun)).toMatchObject({ status: 'completed', processed: 60 });
      expect(await sut.ended(owner.userId, waiting)).toMatchObject({ status: 'completed', processed: 10 });
      const items = await sut.items(begun);
      expect(items.filter(({ attempt }) => attempt === 1)).toHaveLength(stopped.processed);
      expect(await told(owner.userId)).toEqual(['job_completed', 'job_completed']);
    });

    it('should resume it once for a key, and once overall without a key', async () => {
      const owner = await sut.owner();
      const api = sut.api(owner.userId);
      const jobId = await sut.start(Batches, owner, { throws: 'domain', items: 30, batchMs: 200 });
      await sut.ended(owner.userId, jobId);
      const repeated = await Promise.all(Array.from({ length: 8 }, () => resume(api, jobId, 'again')));
      expect(repeated.map(({ status }) => status)).toEqual(Array(8).fill(202));
      expect(await sut.ended(owner.userId, jobId)).toMatchObject({ status: 'failed', resumptions: 1 });
      expect((await resume(api, jobId, 'again')).status).toBe(202);
      expect(await sut.record(owner.userId, jobId)).toMatchObject({ resumptions: 1 });
      await sut.dataSource.query(
        "UPDATE jobs SET resumed_at = resumed_at - interval '25 hours' WHERE user_id = $1",
        [owner.userId],
      );
      expect((await resume(api, jobId, 'again')).status).toBe(202);
      expect(await sut.ended(owner.userId, jobId)).toMatchObject({ status: 'failed', resumptions: 2 });

      const racing = await Promise.all(Array.from({ length: 8 }, () => resume(api, jobId)));
      expect(racing.map(({ status }) => status).sort()).toEqual([202, ...Array(7).fill(409)]);
      expect(await sut.ended(owner.userId, jobId)).toMatchObject({ status: 'failed', resumptions: 3 });

      const body = { items: 1, batch: 1, batchMs: 1 };
      await api.post('/api/test-jobs', body, { headers: { 'idempotency-key': 'used' } });
      expect((await resume(api, jobId, 'used')).body.code).toBe('idempotency-key-reused');
    });

    it('should refuse a job whose mailbox is deleted', async () => {
      const owner = await sut.owner();
      const jobId = await sut.start(FailuresNotified, owner, { throws: 'domain' });
      await sut.ended(owner.userId, jobId);
      await sut.dataSource.query('DELETE FROM mailbox_accounts WHERE id = $1', [owner.accountId]);
      const { status, body } = await resume(sut.api(owner.userId), jobId);
      expect([status, body.code]).toEqual([409, 'job-not-resumable']);
      expect(await sut.record(owner.userId, jobId)).toMatchObject({ status: 'failed', resumptions: 0 });
    });

    it('should refuse open or completed jobs, jobs that need secrets, and cleared jobs', async () => {
      const owner = await sut.owner();
      const api = sut.api(owner.userId);
      const done = await sut.start(Batches, owner);
      await sut.ended(owner.userId, done);
      const active = await sut.start(Batches, owner, { items: 1_000, batch: 1, batchMs: 20 });
      const pending = await sut.start(Batches, owner);
      await sut.until(owner.userId, active, 'active', ({ status }) => status === 'active');
      const { jobId: secret } = await sut.app.get(JobsService).start(UsesSecret, owner, {});
      expect(await sut.ended(owner.userId, secret)).toMatchObject({ status: 'failed' });
      const codes = async (...jobIds: string[]): Promise<unknown[]> => {
        const answers = await Promise.all(jobIds.map((jobId) => resume(api, jobId)));
        return answers.map(({ status, body }) => [status, body.code]);
      };
      const refused = [409, 'job-not-resumable'];
      expect(await codes(done, active, pending, secret)).toEqual([refused, refused, refused, refused]);
      for (const jobId of [pending, active]) await api.delete(`/api/jobs/${jobId}`);
      const { id } = await sut.ended(owner.userId, active);
      await sut.dataSource.query('UPDATE jobs SET is_cleared = true WHERE id = $1', [id]);
      expect(await codes(active)).toEqual([refused]);
      const stranger = sut.api(await sut.user());
      for (const jobId of [pending, id, 'nonsense', randomUUID()])
        expect((await resume(stranger, jobId)).body.code).toBe('job-not-found');
    });

    it('should refuse a user who is being deactivated', async () => {
      const owner = await sut.owner();
      const jobId = await sut.start(Batches, owner, { throws: 'domain' });
      await sut.ended(owner.userId, jobId);
      await sut.dataSource.query('UPDATE users SET is_active = false WHERE id = $1', [owner.userId]);
      const resuming = sut.app.get(EndedJobsService).resume(owner.userId, jobId, null);
      await expect(resuming).rejects.toMatchObject({ code: 'job-not-resumable' });
    });
  });

  describe('POST /api/jobs/:jobId/retry-failed', () => {
    it('should start a job for the failed items, once for a key', async () => {
      const owner = await sut.owner();
      const api = sut.api(owner.userId);
      const jobId = await sut.start(Batches, owner, { failEvery: 3 });
      await sut.ended(owner.userId, jobId);
      const answers = [await retry(api, jobId, 'k'), await retry(api, jobId, 'k')];
      expect(answers.map(({ status }) => status)).toEqual([202, 202]);
      expect(answers[0]!.body).toEqual(answers[1]!.body);
      const retried = answers[0]!.body.jobId as string;
      expect(retried).not.toBe(jobId);
      expect(await sut.ended(owner.userId, retried)).toMatchObject({
        status: 'completed',
        accountId: owner.accountId,
        processed: 4,
      });
      expect(await sut.record(owner.userId, jobId)).toMatchObject({ status: 'completed', failed: 4 });
    });

    it('should refuse when nothing failed, when failures are not fully known, or for other kinds', async () => {
      const owner = await sut.owner();
      const api = sut.api(owner.userId);
      const jobs = [
        await sut.start(Batches, owner),
        await sut.start(Batches, owner, { throws: 'domain', failEvery: 2 }),
        await sut.start(Batches, owner, { items: 1_001, batch: 1_001, failEvery: 1 }),
        await sut.start(FailuresNotified, owner, { failEvery: 2 }),
        await sut.start(Batches, owner, { failEvery: 2 }),
      ];
      for (const jobId of jobs) await sut.ended(owner.userId, jobId);
      const { id } = await sut.record(owner.userId, jobs[4]!);
      await sut.dataSource.query('UPDATE jobs SET is_cleared = true WHERE id = $1', [id]);
      for (const jobId of jobs) {
        const { status, body } = await retry(api, jobId);
        expect([jobId, status, body.code]).toEqual([jobId, 409, 'job-not-retryable']);
      }
      const stranger = sut.api(await sut.user());
      expect((await retry(stranger, jobs[0]!)).body.code).toBe('job-not-found');
    });
  });

  describe('in time', () => {
    it('should lose what they need to continue, and later their rows', async () => {
      const owner = await sut.owner();
      const api = sut.api(owner.userId);
      const numbers = Array.from({ length: 150 }, (_, n) => n);
      const ended = await sut.start(Batches, owner, { throws: 'domain', failEvery: 2, numbers });
      const { id } = await sut.ended(owner.userId, ended);
      const open = await sut.start(Batches, owner, { items: 1_000, batch: 1, batchMs: 20 });
      const jobs = sut.app.get(EndedJobsService);
      const content = async (): Promise<unknown> =>
        (
          await sut.dataSource.query(
            `SELECT payload = '{}' AND payload_preview IS NULL AS payload, checkpoint IS NULL AS checkpoint,
                    failures = '[]' AS failures FROM jobs WHERE id = $1`,
            [id],
          )
        )[0];
      await jobs.clearOld(daysFromNow(29));
      expect(await content()).toEqual({ payload: false, checkpoint: false, failures: false });
      expect(await jobs.clearOld(daysFromNow(31))).toBeGreaterThan(0);
      expect(await content()).toEqual({ payload: true, checkpoint: true, failures: true });
      expect((await api.get(`/api/jobs/${ended}`)).body).toMatchObject({
        status: 'failed',
        payload: {},
        payload_truncated: false,
        payload_removed: true,
        processed: 2,
      });
      await jobs.deleteOld(daysFromNow(364));
      expect((await api.get(`/api/jobs/${ended}`)).status).toBe(200);
      await jobs.deleteOld(daysFromNow(366));
      expect((await api.get(`/api/jobs/${ended}`)).status).toBe(404);
      expect((await api.get(`/api/jobs/${open}`)).body).toMatchObject({
        payload_removed: false,
        payload: { items: 1_000 },
      });
      await sut.app.get(JobsService).cancel(owner.userId, open);
      await sut.ended(owner.userId, open);
    });

    it('should lose the oldest rows earlier when a user has very many', async () => {
      const [many, few] = [await sut.owner(), await sut.owner()];
      const jobs: string[] = [];
      for (let n = 0; n < 4; n += 1) {
        jobs.push(await sut.start(Batches, many, { items: 1 }));
        await sut.ended(many.userId, jobs[n]!);
      }
      const open = await sut.start(Batches, many, { items: 1_000, batch: 1, batchMs: 20 });
      const other = await sut.start(Batches, few, { items: 1 });
      await sut.ended(few.userId, other);
      await sut.app.get(EndedJobsService).deleteOld(new Date(), 2);
      const left = async (userId: string): Promise<string[]> =>
        (await sut.api(userId).get('/api/jobs')).body.map(({ queue_id }: { queue_id: string }) => queue_id);
      expect(await left(many.userId)).toEqual([open, jobs[3], jobs[2]]);
      expect(await left(few.userId)).toEqual([other]);
      await sut.app.get(JobsService).cancel(many.userId, open);
      await sut.ended(many.userId, open);
    });

    it('should lose long payloads earlier when a user has many', async () => {
      const owner = await sut.owner();
      const numbers = Array.from({ length: 200 }, (_, n) => n);
      const jobs: string[] = [];
      for (let n = 0; n < 3; n += 1) {
        jobs.push(await sut.start(Batches, owner, { numbers, items: 1 }));
        await sut.ended(owner.userId, jobs[n]!);
      }
      const { size } = (
        await sut.dataSource.query(
          'SELECT max(pg_column_size(payload))::int AS size FROM jobs WHERE user_id = $1',
          [owner.userId],
        )
      )[0];
      await sut.app
        .get(Transactions)
        .run((transaction) =>
          sut.app.get(EndedJobsRepository).clearLongPayloads(owner.userId, 2 * (size as number), transaction),
        );
      const listed = (await sut.api(owner.userId).get('/api/jobs')).body;
      expect(listed.map((job: { payload_removed: boolean }) => job.payload_removed)).toEqual([
        false,
        false,
        true,
      ]);
    });
  });
});

describe('The open jobs of a user', () => {
  let sut: JobsFixture;
  const body = { items: 1_000, batch: 1, batchMs: 20 };

  beforeAll(async () => {
    sut = await JobsFixture.create({ role: 'api', env: { MAX_OPEN_JOBS: '5' } });
  });

  afterAll(() => sut.close());

  it('should be limited however many requests arrive at once, while repeated requests are answered', async () => {
    const userId = await sut.user();
    const api = sut.api(userId);
    const first = await api.post('/api/test-jobs', body, { headers: { 'idempotency-key': 'first' } });
    const answers = await Promise.all(Array.from({ length: 12 }, () => api.post('/api/test-jobs', body)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(4);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body.code).toBe('too-many-jobs');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30);
    const repeated = await api.post('/api/test-jobs', body, { headers: { 'idempotency-key': 'first' } });
    expect([repeated.status, repeated.body]).toEqual([202, first.body]);

    // Others are not concerned.
    const other = await sut.user();
    expect((await sut.api(other).post('/api/test-jobs', body)).status).toBe(202);
    // Neither is what the user is owed; a schedule tries again another time.
    const jobs = sut.app.get(JobsService);
    const owner = { userId, accountId: null };
    expect(await jobs.startIfPossible(Batches, owner, body)).toBeNull();
    const owed = { ...Batches, survivesDeactivation: true };
    expect(await jobs.startIfPossible(owed, owner, body)).toEqual({ jobId: expect.any(String) });

    await api.delete(`/api/jobs/${first.body.jobId}`);
    expect((await api.post(`/api/jobs/${first.body.jobId}/resume`)).body.code).toBe('too-many-jobs');
    await api.delete(`/api/jobs/${answers.find(({ status }) => status === 202)!.body.jobId}`);
    expect((await api.post(`/api/jobs/${first.body.jobId}/resume`)).status).toBe(202);
  });
});
