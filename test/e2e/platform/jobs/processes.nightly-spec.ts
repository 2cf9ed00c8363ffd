import { Cluster, WORKERS } from '../../../support/cluster/cluster';
import { EventStream } from '../../../support/event-stream';
import { TestObjectStore } from '../../../support/object-store/object-store';
import { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';
import { WebhookReceiver } from '../../../support/webhooks/receiver';

const AUTH_PER_MINUTE = 60;
const UNITS_PER_SECOND = 250;
/** A good deal more than the service may use, and less than two workers would use that knew nothing of each other. */
const PROVIDER_UNITS_PER_SECOND = 325;
const DAY_MS = 86_400_000;

interface Connected {
  readonly user: TestUser;
  readonly accountId: string;
  readonly email: string;
}

/** Two processes answer, two work; what one of them knows, all of them have to. */
describe('Several processes', () => {
  let cluster: Cluster;
  let admin: TestUser;
  let store: TestObjectStore;
  let receiver: WebhookReceiver;
  let mailboxes = 0;

  beforeAll(async () => {
    [cluster, store, receiver] = await Promise.all([
      Cluster.start({
        sandbox: { messages: 1, quota: { unitsPerSecond: PROVIDER_UNITS_PER_SECOND } },
        env: {
          TRUST_PROXY: '1',
          RATE_LIMIT_AUTH_PER_MINUTE: String(AUTH_PER_MINUTE),
          PROVIDER_UNITS_PER_SECOND: String(UNITS_PER_SECOND),
        },
      }),
      TestObjectStore.start(),
      WebhookReceiver.start(),
    ]);
    admin = await cluster.user('admin');
  }, 200_000);

  afterAll(async () => {
    await cluster?.stop();
    await receiver?.close();
  });

  /** A new user with a mailbox of so many messages. */
  async function connect(messages: number): Promise<Connected> {
    const user = await cluster.user();
    return { user, ...(await connectFor(user, messages)) };
  }

  async function connectFor(user: TestUser, messages: number): Promise<{ accountId: string; email: string }> {
    mailboxes += 1;
    const email = `processes${mailboxes}-${messages}@sandbox.mailroom.test`;
    return { accountId: await user.connect(email), email };
  }

  async function start(user: TestUser, path: string, body: object = {}): Promise<string> {
    const answer = await user.api.post(path, body);
    if (answer.status !== 202)
      throw new Error(`${path} answered ${answer.status}: ${answer.bytes.toString()}`);
    return answer.body.jobId as string;
  }

  const archive = ({ user, accountId }: Connected): Promise<string> =>
    start(user, `/api/archive/${accountId}/archive`, { query: 'in:anywhere' });

  const mark = ({ user, accountId, email }: Connected): Promise<string> =>
    start(user, `/api/mailbox/${accountId}/messages/bulk`, {
      action: 'mark_read',
      messageIds: cluster.sandbox.mailbox(email).ids().slice(0, 2),
    });

  const me = async (user: TestUser, token = user.api.token): Promise<number[]> =>
    Promise.all(
      cluster.apiUrls().map(async (url) => {
        const headers = { authorization: `Bearer ${token}` };
        return (await fetch(`${url}/api/auth/me`, { headers })).status;
      }),
    );

  it('should accept a session of one at the other, and end it at both', async () => {
    const user = await cluster.user();
    const { email, password } = user;
    const login = await cluster.at('api1').post('/api/auth/login', { email, password });
    const first = login.body;
    expect(await me(user, first.access_token)).toEqual([200, 200]);
    const rotated = await cluster
      .at('api2')
      .post('/api/auth/refresh', { refresh_token: first.refresh_token });
    expect(rotated.status).toBe(200);
    expect(await me(user, rotated.body.access_token)).toEqual([200, 200]);
    const stream = await EventStream.open(cluster.at('api2', user), '/api/jobs/events');

    const reused = await cluster.at('api1').post('/api/auth/refresh', { refresh_token: first.refresh_token });
    expect(reused.status).toBe(401);
    await waitFor('the session to be over', async () =>
      (await me(user, rotated.body.access_token)).every((status) => status === 401),
    );
    const refreshed = await cluster
      .at('api2')
      .post('/api/auth/refresh', { refresh_token: rotated.body.refresh_token });
    expect(refreshed.status).toBe(401);

    expect(await me(user)).toEqual([200, 200]);
    expect((await cluster.at('api1', user).post('/api/auth/logout')).status).toBe(204);
    await waitFor('nobody to be signed in', async () => (await me(user)).every((status) => status === 401));
    await stream.until('its end', () => stream.ended);
  });

  it('should count wrong passwords and requests together', async () => {
    const { email, password } = await cluster.user();
    const attempt = async (times: number, word: string): Promise<number> => {
      const client = cluster.at(times % 2 ? 'api1' : 'api2');
      return (await client.post('/api/auth/login', { email, password: word })).status;
    };
    for (let times = 0; times < 10; times += 1) expect(await attempt(times, 'wrong password')).toBe(401);
    expect([await attempt(0, password), await attempt(1, password)]).toEqual([429, 429]);

    const refresh = async (times: number): Promise<number> => {
      const headers = { 'x-forwarded-for': '203.0.113.7' };
      const body = { refresh_token: 'nobody’s' };
      return (await cluster.at(times % 2 ? 'api1' : 'api2').post('/api/auth/refresh', body, { headers }))
        .status;
    };
    const statuses = await Promise.all(
      Array.from({ length: AUTH_PER_MINUTE + 4 }, (_, times) => refresh(times)),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(AUTH_PER_MINUTE);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
  });

  it('should create one job for a request that is sent to both', async () => {
    const { user, accountId, email } = await connect(4);
    const messageIds = cluster.sandbox.mailbox(email).ids();
    const post = (name: 'api1' | 'api2', ids: string[]): Promise<any> =>
      cluster
        .at(name, user)
        .post(
          `/api/mailbox/${accountId}/messages/bulk`,
          { action: 'mark_read', messageIds: ids },
          { headers: { 'idempotency-key': 'the same' } },
        );
    const answers = await Promise.all(
      (['api1', 'api2', 'api1', 'api2'] as const).map((name) => post(name, messageIds)),
    );
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    expect(new Set(answers.map(({ body }) => body.jobId)).size).toBe(1);
    expect((await post('api2', messageIds.slice(1))).status).toBe(409);
    await user.jobEnd(answers[0].body.jobId as string);
    expect((await user.api.get('/api/jobs')).body).toHaveLength(1);
  });

  it('should stream changes of others, and continue at the other where a stream was lost', async () => {
    const connected = await connect(120);
    const { user } = connected;
    const toasts = await EventStream.open<any>(cluster.at('api1', user), '/api/notifications/events', {
      event: 'notification',
    });
    await toasts.until('a place', () => toasts.lastEventId !== '');
    const jobId = await archive({ ...connected, user: at(user, 'api2') });
    const stream = await EventStream.open(cluster.at('api1', user), `/api/jobs/${jobId}/events`);
    await stream.until('progress', () => stream.of(jobId).some(({ data }) => data.processed > 0));
    stream.close();
    const resumed = await EventStream.open(cluster.at('api2', user), `/api/jobs/${jobId}/events`, {
      lastEventId: stream.lastEventId,
    });
    await resumed.until('the end', () => resumed.ended);
    expect(resumed.of(jobId).at(-1)!.data).toMatchObject({ status: 'completed', processed: 120 });
    const counts = [...stream.of(jobId), ...resumed.of(jobId)].map(({ data }) => data.processed);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));

    await toasts.until('the end of the job', () => toasts.events.length === 1);
    toasts.close();
    const missed = [await mark(connected), await mark(connected)];
    for (const id of missed) await user.jobEnd(id);
    const again = await EventStream.open<any>(cluster.at('api2', user), '/api/notifications/events', {
      event: 'notification',
      lastEventId: toasts.lastEventId,
    });
    const third = await mark({ ...connected, user: at(user, 'api1') });
    await again.until('all of them', () => again.events.length >= 3);
    expect(new Set(again.events.map(({ data }) => data.data.jobId))).toEqual(new Set([...missed, third]));
    expect(again.events).toHaveLength(3);
    again.close();
  });

  /** The same user, at one process only. */
  function at(user: TestUser, name: 'api1' | 'api2'): TestUser {
    return new TestUser(user.id, user.email, user.password, cluster.at(name, user));
  }

  it('should stop a job at a worker that is cancelled at an API process', async () => {
    const connected = await connect(400);
    const jobId = await archive({ ...connected, user: at(connected.user, 'api1') });
    await waitFor('it to be under way', async () => {
      const { body } = await connected.user.api.get(`/api/jobs/${jobId}`);
      return body.processed > 0;
    });
    expect((await cluster.at('api2', connected.user).delete(`/api/jobs/${jobId}`)).status).toBe(204);
    const job = await connected.user.jobEnd(jobId);
    expect(job.status).toBe('cancelled');
    expect(job.processed).toBeLessThan(400);
    const [{ count }] = await cluster.query(
      'SELECT count(*)::int AS count FROM archived_mails WHERE account_id = $1',
      [connected.accountId],
    );
    expect(job.processed).toBe(count);
  });

  it('should share the provider’s quota, and the work', async () => {
    const connected = await connect(60);
    cluster.sandbox.stats.reset();
    // Lanes of their own, so that both workers may be at the same mailbox at the same time.
    const jobs = await Promise.all([
      archive(connected),
      start(connected.user, `/api/privacy/${connected.accountId}/tracking/scan`),
      start(connected.user, `/api/unsubscribe/${connected.accountId}/scan`),
    ]);
    for (const jobId of jobs)
      expect(await connected.user.jobEnd(jobId)).toMatchObject({ status: 'completed', failed: 0 });
    expect(cluster.sandbox.stats.refused).toBe(0);
  });

  it('should do due work once, wherever and however often its schedule fires', async () => {
    const connected = await connect(3);
    const { user, accountId } = connected;
    await user.jobEnd(await archive(connected));
    const rule = {
      name: 'Read',
      conditions: [{ field: 'size_gt', operator: 'gt', value: 1 }],
      action: { type: 'mark_read' },
      schedule: 'daily',
    };
    expect((await user.api.post(`/api/rules/${accountId}`, rule)).status).toBe(201);
    expect((await user.api.post('/api/retention', { name: 'Old', maxAgeDays: 30_000 })).status).toBe(201);
    await cluster.query(`UPDATE users SET created_at = created_at - interval '30 days' WHERE id = $1`, [
      user.id,
    ]);

    const kinds = ['run_rule', 'run_retention', 'check_integrity'];
    const jobsOf = async (): Promise<any[]> =>
      (await cluster.query('SELECT type, status FROM jobs WHERE user_id = $1', [user.id])).filter(
        ({ type }) => kinds.includes(type as string),
      );
    const reports = (): Promise<any[]> =>
      cluster.query(`SELECT * FROM events WHERE user_id = $1 AND type = 'weekly.report'`, [user.id]);
    cluster.strikeCrons();
    cluster.strikeCrons();
    await waitFor('everything due to be done', async () => {
      const jobs = await jobsOf();
      return kinds.every((kind) => jobs.some(({ type, status }) => type === kind && status === 'completed'));
    });
    // On a Monday morning nothing is reported yet; see `weekToReport`.
    const isReported = new Date(Date.now() - 8 * 3_600_000).getUTCDay() !== 0 || new Date().getUTCDay() === 0;
    if (isReported) await waitFor('the weekly report', async () => (await reports()).length > 0);
    const midnight = Math.floor(Date.now() / DAY_MS);
    cluster.strikeCrons();
    await user.jobEnd(await mark(connected));
    cluster.strikeCrons();
    await user.jobEnd(await mark(connected));
    // A new day has its own nights.
    if (Math.floor(Date.now() / DAY_MS) === midnight)
      expect((await jobsOf()).map(({ type }) => type as string).sort()).toEqual([...kinds].sort());
    expect((await reports()).length).toBeLessThanOrEqual(1);
    expect(cluster.logged('error', 'fatal', 'none')).toEqual([]);
  });

  it('should deliver each event once, with two senders', async () => {
    const connected = await connect(2);
    const { user } = connected;
    const url = receiver.url('/events');
    const hook = { name: 'All', url, events: ['job.completed'] };
    expect((await user.api.post('/api/webhooks', hook)).status).toBe(201);
    const jobs = await Promise.all(Array.from({ length: 8 }, () => mark(connected)));
    for (const jobId of jobs) await user.jobEnd(jobId);
    await waitFor('all deliveries to be over', async () => {
      const rows = await cluster.query(
        `SELECT status FROM webhook_deliveries WHERE webhook_id IN (SELECT id FROM webhooks WHERE user_id = $1)`,
        [user.id],
      );
      return rows.length === jobs.length && rows.every(({ status }) => status === 'delivered');
    });
    const told = receiver.at('/events').map(({ body }) => JSON.parse(body.toString()).data.jobId as string);
    expect(told.sort()).toEqual([...jobs].sort());
  });

  it('should apply a change that was just made at another', async () => {
    const connected = await connect(3);
    const { user, accountId } = connected;
    const [first, second] = [at(user, 'api1'), at(user, 'api2')];
    const preferences = { job_completed: false, job_completed_toast: false };
    expect((await first.api.put('/api/notifications/preferences', preferences)).status).toBe(200);
    const configuration = store.configuration('processes');
    expect((await first.api.put('/api/storage/config', configuration)).status).toBe(200);
    await user.jobEnd(await archive({ ...connected, user: second }));
    const stored = await cluster.query('SELECT storage FROM archived_mails WHERE account_id = $1', [
      accountId,
    ]);
    expect(stored).toHaveLength(3);
    expect(stored.some(({ storage }) => storage === 'local')).toBe(false);
    expect((await second.api.get('/api/notifications')).body.notifications).toEqual([]);

    expect((await first.api.patch(`/api/auth/mailbox/${accountId}/toggle`)).status).toBe(200);
    expect((await second.api.get(`/api/mailbox/${accountId}/labels`)).status).toBe(409);
    expect((await second.api.patch(`/api/auth/mailbox/${accountId}/toggle`)).status).toBe(200);
    expect((await first.api.get(`/api/mailbox/${accountId}/labels`)).status).toBe(200);

    const ofAdmin = cluster.at('api1', admin);
    expect((await second.api.get('/api/admin/stats')).status).toBe(403);
    await ofAdmin.patch(`/api/admin/users/${user.id}`, { role: 'admin' });
    await waitFor(
      'the new role to be known',
      async () => (await second.api.get('/api/admin/stats')).status === 200,
    );

    const large = await connectFor(user, 400);
    const jobId = await archive({ user: second, ...large });
    await waitFor(
      'it to be under way',
      async () => (await first.api.get(`/api/jobs/${jobId}`)).body.processed > 0,
    );
    await ofAdmin.patch(`/api/admin/users/${user.id}`, { is_active: false });
    await waitFor('nobody to be signed in', async () => (await me(user)).every((status) => status === 401));
    await waitFor('the job to have stopped', async () => {
      const [job] = await cluster.query(
        'SELECT status, completed_at FROM jobs WHERE user_id = $1 ORDER BY number DESC LIMIT 1',
        [user.id],
      );
      return job.status === 'cancelled' && job.completed_at !== null;
    });
  });

  it('should have shared the work without errors', async () => {
    for (const worker of WORKERS)
      expect(await cluster.metric(worker, 'mailroom_jobs_finished_total')).toBeGreaterThan(0);
    expect(cluster.logged('error', 'fatal', 'none')).toEqual([]);
  });
});
