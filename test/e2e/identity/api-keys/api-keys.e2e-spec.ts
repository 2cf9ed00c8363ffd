import { ApiKeysRepository } from '../../../../src/identity/api-keys/api-keys.repository';
import { hashApiKey, newApiKey } from '../../../../src/identity/api-keys/api-key-format';
import { UsersService } from '../../../../src/identity/users/users.service';
import { ApiAnswer, ApiClient } from '../../../support/api-client';
import { Served, startTestApp, TestApp } from '../../../support/app';
import { EventStream } from '../../../support/event-stream';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UNKNOWN = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

describe('API keys', () => {
  let test: TestApp;
  /** Another process of the same installation. */
  let other: Served;

  /** Whose requests are wrong. */
  let hasty: TestUser;

  beforeAll(async () => {
    test = await startTestApp({ sandbox: { messages: 5 } });
    await test.user('administrator');
    hasty = await test.user('hasty');
    other = await test.another({ ROLE: 'api' });
  });
  afterAll(async () => {
    await other.app.close();
    await test.close();
  });

  const create = async (user: TestUser, choice: object = {}): Promise<any> => {
    const { status, body } = await user.api.post('/api/auth/api-keys', { name: 'script', ...choice });
    if (status !== 201) throw new Error(`Making a key answered ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const using = (key: string, url = test.url): ApiClient => new ApiClient(url, key);
  const client = async (user: TestUser, choice: object = {}): Promise<ApiClient> =>
    using((await create(user, choice)).key as string);
  const gist = ({ status, body }: ApiAnswer): unknown => [status, body?.code];
  const sql = (statement: string, parameters: unknown[] = []): Promise<any[]> =>
    test.dataSource.query(statement, parameters);

  describe('their routes', () => {
    it('should return the key once, and store nothing from which it could be derived', async () => {
      const user = await test.user();
      const { status, body } = await user.api.post('/api/auth/api-keys', { name: '  Backup script ' });
      expect(status).toBe(201);
      const { key, ...record } = body;
      expect(key).toMatch(/^mrk_[0-9A-Za-z]{49}$/);
      expect(record).toEqual({
        id: expect.any(String),
        name: 'Backup script',
        prefix: key.slice(0, 12),
        scope: 'read',
        account_ids: null,
        expires_at: null,
        last_used_at: null,
        created_at: expect.stringMatching(ISO),
      });
      expect((await user.api.get('/api/auth/api-keys')).body).toEqual([record]);
      const [row] = await sql('SELECT * FROM api_keys WHERE id = $1', [record.id]);
      expect(row.key_hash).toEqual(hashApiKey(key));
      expect(JSON.stringify({ ...row, text: row.key_hash.toString('latin1') })).not.toContain(key.slice(12));
    });

    it('should list them newest first, and only those of the caller', async () => {
      const [user, stranger] = [await test.user(), await test.user()];
      const accountId = await user.connect('keys-list-1@sandbox.mailroom.test');
      const older = await create(user, {
        scope: 'write',
        expires_at: inDays(30),
        accountIds: [accountId.toUpperCase()],
      });
      const newer = await create(user, { name: 'newer', expires_at: null, accountIds: null });
      await create(stranger);
      const { body } = await user.api.get('/api/auth/api-keys');
      expect(body.map(({ id }: { id: string }) => id)).toEqual([newer.id, older.id]);
      expect(body[1]).toMatchObject({
        scope: 'write',
        account_ids: [accountId],
        expires_at: expect.stringMatching(ISO),
      });
      expect(body[0]).toMatchObject({ account_ids: null, expires_at: null });
    });

    it.each([
      ['name', {}],
      ['name', { name: ' ' }],
      ['name', { name: 'x'.repeat(101) }],
      ['name', { name: 'a\u0000b' }],
      ['name', { name: 7 }],
      ['scope', { name: 'x', scope: 'admin' }],
      ['scope', { name: 'x', scope: null }],
      ['expires_at', { name: 'x', expires_at: '2020-01-01T00:00:00Z' }],
      ['expires_at', { name: 'x', expires_at: inDays(366 * 5) }],
      ['expires_at', { name: 'x', expires_at: '2030-01-01' }],
      ['accountIds', { name: 'x', accountIds: [] }],
      ['accountIds', { name: 'x', accountIds: ['x'] }],
      ['accountIds', { name: 'x', accountIds: [UNKNOWN, UNKNOWN] }],
      ['accountIds', { name: 'x', accountIds: UNKNOWN }],
      [
        'accountIds',
        { name: 'x', accountIds: Array.from({ length: 51 }, (_, n) => UNKNOWN.slice(0, -2) + (10 + n)) },
      ],
    ])('should answer 400 that names %s, case %#', async (field, body) => {
      const answer = await hasty.api.post('/api/auth/api-keys', body);
      expect(gist(answer)).toEqual([400, 'validation-failed']);
      expect(answer.body.errors).toEqual([
        expect.objectContaining({ field: expect.stringContaining(field) }),
      ]);
    });

    it('should not bind to accounts of another user', async () => {
      const [user, stranger] = [await test.user(), await test.user()];
      const own = await user.connect('keys-own-1@sandbox.mailroom.test');
      const foreign = await stranger.connect('keys-foreign-1@sandbox.mailroom.test');
      for (const accountIds of [[foreign], [own, foreign], [UNKNOWN]]) {
        const answer = await user.api.post('/api/auth/api-keys', { name: 'x', accountIds });
        expect(gist(answer)).toEqual([403, 'account-not-owned']);
      }
      expect((await user.api.get('/api/auth/api-keys')).body).toEqual([]);
    });

    it('should create at most 50 for a user, however many requests are concurrent', async () => {
      const user = await test.user();
      const answers = await Promise.all(
        Array.from({ length: 54 }, () => user.api.post('/api/auth/api-keys', { name: 'x' })),
      );
      const codes = answers.map(({ body }) => body.code);
      expect(codes.filter((code) => code === undefined)).toHaveLength(50);
      expect(codes.filter((code) => code === 'api-key-limit')).toHaveLength(4);
      const { body } = await user.api.get('/api/auth/api-keys');
      expect(body).toHaveLength(50);
      await user.api.delete(`/api/auth/api-keys/${body[0].id}`);
      expect((await user.api.post('/api/auth/api-keys', { name: 'x' })).status).toBe(201);
    });

    it('should delete only the caller’s own', async () => {
      const [user, stranger] = [await test.user(), await test.user()];
      const { id, key } = await create(user);
      expect(gist(await stranger.api.delete(`/api/auth/api-keys/${id}`))).toEqual([404, 'api-key-not-found']);
      expect(gist(await user.api.delete('/api/auth/api-keys/x'))).toEqual([400, 'validation-failed']);
      expect((await using(key).get('/api/jobs')).status).toBe(200);
      expect((await user.api.delete(`/api/auth/api-keys/${id}`)).status).toBe(204);
      expect(gist(await user.api.delete(`/api/auth/api-keys/${id}`))).toEqual([404, 'api-key-not-found']);
    });

    it('should not be usable with an API key, nor without a token', async () => {
      const user = await test.user();
      const api = await client(user, { scope: 'write' });
      for (const answer of [
        await api.get('/api/auth/api-keys'),
        await api.post('/api/auth/api-keys', { name: 'x' }),
        await api.delete(`/api/auth/api-keys/${UNKNOWN}`),
        await api.get('/api/auth/me'),
        await api.post('/api/auth/logout'),
      ])
        expect(gist(answer)).toEqual([403, 'session-required']);
      expect(gist(await test.anonymous.get('/api/auth/api-keys'))).toEqual([401, 'unauthorized']);
      expect(gist(await test.anonymous.post('/api/auth/api-keys', {}))).toEqual([401, 'unauthorized']);
    });
  });

  describe('as bearer tokens', () => {
    it('should be refused when they are unknown, garbled, or not in the header', async () => {
      const user = await test.user();
      const { key } = await create(user);
      expect((await using(key).get('/api/jobs')).status).toBe(200);
      const garbled = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
      for (const wrong of [
        'mrk_',
        'mrk_x',
        garbled,
        key.slice(0, -1),
        `${key}0`,
        key.toLowerCase(),
        newApiKey(),
      ])
        expect([wrong, gist(await using(wrong).get('/api/jobs'))]).toEqual([wrong, [401, 'unauthorized']]);
      const cookie = { cookie: `mailroom_access=${key}` };
      expect((await test.anonymous.get('/api/jobs', { headers: cookie })).status).toBe(401);
      const queries = `access_token=${key}&token=${key}&api_key=${key}`;
      expect((await test.anonymous.get(`/api/jobs?${queries}`)).status).toBe(401);
      const basic = { authorization: `Basic ${key}` };
      expect((await test.anonymous.get('/api/jobs', { headers: basic })).status).toBe(401);
      const odd = { authorization: `bEARER ${key}` };
      expect((await test.anonymous.get('/api/jobs', { headers: odd })).status).toBe(200);
    });

    it('should stop working in every process once they are deleted', async () => {
      const user = await test.user();
      const { id, key } = await create(user);
      const apis = [using(key), using(key, other.url)];
      for (const api of apis) expect((await api.get('/api/jobs')).status).toBe(200);
      await user.api.delete(`/api/auth/api-keys/${id}`);
      for (const api of apis) expect((await api.get('/api/jobs')).status).toBe(401);
    });

    it('should stop working in every process once their user is deactivated, and work again when reactivated', async () => {
      const user = await test.user();
      const { key } = await create(user);
      const apis = [using(key), using(key, other.url)];
      for (const api of apis) expect((await api.get('/api/jobs')).status).toBe(200);
      await test.app.get(UsersService).update(user.id, { isActive: false });
      for (const api of apis) expect((await api.get('/api/jobs')).status).toBe(401);
      await test.app.get(UsersService).update(user.id, { isActive: true });
      for (const api of apis) expect((await api.get('/api/jobs')).status).toBe(200);
    });

    it('should end at their expiry, even if they are cached', async () => {
      const user = await test.user();
      const { id, key } = await create(user, { expires_at: inDays(1) });
      const expiresAt = Date.now() + 600;
      await sql('UPDATE api_keys SET expires_at = $2 WHERE id = $1', [id, new Date(expiresAt)]);
      const stream = await EventStream.open(using(key), '/api/jobs/events');
      expect(stream.status).toBe(200);
      expect((await using(key).get('/api/jobs')).status).toBe(200);
      await stream.until('its end', () => stream.ended, 5_000);
      expect(Date.now()).toBeGreaterThanOrEqual(expiresAt - 5);
      await waitFor('the expiry', () => Date.now() >= expiresAt);
      expect((await using(key).get('/api/jobs')).status).toBe(401);
      expect((await user.api.get('/api/auth/api-keys')).body).toEqual([expect.objectContaining({ id })]);
    });

    it('should end the streams opened with them, and no others, in every process', async () => {
      const user = await test.user();
      const { id, key } = await create(user);
      const open = (api: ApiClient): Promise<EventStream> => EventStream.open(api, '/api/jobs/events');
      const own = [await open(using(key)), await open(using(key, other.url))];
      const others = [await open(user.api), await open(await client(user))];
      await user.api.delete(`/api/auth/api-keys/${id}`);
      for (const stream of own) await stream.until('its end', () => stream.ended, 2_000);
      for (const stream of others) {
        expect(stream.ended).toBe(false);
        stream.close();
      }
    });

    it('should never have the role of their user', async () => {
      const user = await test.user();
      const { key } = await create(user, { scope: 'write' });
      await test.app.get(UsersService).update(user.id, { role: 'admin' });
      for (const api of [using(key), using(key, other.url)])
        expect(gist(await api.post('/api/quota/cleanup'))).toEqual([403, 'session-required']);
    });

    it('should count towards the rate limit of their user', async () => {
      const user = await test.user();
      const remaining = async (api: ApiClient): Promise<number> =>
        Number((await api.get('/api/jobs')).headers.get('ratelimit-remaining'));
      const [first, second] = [await client(user), await client(user)];
      const before = await remaining(user.api);
      expect([await remaining(first), await remaining(second)]).toEqual([before - 1, before - 2]);
    });

    it('should cost no more queries than a session', async () => {
      const user = await test.user();
      const accountId = await user.connect('keys-cost-1@sandbox.mailroom.test');
      const path = `/api/archive/${accountId}/mails`;
      const key = await client(user);
      const statements = async (api: ApiClient): Promise<string[]> => {
        const seen: string[] = [];
        const make = test.dataSource.createQueryRunner.bind(test.dataSource);
        const spy = jest.spyOn(test.dataSource, 'createQueryRunner').mockImplementation((mode) => {
          const runner = make(mode);
          const query = runner.query.bind(runner) as (...args: unknown[]) => Promise<unknown>;
          runner.query = ((...args: unknown[]) => {
            seen.push(String(args[0]));
            return query(...args);
          }) as typeof runner.query;
          return runner;
        });
        try {
          expect((await api.get(path)).status).toBe(200);
        } finally {
          spy.mockRestore();
        }
        return seen.filter((statement) => /\b(sessions|api_keys|users|mailbox_accounts)\b/.test(statement));
      };
      for (const api of [user.api, key]) await api.get(path);
      await waitFor('the use to be recorded', async () => {
        const [row] = await sql('SELECT last_used_at FROM api_keys WHERE user_id = $1', [user.id]);
        return row.last_used_at !== null;
      });
      for (const api of [user.api, key]) await api.get(path);
      const [session, warm] = [await statements(user.api), await statements(key)];
      expect(warm).toEqual(session);
      expect(warm.join('\n')).not.toMatch(/\b(sessions|api_keys)\b/);
    });

    it('should show when they were last used, to the minute', async () => {
      const user = await test.user();
      const { id, key } = await create(user);
      const lastUse = async (): Promise<string | null> =>
        (await user.api.get('/api/auth/api-keys')).body[0].last_used_at;
      const before = Date.now();
      await using(key).get('/api/jobs');
      const first = await waitFor('the use to be recorded', async () => (await lastUse()) ?? undefined);
      expect(Date.parse(first)).toBeGreaterThanOrEqual(before);
      // Whichever process it is that notes the next use.
      const keys = test.app.get(ApiKeysRepository);
      await keys.recordUse(id, new Date(Date.parse(first) + 59_000), 60);
      expect(await lastUse()).toBe(first);
      await keys.recordUse(id, new Date(Date.parse(first) + 60_000), 60);
      expect(Date.parse((await lastUse())!)).toBe(Date.parse(first) + 60_000);
    });
  });

  describe('bound to accounts', () => {
    let user: TestUser;
    let [own, unbound]: string[] = [];

    beforeAll(async () => {
      user = await test.user();
      own = await user.connect('keys-bound-1@sandbox.mailroom.test');
      unbound = await user.connect('keys-unbound-1@sandbox.mailroom.test');
    });

    const scan = async (accountId: string | undefined): Promise<string> =>
      (await user.api.post(`/api/unsubscribe/${accountId}/scan`)).body.jobId as string;

    it('should reach these, in either spelling, and no others', async () => {
      const stranger = await test.user();
      const foreign = await stranger.connect('keys-others-1@sandbox.mailroom.test');
      const api = await client(user, { accountIds: [own] });
      const labels = (accountId: string): Promise<ApiAnswer> => api.get(`/api/mailbox/${accountId}/labels`);
      expect((await labels(own!)).status).toBe(200);
      expect((await labels(own!.toUpperCase())).status).toBe(200);
      for (const accountId of [unbound!, foreign, UNKNOWN])
        expect(gist(await labels(accountId))).toEqual([403, 'api-key-account']);
      expect(gist(await labels('x'))).toEqual([400, 'validation-failed']);
    });

    it('should see and cancel only the jobs of these', async () => {
      const api = await client(user, { accountIds: [own], scope: 'write' });
      const free = await client(user);
      const stream = await EventStream.open(api, '/api/jobs/events');
      const [mine, hidden] = [await scan(own), await scan(unbound)];
      for (const jobId of [mine, hidden]) await user.jobEnd(jobId);
      const ids = async (reader: ApiClient, query = ''): Promise<string[]> =>
        (await reader.get(`/api/jobs${query}`)).body.map((job: { queue_id: string }) => job.queue_id);
      expect(await ids(api)).toEqual([mine]);
      expect(await ids(free)).toEqual([hidden, mine]);
      expect(await ids(api, `?accountId=${own}`)).toEqual([mine]);
      expect(await ids(api, `?accountId=${own!.toUpperCase()}`)).toEqual([mine]);
      expect(gist(await api.get(`/api/jobs?accountId=${unbound}`))).toEqual([403, 'api-key-account']);
      expect((await api.get(`/api/jobs/${mine}`)).status).toBe(200);
      const hiddenId = (await user.api.get(`/api/jobs/${hidden}`)).body.id as string;
      for (const answer of [
        await api.get(`/api/jobs/${hidden}`),
        await api.get(`/api/jobs/${hiddenId}`),
        await api.get(`/api/jobs/${hidden}/events`),
        await api.delete(`/api/jobs/${hidden}`),
      ])
        expect(gist(answer)).toEqual([404, 'job-not-found']);
      expect(gist(await api.get(`/api/jobs?before=${hiddenId}`))).toEqual([400, 'validation-failed']);
      expect(gist(await api.delete(`/api/jobs/${mine}`))).toEqual([409, 'job-finished']);
      await stream.until('the end of its job', () =>
        stream.of(mine).some((event) => event.data.completed_at),
      );
      expect(stream.of(hidden)).toEqual([]);
      stream.close();
    });

    it('should reach nothing once their accounts are deleted', async () => {
      const gone = await user.connect('keys-gone-1@sandbox.mailroom.test');
      const api = await client(user, { accountIds: [gone], scope: 'write' });
      expect((await api.get(`/api/mailbox/${gone}/labels`)).status).toBe(200);
      await user.api.delete(`/api/auth/mailbox/${gone}?purge=true`);
      await waitFor('the account to be gone', async () => {
        const { body } = await user.api.get('/api/auth/me');
        return !body.mailboxAccounts.some(({ id }: { id: string }) => id === gone);
      });
      expect(gist(await api.get(`/api/archive/${gone}/mails`))).toEqual([403, 'account-not-owned']);
      expect(gist(await api.get(`/api/archive/${own}/mails`))).toEqual([403, 'api-key-account']);
      expect((await api.get('/api/jobs')).body).toEqual([]);
      const empty = await create(user, { accountIds: [own] });
      await sql(`UPDATE api_keys SET account_ids = '{}' WHERE id = $1`, [empty.id]);
      expect(gist(await using(empty.key).get(`/api/archive/${own}/mails`))).toEqual([403, 'api-key-account']);
      expect((await using(empty.key).get('/api/jobs')).body).toEqual([]);
    });
  });

  describe('in the audit log', () => {
    it('should be found when created, deleted and used beyond their scope, once each', async () => {
      const user = await test.user();
      const { id, key } = await create(user, { expires_at: '2030-01-01T00:00:00Z' });
      const api = using(key);
      for (let round = 0; round < 3; round += 1) {
        expect(gist(await api.delete('/api/notifications'))).toEqual([403, 'api-key-scope']);
        expect(gist(await api.get('/api/auth/me'))).toEqual([403, 'session-required']);
      }
      const acts = (): Promise<any[]> =>
        sql(
          `SELECT action, outcome, actor_kind, api_key_id, user_id, target_type, target_id, details FROM audit_entries
           WHERE target_id = $1 ORDER BY action, details->>'code'`,
          [id],
        );
      await waitFor('both refusals', async () => (await acts()).length === 3);
      await user.api.delete(`/api/auth/api-keys/${id}`);
      const common = { user_id: user.id, target_type: 'api-key', target_id: id };
      const byUser = { ...common, actor_kind: 'user', api_key_id: null, outcome: 'success' };
      const byKey = { ...common, actor_kind: 'api-key', api_key_id: id, outcome: 'failure' };
      expect(await acts()).toEqual([
        {
          ...byUser,
          action: 'api-key.created',
          details: { scope: 'read', accounts: null, expiresAt: '2030-01-01T00:00:00.000Z' },
        },
        { ...byKey, action: 'api-key.refused', details: { code: 'api-key-scope' } },
        { ...byKey, action: 'api-key.refused', details: { code: 'session-required' } },
        { ...byUser, action: 'api-key.revoked', details: { scope: 'read' } },
      ]);
      expect(JSON.stringify(await sql('SELECT * FROM audit_entries'))).not.toContain(key.slice(12));
    });
  });
});
