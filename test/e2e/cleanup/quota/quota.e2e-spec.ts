import { newId } from '../../../../src/platform/crypto/ids';
import { RedisService } from '../../../../src/platform/redis/redis.service';
import { ProviderUsageRepository } from '../../../../src/providers/gateway/provider-usage.repository';
import { RecentUsage } from '../../../../src/providers/gateway/recent-usage';
import { summarize } from '../../../../src/providers/gateway/usage-summary';
import { QuotaCron } from '../../../../src/cleanup/quota/quota.cron';
import type { QuotaResponse } from '../../../../src/cleanup/quota/dto/quota.response';
import { ApiClient } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import { ServiceProcess } from '../../../support/service-process';
import { TcpProxy } from '../../../support/tcp-proxy';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';
import { nightly } from '../../../support/nightly';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNKNOWN = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';
/** The Gmail API counts no bytes. */
const NO_BYTES = { receivedBytes: null, sentBytes: null };
const LIMITS = { perSecond: 250, perMinute: 15_000, receivedBytesPerDay: null, sentBytesPerDay: null };

interface Endpoint {
  readonly endpoint: string;
  readonly units: number;
  readonly calls: number;
}

interface Row {
  readonly at: Date;
  readonly endpoint?: string;
  readonly units?: number;
  readonly calls?: number;
}

