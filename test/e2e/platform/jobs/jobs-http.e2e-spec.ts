import { randomUUID } from 'node:crypto';
import { register } from 'prom-client';
import { JobsFixture } from '../../../support/jobs/jobs-fixture';
import { EventStream } from '../../../support/event-stream';
import { Batches } from '../../../support/jobs/test-kinds';

const FIELDS = [
  'completed_at',
  'created_at',
  'error',
  'error_code',
  'failed',
  'id',
  'mailbox_account_id',
  'processed',
  'progress',
  'queue_id',
  'result',
  'started_at',
  'status',
  'total',
  'type',
  'waits_for',
  'waits_until',
];

describe('jobs over HTTP', () => {
  let sut: JobsFixture;
  /** A process that serves the API and runs nothing; the fixture's first application does the work. */
  let apiOnly: string;

  beforeAll(async () => {
    sut = await JobsFixture.create({ role: 'worker' });
    apiOnly = (await sut.startApp({ role: 'api', worker: 'api' })).url;
  });

  afterAll(() => sut.close());

  describe('GET /api/jobs', () => {
    it('should list the fields of the contract, newest first', async () => {
      const owner = await sut.owner();
      const older = await sut.start(Batches, owner);
      const newer = await sut.start(Batches, owner, { throws: 'domain' });
      await sut.ended(owner.userId, older);
      await sut.ended(owner.userId, newer);
      const { status, body } = await sut.api(owner.userId, apiOnly).get('/api/jobs');
      expect(status).toBe(200);
      expect(body.map((job: { queue_id: string }) => job.queue_id)).toEqual([newer, older]);
      expect(Object.keys(body[0]).sort()).toEqual(
        [...FIELDS, 'payload', 'payload_truncated', 'payload_removed'].sort(),
      );
      expect(body[1]).toMatchObject({
        type: 'test_batches',
        status: 'completed',
        progress: 100,
        total: 10,
        processed: 10,
        failed: 0,
        mailbox_account_id: owner.accountId,
        payload: { items: 10, batch: 5, batchMs: 5 },
        payload_truncated: false,
        error: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      expect(body[0]).toMatchObject({ status: 'failed', error: 'Connect it again.', progress: 50 });
    });

    it('should filter by status and account, page with before, and lower the limit', async () => {
      const userId = await sut.user();
      const [a, b] = [await sut.owner(userId), await sut.owner(userId)];
      const jobs = [
        await sut.start(Batches, a),
        await sut.start(Batches, b),
        await sut.start(Batches, a, { throws: 'x' }),
      ];
      for (const jobId of jobs) await sut.ended(userId, jobId);
      const api = sut.api(userId, apiOnly);
      const ids = async (query: string): Promise<string[]> =>
        (await api.get(`/api/jobs?${query}`)).body.map((job: { queue_id: string }) => job.queue_id);
      expect(await ids(`accountId=${a.accountId}`)).toEqual([jobs[2], jobs[0]]);
      expect(await ids('status=failed')).toEqual([jobs[2]]);
      expect(await ids(`type=${Batches.kind}`)).toEqual([...jobs].reverse());
      expect(await ids('type=no_such_kind')).toEqual([]);
      expect(await ids('limit=2')).toEqual([jobs[2], jobs[1]]);
      expect(await ids(`limit=2&before=${jobs[1]}`)).toEqual([jobs[0]]);
      expect(await ids(`before=${(await sut.record(userId, jobs[1]!)).id}`)).toEqual([jobs[0]]);
      expect(await ids('limit=100000')).toHaveLength(3);
    });

    it.each([
      'status=done',
      'type=No-kind',
      'accountId=abc',
      'limit=0',
      'limit=x',
      'before=@',
      `before=${randomUUID()}`,
    ])('should answer 400 to ?%s', async (query) => {
      const { status, body } = await sut.api(await sut.user(), apiOnly).get(`/api/jobs?${query}`);
      expect([status, body.code]).toEqual([400, 'validation-failed']);
    });

    it('should answer 401 without a token and 403 for the account of another user', async () => {
      const foreign = await sut.owner();
      const api = sut.api(await sut.user(), apiOnly);
      expect((await api.get(`/api/jobs?accountId=${foreign.accountId}`)).body).toMatchObject({
        status: 403,
        code: 'account-not-owned',
      });
      expect((await fetch(`${apiOnly}/api/jobs`)).status).toBe(401);
    });

    it('should cut long arrays of payloads, and show them whole in the detail', async () => {
      const owner = await sut.owner();
      const numbers = Array.from({ length: 250 }, (_, index) => index);
      const jobId = await sut.start(Batches, owner, { numbers });
      await sut.ended(owner.userId, jobId);
      const api = sut.api(owner.userId, apiOnly);
      const [listed] = (await api.get('/api/jobs')).body;
      expect(listed).toMatchObject({
        payload_truncated: true,
        payload: { numbers: numbers.slice(0, 100), items: 10 },
      });
      const detail = (await api.get(`/api/jobs/${jobId}`)).body;
      expect(detail).toMatchObject({ payload_truncated: false, payload: { numbers } });
    });
  });

  describe('GET /api/jobs/:jobId', () => {
    it('should accept the jobId or the id, and return the live state', async () => {
      const owner = await sut.owner();
      const active = await sut.start(Batches, owner, { items: 50, batch: 1, batchMs: 20 });
      const waiting = await sut.start(Batches, owner);
      await sut.until(owner.userId, active, 'active', (job) => job.status === 'active');
      const api = sut.api(owner.userId, apiOnly);
      expect((await api.get(`/api/jobs/${active}`)).body).toMatchObject({
        status: 'active',
        queueState: 'active',
      });
      const { body } = await api.get(`/api/jobs/${waiting}`);
      expect(body).toMatchObject({ status: 'pending', queueState: 'waiting', started_at: null });
      expect((await api.get(`/api/jobs/${body.id}`)).body).toEqual(body);
      await api.delete(`/api/jobs/${active}`);
      await sut.ended(owner.userId, active);
      expect((await api.get(`/api/jobs/${active}`)).body).toMatchObject({ queueState: 'cancelled' });
      await sut.ended(owner.userId, waiting);
      expect((await api.get(`/api/jobs/${waiting}`)).body).toMatchObject({ queueState: 'completed' });
    });

    it('should answer 404 for unknown jobs, those of others, and ids under another kind', async () => {
      const owner = await sut.owner();
      const jobId = await sut.start(Batches, owner);
      const job = await sut.ended(owner.userId, jobId);
      const stranger = sut.api(await sut.user(), apiOnly);
      const api = sut.api(owner.userId, apiOnly);
      const answers = await Promise.all([
        stranger.get(`/api/jobs/${jobId}`),
        stranger.get(`/api/jobs/${job.id}`),
        stranger.get(`/api/jobs/${jobId}/events`),
        api.get(`/api/jobs/bulk_operation-${job.number}`),
        api.get(`/api/jobs/${randomUUID()}`),
        api.get('/api/jobs/nonsense'),
      ]);
      for (const { status, body } of answers) expect([status, body.code]).toEqual([404, 'job-not-found']);
    });
  });

  it('should report queue depth, age and outcomes as metrics', async () => {
    const owner = await sut.owner();
    const blocker = await sut.start(Batches, owner, { items: 40, batch: 1, batchMs: 25 });
    await sut.until(owner.userId, blocker, 'active', (job) => job.status === 'active');
    await sut.start(Batches, owner);
    const text = await register.metrics();
    expect(text).toMatch(/mailroom_job_queue_depth\{lane="interactive-bulk"\} 1/);
    expect(text).toMatch(/mailroom_job_queue_age_seconds\{lane="interactive-bulk"\} 0\.\d+/);
    expect(text).toMatch(/mailroom_job_queue_depth\{lane="archive"\} 0/);
    expect(text).toMatch(/mailroom_jobs_finished_total\{kind="test_batches",status="completed"\} \d+/);
    expect(text).toMatch(/mailroom_job_duration_seconds_count\{kind="test_batches"\} \d+/);
  });

  describe('event streams', () => {
    it('should send one job from snapshot to end, at most four times a second, and end', async () => {
      const owner = await sut.owner();
      const jobId = await sut.start(Batches, owner, { items: 60, batch: 1, batchMs: 25 });
      const stream = await EventStream.open(sut.api(owner.userId, apiOnly), `/api/jobs/${jobId}/events`);
      expect(stream.headers.get('content-type')).toContain('text/event-stream');
      expect(stream.headers.get('x-accel-buffering')).toBe('no');
      expect(stream.headers.get('cache-control')).toContain('no-transform');
      await stream.until('the end', () => stream.ended);
      const last = stream.events.at(-1)!;
      expect(last.data).toMatchObject({ status: 'completed', progress: 100, processed: 60 });
      expect(Object.keys(last.data).sort()).toEqual(FIELDS);
      expect(stream.events.length).toBeGreaterThan(3);
      // On their way single messages come closer together than they were sent; all of them do not.
      const span = last.at - stream.events[0]!.at;
      expect(span / (stream.events.length - 1)).toBeGreaterThan(200);
      const processed = stream.events.map((event) => event.data.processed);
      expect(processed).toEqual([...processed].sort((x, y) => x - y));
      expect(new Set(stream.events.map((event) => event.id)).size).toBe(stream.events.length);
    });

    it('should send a finished job once and end', async () => {
      const owner = await sut.owner();
      const jobId = await sut.start(Batches, owner);
      await sut.ended(owner.userId, jobId);
      const stream = await EventStream.open(sut.api(owner.userId, apiOnly), `/api/jobs/${jobId}/events`);
      await stream.until('the end', () => stream.ended);
      expect(stream.events.map((event) => event.data.status)).toEqual(['completed']);
    });

    it('should send all jobs of the caller and of no other user, from whichever process', async () => {
      const [owner, other] = [await sut.owner(), await sut.owner()];
      const finished = await sut.start(Batches, owner);
      await sut.ended(owner.userId, finished);
      const running = await sut.start(Batches, owner, { items: 20, batch: 1, batchMs: 20 });
      const theirs = await sut.start(Batches, other, { items: 100, batch: 1, batchMs: 20 });
      const stream = await EventStream.open(sut.api(owner.userId, apiOnly), '/api/jobs/events');
      await stream.until('the snapshot', () => stream.of(running).length > 0);
      const foreign = await sut.start(Batches, other);
      const later = await sut.start(Batches, owner);
      await stream.until('the ends', () =>
        [running, later].every((jobId) => stream.of(jobId).at(-1)?.data.status === 'completed'),
      );
      expect(stream.of(finished)).toEqual([]);
      expect([...stream.of(theirs), ...stream.of(foreign)]).toEqual([]);
      expect(stream.ended).toBe(false);
      stream.close();
    });

    it('should follow a cancelled job until its batch has finished', async () => {
      const owner = await sut.owner();
      const jobId = await sut.start(Batches, owner, { items: 100, batch: 10, batchMs: 400 });
      const api = sut.api(owner.userId, apiOnly);
      const stream = await EventStream.open(api, `/api/jobs/${jobId}/events`);
      await stream.until('progress', () => stream.of(jobId).some((event) => event.data.processed > 0));
      await api.delete(`/api/jobs/${jobId}`);
      await stream.until('the end', () => stream.ended);
      expect(stream.events.at(-1)!.data).toMatchObject({
        status: 'cancelled',
        completed_at: expect.any(String),
      });
    });

    it('should not keep the server from closing', async () => {
      const extra = await sut.startApp({ role: 'api', worker: 'closing' });
      const stream = await EventStream.open(sut.api(await sut.user(), extra.url), '/api/jobs/events');
      const before = Date.now();
      await extra.app.close();
      expect(Date.now() - before).toBeLessThan(2_000);
      await stream.until('the end', () => stream.ended);
    });
  });
});