describe('Provider quota', () => {
  let sut: TestApp;
  let admin: TestUser;
  let user: TestUser;
  let mailboxes = 0;

  beforeAll(async () => {
    sut = await startTestApp({
      sandbox: { messages: 1 },
      env: {
        PROVIDER_UNITS_PER_SECOND: String(LIMITS.perSecond),
        PROVIDER_UNITS_PER_MINUTE: String(LIMITS.perMinute),
      },
    });
    admin = await sut.user('admin');
    user = await sut.user();
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });

  afterAll(() => sut?.close());

  beforeEach(() => sut.sandbox.clearFaults());

  /** A mailbox nothing has been spent on yet. */
  async function connect(messages = 20): Promise<{ id: string; email: string }> {
    const email = `quota${(mailboxes += 1)}-${messages}@sandbox.mailroom.test`;
    const id = await user.connect(email);
    sut.sandbox.stats.reset();
    return { id, email };
  }

  async function usageOf(accountId: string, api = user.api): Promise<QuotaResponse> {
    const { status, body } = await api.get<QuotaResponse>(`/api/quota/${accountId}`);
    expect(status).toBe(200);
    return body;
  }

  /** What the provider itself has counted. */
  function provider(): { endpoints: Endpoint[]; units: number; calls: number } {
    const { calls, units, totalCalls, totalUnits } = sut.sandbox.stats;
    const endpoints = Object.keys(units).map((endpoint) => ({
      // The simulator says it as the provider's client does.
      endpoint: endpoint === 'getProfile' ? 'profile.get' : endpoint,
      units: units[endpoint]!,
      calls: calls[endpoint]!,
    }));
    return { endpoints, units: totalUnits, calls: totalCalls };
  }

  const byName = (endpoints: readonly Endpoint[]): Endpoint[] =>
    [...endpoints].sort((a, b) => (a.endpoint < b.endpoint ? -1 : 1));

  async function insert(accountId: string, rows: readonly Row[]): Promise<void> {
    await sut.dataSource.query(
      `INSERT INTO provider_usage (account_id, minute, endpoint, units, calls)
       SELECT $1, * FROM unnest($2::timestamptz[], $3::text[], $4::int[], $5::int[])`,
      [
        accountId,
        rows.map(({ at }) => at),
        rows.map(({ endpoint = 'messages.get' }) => endpoint),
        rows.map(({ units = 5 }) => units),
        rows.map(({ calls = 1 }) => calls),
      ],
    );
  }

  describe('usage of an account', () => {
    it('should be all zero before anything is spent', async () => {
      const { id } = await connect();
      const before = Date.now();
      await sut.dataSource.query('DELETE FROM provider_usage WHERE account_id = $1', [id]);
      const body = await usageOf(id);
      expect(body).toEqual({
        limits: LIMITS,
        usage: {
          lastMinute: { units: 0, calls: 0, percentOfLimit: 0 },
          lastHour: { units: 0, calls: 0 },
          last24h: { units: 0, calls: 0, ...NO_BYTES },
        },
        topEndpoints: [],
        hourlyBreakdown: expect.any(Array),
      });
      const hours = body.hourlyBreakdown.map(({ hour }) => Date.parse(hour));
      expect(hours).toHaveLength(24);
      expect([before, Date.now()].map((at) => Math.floor(at / HOUR) * HOUR)).toContain(hours[23]);
      expect(hours.slice(1).map((hour, index) => hour - hours[index]!)).toEqual(Array(23).fill(HOUR));
      expect(body.hourlyBreakdown.every(({ units, calls }) => units === 0 && calls === 0)).toBe(true);
    });

    it('should match the provider’s own count at once', async () => {
      const { id, email } = await connect(600);
      const ids = sut.sandbox.mailbox(email).ids();
      await user.api.get(`/api/mailbox/${id}/profile`);
      for (let page = 0; page < 3; page++) await user.api.get(`/api/mailbox/${id}/messages?maxResults=500`);
      await user.api.post(`/api/mailbox/${id}/messages/batch`, { ids: ids.slice(0, 100) });
      await user.api.get(`/api/mailbox/${id}/messages/${ids[0]}/full`);
      await user.api.post(`/api/mailbox/${id}/labels`, { name: 'Quota' });
      const { body } = await user.api.post(`/api/mailbox/${id}/messages/bulk`, {
        action: 'mark_read',
        messageIds: ids,
      });
      expect(await user.jobEnd(body.jobId as string)).toMatchObject({ status: 'completed' });

      const { usage, spent } = await waitFor('the account to be idle', async () => {
        const [before, answer] = [provider(), await usageOf(id)];
        const idle = answer.usage.lastMinute.calls === before.calls && provider().calls === before.calls;
        return idle && { usage: answer, spent: before };
      });
      const counted = { units: spent.units, calls: spent.calls };
      expect(spent.calls).toBeGreaterThan(100);
      expect(byName(usage.topEndpoints)).toEqual(byName(spent.endpoints));
      expect(usage.topEndpoints.map(({ units }) => units)).toEqual(
        spent.endpoints.map(({ units }) => units).sort((a, b) => b - a),
      );
      expect(usage.usage.lastMinute).toEqual({
        ...counted,
        percentOfLimit: Math.round((spent.units / LIMITS.perMinute) * 1_000) / 10,
      });
      expect(usage.usage.lastMinute.percentOfLimit).toBeGreaterThan(0);
      expect(usage.usage.lastHour).toEqual(counted);
      expect(usage.usage.last24h).toEqual({ ...counted, ...NO_BYTES });
      const hours = usage.hourlyBreakdown;
      expect(hours.reduce((sum, { units }) => sum + units, 0)).toBe(spent.units);
      expect(hours.reduce((sum, { calls }) => sum + calls, 0)).toBe(spent.calls);
      // The breakdown costs nothing itself.
      expect(sut.sandbox.stats.totalCalls).toBe(spent.calls);
    });

    it('should count refused calls and their retries', async () => {
      const { id } = await connect();
      sut.sandbox.fault({ endpoint: 'messages.list', times: 2, answer: { kind: 'unavailable' } });
      await user.api.get(`/api/mailbox/${id}/messages`);
      const { topEndpoints } = await usageOf(id);
      expect(sut.sandbox.stats.calls['messages.list']).toBe(3);
      expect(topEndpoints).toEqual([{ endpoint: 'messages.list', units: 15, calls: 3 }]);
    });

    it('should keep accounts separate', async () => {
      const [first, second] = [await connect(), await connect()];
      await user.api.get(`/api/mailbox/${first.id}/profile`);
      expect((await usageOf(first.id)).usage.lastMinute).toMatchObject({ units: 1, calls: 1 });
      expect((await usageOf(second.id)).usage.lastMinute).toMatchObject({ units: 0, calls: 0 });
    });

    it('should remain when the account is disconnected', async () => {
      const { id } = await connect();
      await user.api.get(`/api/mailbox/${id}/profile`);
      expect((await user.api.delete(`/api/auth/mailbox/${id}`)).status).toBe(204);
      expect((await usageOf(id)).usage.lastHour).toEqual({ units: 1, calls: 1 });
    });

    it('should name only the ten most expensive methods of the day', async () => {
      const { id } = await connect();
      const at = new Date(Date.now() - 2 * HOUR);
      const rows = Array.from({ length: 12 }, (_, index) => ({
        at,
        endpoint: `method.${index}`,
        units: 100 + index,
        calls: 20 - index,
      }));
      await insert(id, [...rows, { at: new Date(Date.now() - 25 * HOUR), endpoint: 'old', units: 9_999 }]);
      const { topEndpoints, usage } = await usageOf(id);
      expect(topEndpoints).toEqual(
        rows
          .slice(2)
          .reverse()
          .map(({ endpoint, units, calls }) => ({ endpoint, units, calls })),
      );
      expect(usage.last24h.units).toBe(rows.reduce((sum, { units }) => sum + units, 0));
      expect(usage.lastHour).toEqual({ units: 0, calls: 0 });
    });

    it.each<[string, () => Promise<string>, number, string]>([
      ['of a stranger’s account', async () => (await connect()).id, 403, 'account-not-owned'],
      ['of an unknown account', async () => UNKNOWN, 403, 'account-not-owned'],
      ['for an invalid id', async () => 'nonsense', 400, 'validation-failed'],
    ])('should not be revealed %s', async (_what, targetOf, status, code) => {
      const target = await targetOf();
      const answer = await admin.api.get(`/api/quota/${target}`);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect((await sut.anonymous.get(`/api/quota/${target}`)).status).toBe(401);
    });
  });

  describe('windows', () => {
    const now = new Date('2026-03-01T12:34:56.789Z');

    it('should cover an hour and a day by the minute, and 24 clock hours', async () => {
      const { id } = await connect();
      await insert(id, [
        { at: new Date('2026-03-01T12:34:00Z'), units: 1 },
        { at: new Date('2026-03-01T11:35:00Z'), units: 2 },
        { at: new Date('2026-03-01T11:34:00Z'), units: 4 },
        { at: new Date('2026-02-28T13:00:00Z'), units: 8, endpoint: 'messages.list' },
        { at: new Date('2026-02-28T12:35:00Z'), units: 16 },
        { at: new Date('2026-02-28T12:34:00Z'), units: 32 },
      ]);
      const records = sut.app.get(ProviderUsageRepository);
      const { provider, sums } = await records.sumLastDay(user.id, id, now);
      expect(provider).toBe('gmail');
      const { lastHour, lastDay, endpoints, hours } = summarize(sums, now);
      expect(lastHour).toEqual({ units: 3, calls: 2 });
      expect(lastDay).toEqual({ units: 31, calls: 5 });
      expect(endpoints).toEqual([
        { endpoint: 'messages.get', units: 23, calls: 4 },
        { endpoint: 'messages.list', units: 8, calls: 1 },
      ]);
      expect(hours[0]).toEqual({ hour: new Date('2026-02-28T13:00:00Z'), units: 8, calls: 1 });
      expect(hours.slice(22)).toEqual([
        { hour: new Date('2026-03-01T11:00:00Z'), units: 6, calls: 2 },
        { hour: new Date('2026-03-01T12:00:00Z'), units: 1, calls: 1 },
      ]);
      const others = await records.sumLastDay(admin.id, id, now);
      expect(others.provider).toBeNull();
      expect(others.sums).toEqual([expect.objectContaining({ endpoint: null, hour: null, units: 0 })]);
    });

    it('should slide over the last sixty seconds, like the counter in Redis', async () => {
      const redis = sut.app.get(RedisService);
      const account = newId();
      const [first, second] = [new RecentUsage(redis), new RecentUsage(redis)];
      const at = Date.parse('2026-03-01T12:00:10.500Z');
      for (let second = 0; second < 90; second++) first.record(account, 5, 1, at - second * 1_000);
      second.record(account, 50, 10, at - 30_000);
      await Promise.all([first.write(at), second.write(at)]);
      const spent = (later: number): Promise<unknown> => first.sumLastMinute(account, at + later * 1_000);
      expect(await spent(0)).toEqual({ units: 350, calls: 70 });
      expect(await spent(29)).toEqual({ units: 205, calls: 41 });
      expect(await spent(30)).toEqual({ units: 150, calls: 30 });
      expect(await spent(59)).toEqual({ units: 5, calls: 1 });
      expect(await spent(60)).toEqual({ units: 0, calls: 0 });
      const keys = await redis.client.keys(redis.key('provider', `{${account}}`, 'spent', '*'));
      expect(keys).toHaveLength(3);
      for (const key of keys) {
        const seconds = await redis.client.ttl(key);
        expect(seconds).toBeGreaterThan(60);
        expect(seconds).toBeLessThanOrEqual(120);
      }
    });
  });

  describe('cleaning up', () => {
    beforeEach(() => sut.dataSource.query('TRUNCATE provider_usage'));

    const cleanUp = (by: TestUser): Promise<{ status: number; body: any }> =>
      by.api.post('/api/quota/cleanup');
    const rowsOf = async (accountId: string): Promise<number> =>
      (
        await sut.dataSource.query<{ count: number }[]>(
          'SELECT count(*)::int AS count FROM provider_usage WHERE account_id = $1',
          [accountId],
        )
      )[0]!.count;
    const old = (minutes: number): Date => new Date(Date.now() - 30 * DAY - minutes * MINUTE);

    it('should delete records older than 30 days, of all users, and nothing else', async () => {
      const [first, second] = [await connect(), await connect()];
      await insert(first.id, [
        ...[1, 2, 50_000].map((minutes) => ({ at: old(minutes) })),
        ...[-2, -60, -30 * 24 * 60].map((minutes) => ({ at: old(minutes) })),
      ]);
      await insert(second.id, [{ at: old(5) }, { at: old(5), endpoint: 'messages.list' }, { at: old(-5) }]);
      const { status, body } = await cleanUp(admin);
      expect([status, body]).toEqual([200, { deleted: 5 }]);
      expect([await rowsOf(first.id), await rowsOf(second.id)]).toEqual([3, 1]);
      expect((await cleanUp(admin)).body).toEqual({ deleted: 0 });
    });

    it('should delete many in batches, and share them between processes', async () => {
      const ids = [(await connect()).id, (await connect()).id, (await connect()).id];
      for (const id of ids) {
        await insert(
          id,
          Array.from({ length: 8_000 }, (_, index) => ({ at: old(index + 1) })),
        );
        await insert(id, [{ at: new Date() }]);
      }
      const answers = await Promise.all([cleanUp(admin), cleanUp(admin), cleanUp(admin)]);
      const deleted = answers.map(({ body }) => body.deleted as number);
      const rest = (await cleanUp(admin)).body.deleted as number;
      expect(deleted.reduce((sum, count) => sum + count, rest)).toBe(24_000);
      for (const id of ids) expect(await rowsOf(id)).toBe(1);
    });

    it('should run every night', async () => {
      const { id } = await connect();
      await insert(id, [{ at: old(1) }, { at: old(-2) }]);
      await sut.app.get(QuotaCron).deleteOldUsage();
      expect(await rowsOf(id)).toBe(1);
    });

    it('should be accessible to administrators only', async () => {
      const { id } = await connect();
      await insert(id, [{ at: old(1) }]);
      expect((await cleanUp(user)).status).toBe(403);
      expect((await sut.anonymous.post('/api/quota/cleanup')).status).toBe(401);
      expect(await rowsOf(id)).toBe(1);
    });
  });

  describe('over several processes', () => {
    let other: ServiceProcess;

    const on = (process: ServiceProcess): ApiClient => new ApiClient(process.url, user.api.token);
    const statusOf = async (accountId: string, api = user.api): Promise<string> => {
      const { body } = await api.get<{ mailboxAccounts: { id: string; status: string }[] }>('/api/auth/me');
      return body.mailboxAccounts.find(({ id }) => id === accountId)!.status;
    };

    beforeAll(async () => {
      other = await ServiceProcess.start({ ...sut.env });
    });

    afterAll(() => other?.stop());

    it('should count the units that other processes have spent', async () => {
      const { id } = await connect();
      await on(other).get(`/api/mailbox/${id}/messages`);
      await user.api.get(`/api/mailbox/${id}/messages`);
      const expected = { units: 10, calls: 2 };
      // The other one writes every three seconds; its own it knows at once.
      expect((await usageOf(id, on(other))).usage.lastMinute.calls).toBeGreaterThan(0);
      await waitFor(
        'the other process’s calls to be seen',
        async () => (await usageOf(id)).usage.lastMinute.calls === 2,
        5_000,
      );
      for (const api of [user.api, on(other)]) {
        const { usage } = await usageOf(id, api);
        expect(usage).toMatchObject({ lastMinute: expected, lastHour: expected, last24h: expected });
      }
    });

    nightly.each([
      ['ends its pause itself', false],
      ['is killed meanwhile', true],
    ])('should show the account as rate_limited while it is paused by one that %s', async (_what, killed) => {
      const { id } = await connect();
      expect(await statusOf(id)).toBe('connected');
      const afterMs = 11_000;
      sut.sandbox.fault({ endpoint: 'messages.list', answer: { kind: 'retryAfter', afterMs } });
      const since = Date.now();
      const refused = await on(other).get(`/api/mailbox/${id}/messages`);
      expect([refused.status, refused.body.code]).toEqual([503, 'provider-rate-limited']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await statusOf(id, on(other))).toBe('rate_limited');
      if (killed) await other.kill();

      expect(await statusOf(id)).toBe('rate_limited');
      const calls = sut.sandbox.stats.totalCalls;
      await waitFor('the pause to end', async () => (await statusOf(id)) === 'connected', 2 * afterMs);
      expect(Date.now() - since).toBeGreaterThanOrEqual(afterMs - 500);
      expect(Date.now() - since).toBeLessThan(afterMs + 3_000);
      expect(sut.sandbox.stats.totalCalls).toBe(calls);
      expect((await user.api.get(`/api/mailbox/${id}/messages`)).status).toBe(200);
      if (!killed) expect(await statusOf(id, on(other))).toBe('connected');
    });
  });

  it('should show the account as rate_limited when a job reaches the provider’s own limit', async () => {
    const tight = await startTestApp({
      sandbox: { messages: 1, quota: { unitsPerMinute: 120 } },
    });
    try {
      const owner = await tight.user();
      const id = await owner.connect('tight-4000@sandbox.mailroom.test');
      const status = async (): Promise<string> =>
        (await owner.api.get('/api/auth/me')).body.mailboxAccounts[0].status as string;
      const { body } = await owner.api.post(`/api/mailbox/${id}/messages/bulk`, {
        action: 'mark_read',
        messageIds: tight.sandbox.mailbox('tight-4000@sandbox.mailroom.test').ids(),
      });
      await waitFor('the provider to refuse', () => tight.sandbox.stats.refused > 0, 20_000);
      await waitFor('the pause to be shown', async () => (await status()) === 'rate_limited', 10_000);
      await owner.api.delete(`/api/jobs/${body.jobId}`);
    } finally {
      await tight.close();
    }
  });

  it('should answer 503 without Redis, and count everything afterwards', async () => {
    const redis = await TcpProxy.to(process.env.MAILROOM_TEST_REDIS_URL!);
    const cut = await startTestApp({ sandbox: { messages: 1 }, env: { REDIS_URL: redis.url } });
    try {
      const owner = await cut.user();
      const id = await owner.connect('cut-20@sandbox.mailroom.test');
      await owner.api.get(`/api/mailbox/${id}/messages`);
      redis.vanish();
      const answer = await owner.api.get(`/api/quota/${id}`);
      expect([answer.status, answer.body.code]).toEqual([503, 'service-unavailable']);
      redis.restore();
      const { body } = await waitFor('Redis to be back', async () => {
        const again = await owner.api.get<QuotaResponse>(`/api/quota/${id}`);
        return again.status === 200 && again;
      });
      expect(body.usage.lastMinute).toMatchObject({ units: 5, calls: 1 });
      expect(body.usage.lastHour).toEqual({ units: 5, calls: 1 });
    } finally {
      redis.restore();
      await cut.close();
      await redis.close();
    }
  });
});
