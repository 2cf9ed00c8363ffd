import { newId } from '../../../../src/platform/crypto/ids';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import type { TestUser } from '../../../support/test-user';

const USER_FIELDS = [
  'id',
  'email',
  'name',
  'role',
  'is_active',
  'awaits_admin_role',
  'max_mailbox_accounts',
  'storage_quota_bytes',
  'mailbox_accounts_count',
  'storage_used_bytes',
  'last_login_at',
  'created_at',
];

describe('Administration', () => {
  let app: TestApp;
  let admin: TestUser;
  let user: TestUser;
  let box: ArchiveFixture;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    admin = await app.user('admin');
    user = await app.user('ada');
    box = await ArchiveFixture.connect(app, user, 'admin-0@sandbox.mailroom.test');
    await box.insertAndArchive(eml('Subject: one', '', 'text'), eml('Subject: two', '', 'text'));
  });

  afterAll(() => app?.close());

  const audited = (userId: string): Promise<any[]> =>
    app.dataSource.query(
      `SELECT action, outcome, actor_id, user_id, details FROM audit_entries
       WHERE action = 'user.changed' AND user_id = $1 ORDER BY sequence`,
      [userId],
    );

  const insertJobs = (userId: string, count: number, status = 'completed'): Promise<unknown> =>
    app.dataSource.query(
      `INSERT INTO jobs (id, type, lane, user_id, status, payload, result, completed_at)
       SELECT gen_random_uuid(), 'bulk_operation', 'interactive-bulk', $1, $3, '{"messageIds": ["secret-id"]}',
              '{"failures": [{"item": "secret-id", "reason": "x"}]}', now()
       FROM generate_series(1, $2)`,
      [userId, count, status],
    );

  it.each([
    ['GET', '/api/admin/stats'],
    ['GET', '/api/admin/users'],
    ['GET', '/api/admin/users/01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d'],
    ['PATCH', '/api/admin/users/01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d'],
    ['GET', '/api/admin/jobs'],
    ['POST', '/api/quota/cleanup'],
    ['POST', '/api/admin/integrity/check'],
  ])('should refuse all other users %s %s', async (method, path) => {
    const codeOf = async (response: Response): Promise<unknown[]> => [
      response.status,
      ((await response.json()) as { code: string }).code,
    ];
    expect(await codeOf(await app.anonymous.fetch(method, path))).toEqual([401, 'unauthorized']);
    expect(await codeOf(await user.api.fetch(method, path))).toEqual([403, 'admin-required']);
  });

  it('should count users, mailboxes, jobs and mail', async () => {
    const before = (await admin.api.get('/api/admin/stats')).body;
    await insertJobs(user.id, 3);
    await insertJobs(user.id, 2, 'failed');
    await insertJobs(user.id, 1, 'cancelled');
    const { status, body } = await admin.api.get('/api/admin/stats');
    expect(status).toBe(200);
    const [{ users, mails, bytes }] = await app.dataSource.query(
      `SELECT (SELECT count(*)::int FROM users) AS users, count(*)::int AS mails, sum(size_bytes)::int AS bytes
       FROM archived_mails`,
    );
    expect(body).toEqual({
      users,
      mailboxAccounts: 1,
      jobs: {
        total: before.jobs.total + 6,
        completed: before.jobs.completed + 3,
        failed: before.jobs.failed + 2,
        active: 0,
      },
      archives: { totalMails: mails, totalSizeBytes: bytes },
    });
    expect(mails).toBe(2);
  });

  describe('users', () => {
    it('should be listed with their mailboxes and archive sizes', async () => {
      const { status, body } = await admin.api.get('/api/admin/users?search=ada');
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['users', 'total', 'page', 'limit']);
      expect(body).toMatchObject({ total: 1, page: 1, limit: 50 });
      expect(Object.keys(body.users[0])).toEqual(USER_FIELDS);
      const me = (await user.api.get('/api/auth/me')).body;
      expect(body.users[0]).toMatchObject({
        id: user.id,
        email: user.email,
        name: null,
        role: 'user',
        is_active: true,
        max_mailbox_accounts: 5,
        storage_quota_bytes: 5 * 1024 ** 3,
        mailbox_accounts_count: 1,
        storage_used_bytes: me.storageUsedBytes,
        created_at: me.user.created_at,
      });
      expect(body.users[0].storage_used_bytes).toBeGreaterThan(0);
      expect(new Date(body.users[0].last_login_at).toISOString()).toBe(body.users[0].last_login_at);
    });

    it('should be found by address and name, ignoring case, without wildcards', async () => {
      const found = async (search: string): Promise<string[]> => {
        const path = `/api/admin/users?search=${encodeURIComponent(search)}`;
        const { body } = await admin.api.get(path);
        expect(body.total).toBe(body.users.length);
        return body.users.map(({ email }: { email: string }) => email);
      };
      const names: [string, string][] = [
        ['percent@found.test', '100% Élodie'],
        ['under_score@found.test', 'Back\\slash'],
      ];
      for (const [email, name] of names) {
        await app.dataSource.query('INSERT INTO users (id, email, name) VALUES ($1, $2, $3)', [
          newId(),
          email,
          name,
        ]);
      }
      expect(await found('FOUND.test')).toEqual(['under_score@found.test', 'percent@found.test']);
      expect(await found('élodie')).toEqual(['percent@found.test']);
      expect(await found('%')).toEqual(['percent@found.test']);
      expect(await found('_')).toEqual(['under_score@found.test']);
      expect(await found('k\\s')).toEqual(['under_score@found.test']);
      expect(await found('found%test')).toEqual([]);
      expect(await found("'; --")).toEqual([]);
    });

    it('should be listed by pages, newest first, each user once', async () => {
      // All at the same instant: only the id tells them apart.
      await app.dataSource.query(
        `INSERT INTO users (id, email, created_at)
         SELECT gen_random_uuid(), 'paged-' || n || '@pages.test', '2026-01-01' FROM generate_series(1, 25) n`,
      );
      const seen: string[] = [];
      for (const page of [1, 2, 3]) {
        const { body } = await admin.api.get(`/api/admin/users?search=pages.test&limit=10&page=${page}`);
        expect(body).toMatchObject({ total: 25, page, limit: 10 });
        seen.push(...body.users.map(({ id }: { id: string }) => id));
      }
      expect(new Set(seen).size).toBe(25);
      expect((await admin.api.get('/api/admin/users?page=99')).body.users).toEqual([]);
      const all = (await admin.api.get('/api/admin/users?limit=500')).body;
      expect(all.limit).toBe(100);
      const times = all.users.map(({ created_at }: { created_at: string }) => created_at);
      expect(times).toEqual([...times].sort().reverse());
    });

    it.each(['page=0', 'limit=0', 'page=x', `search=${'x'.repeat(321)}`, 'search=%00', 'search=a&search=b'])(
      'should not be listed by %s',
      async (query) => {
        const { status, body } = await admin.api.get(`/api/admin/users?${query}`);
        expect([status, body.code]).toEqual([400, 'validation-failed']);
        expect(body.errors[0].field).toBe(query.split('=')[0]);
      },
    );

    it('should be shown with mailboxes and the last 20 jobs, without anything that names messages', async () => {
      await insertJobs(user.id, 25);
      const { status, body, bytes } = await admin.api.get(`/api/admin/users/${user.id}`);
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['user', 'mailboxAccounts', 'recentJobs']);
      expect(Object.keys(body.user)).toEqual(USER_FIELDS);
      expect(body.mailboxAccounts).toEqual((await user.api.get('/api/auth/me')).body.mailboxAccounts);
      const numbers = body.recentJobs.map(({ queue_id }: any) => Number(queue_id.split('-')[1]));
      expect(numbers).toHaveLength(20);
      expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
      expect(body.recentJobs[0]).not.toHaveProperty('payload');
      expect(bytes.toString()).not.toContain('secret-id');
    });

    it('should be 404 when unknown and 400 when malformed', async () => {
      const unknown = await admin.api.get(`/api/admin/users/${newId()}`);
      expect([unknown.status, unknown.body.code]).toEqual([404, 'user-not-found']);
      expect((await admin.api.get('/api/admin/users/nobody')).status).toBe(400);
    });
  });

  describe('changing a user', () => {
    const patch = (userId: string, body?: unknown) => admin.api.patch(`/api/admin/users/${userId}`, body);

    it('should change the given fields and record it in the audit log', async () => {
      const target = await app.user('changed');
      const { status, body } = await patch(target.id, {
        role: 'admin',
        max_mailbox_accounts: 50,
        storage_quota_bytes: 0,
        email: 'other@users.test',
      });
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(USER_FIELDS);
      const expected = { role: 'admin', max_mailbox_accounts: 50, storage_quota_bytes: 0 };
      expect(body).toMatchObject({ ...expected, email: target.email, is_active: true });
      expect((await target.api.get('/api/admin/stats')).status).toBe(200);
      expect(await audited(target.id)).toEqual([
        {
          action: 'user.changed',
          outcome: 'success',
          actor_id: admin.id,
          user_id: target.id,
          details: { changed: Object.keys(expected), ...expected },
        },
      ]);
      await patch(target.id, { role: 'user' });
      expect((await target.api.get('/api/admin/stats')).status).toBe(403);
    });

    it.each([
      ['role', 'owner'],
      ['role', null],
      ['is_active', 'true'],
      ['is_active', null],
      ['max_mailbox_accounts', 0],
      ['max_mailbox_accounts', 51],
      ['max_mailbox_accounts', 2.5],
      ['max_mailbox_accounts', null],
      ['storage_quota_bytes', -1],
      ['storage_quota_bytes', 1.5],
      ['storage_quota_bytes', 2 ** 50 + 1],
      ['storage_quota_bytes', '1000'],
      ['storage_quota_bytes', null],
    ])('should refuse %s %j', async (field, value) => {
      const { status, body } = await patch(user.id, { [field]: value });
      expect([status, body.code, body.errors?.[0].field]).toEqual([400, 'validation-failed', field]);
    });

    it('should refuse bodies without a known field, unknown users and malformed ids', async () => {
      for (const body of [{}, { email: 'x@y.test' }]) {
        expect((await patch(user.id, body)).body).toMatchObject({ status: 400, code: 'no-fields' });
      }
      expect((await patch(newId(), { role: 'user' })).body).toMatchObject({
        status: 404,
        code: 'user-not-found',
      });
      expect((await patch('nobody', { role: 'user' })).status).toBe(400);
      // A body that is wrong is said before a user that is unknown.
      expect((await patch(newId(), { role: 'owner' })).status).toBe(400);
    });

    it('should refuse to demote or deactivate the last active administrator', async () => {
      for (const body of [{ role: 'user' }, { is_active: false }]) {
        expect((await patch(admin.id, body)).body).toMatchObject({ status: 409, code: 'last-active-admin' });
      }
      expect((await admin.api.get('/api/admin/stats')).status).toBe(200);
      expect((await patch(admin.id, { max_mailbox_accounts: 6 })).status).toBe(200);
    });

    it('should not change or reactivate a user who is being deleted', async () => {
      const target = await app.user('deleted');
      await app.dataSource.query(
        'UPDATE users SET is_active = false, deletion_requested_at = now() WHERE id = $1',
        [target.id],
      );
      for (const body of [{ is_active: true }, { role: 'admin' }, { storage_quota_bytes: 5 }]) {
        expect((await patch(target.id, body)).body).toMatchObject({
          status: 409,
          code: 'user-being-deleted',
        });
      }
      const { body } = await admin.api.get(`/api/admin/users/${target.id}`);
      expect(body.user).toMatchObject({ is_active: false, role: 'user' });
    });

    it('should delete nothing when limits are lowered below the current usage', async () => {
      const [before] = [...(await box.rows()).values()];
      const second = await user.connect('admin-second-0@sandbox.mailroom.test');
      expect((await patch(user.id, { storage_quota_bytes: 0, max_mailbox_accounts: 1 })).status).toBe(200);

      const refused = box.mailbox.insert(eml('Subject: three', '', 'text'), { labelIds: ['INBOX'] });
      const job = await box.archive({ messageIds: [refused] });
      expect(job).toMatchObject({ status: 'failed', error_code: 'quota-exceeded', processed: 0 });
      const connect = await user.api.get('/api/auth/mailbox/connect?provider=gmail');
      expect([connect.status, connect.body.code]).toEqual([403, 'mailbox-account-limit']);

      expect((await box.rows()).size).toBe(2);
      expect((await box.files()).length).toBe(2);
      expect((await user.api.get(`${box.path}/mails/${before.id}`)).status).toBe(200);
      const zip = await user.api.fetch('POST', `${box.path}/export-zip`, { body: { mailIds: [before.id] } });
      expect([zip.status, (await zip.arrayBuffer()).byteLength > 100]).toEqual([200, true]);
      for (const accountId of [box.accountId, second])
        expect((await user.api.get(`/api/mailbox/${accountId}/profile`)).status).toBe(200);

      await patch(user.id, { storage_quota_bytes: 2 ** 50, max_mailbox_accounts: 5 });
      expect((await box.archive({ messageIds: [refused] })).status).toBe('completed');
    });
  });

  describe('jobs', () => {
    it('should list the jobs of all users, newest first, with their owner and without anything that names messages', async () => {
      await insertJobs(admin.id, 2, 'failed');
      const { status, body, bytes } = await admin.api.get('/api/admin/jobs?limit=4');
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['jobs', 'total', 'page', 'limit']);
      expect(body.jobs).toHaveLength(4);
      expect(body.jobs.map(({ user_email }: any) => user_email)).toEqual([
        admin.email,
        admin.email,
        user.email,
        user.email,
      ]);
      expect(Object.keys(body.jobs[0])).toEqual([
        'id',
        'queue_id',
        'type',
        'status',
        'progress',
        'total',
        'processed',
        'failed',
        'mailbox_account_id',
        'error',
        'error_code',
        'waits_for',
        'waits_until',
        'created_at',
        'started_at',
        'completed_at',
        'user_email',
      ]);
      expect(bytes.toString()).not.toContain('secret-id');
      const [{ count }] = await app.dataSource.query('SELECT count(*)::int AS count FROM jobs');
      expect(body.total).toBe(count);
    });

    it('should be filtered by status, with pages', async () => {
      const seen: string[] = [];
      const [{ count }] = await app.dataSource.query(
        `SELECT count(*)::int AS count FROM jobs WHERE status = 'failed'`,
      );
      for (let page = 1; page <= Math.ceil(count / 2); page += 1) {
        const { body } = await admin.api.get(`/api/admin/jobs?status=failed&limit=2&page=${page}`);
        expect(body).toMatchObject({ total: count, page, limit: 2 });
        expect(body.jobs.every((job: any) => job.status === 'failed')).toBe(true);
        seen.push(...body.jobs.map(({ id }: any) => id));
      }
      expect(new Set(seen).size).toBe(count);
      expect(count).toBeGreaterThan(3);
    });

    it.each(['status=lost', 'page=0', 'limit=-1'])('should not be listed by %s', async (query) => {
      const { status, body } = await admin.api.get(`/api/admin/jobs?${query}`);
      expect([status, body.errors[0].field]).toEqual([400, query.split('=')[0]]);
    });
  });

  it('should record the clean-up of usage and the checks of archives', async () => {
    expect((await admin.api.post('/api/quota/cleanup')).body).toEqual({ deleted: 0 });
    const { status, body } = await admin.api.post('/api/admin/integrity/check');
    expect(status).toBe(202);
    await admin.jobEnd(body.jobId);
    const entries: any[] = await app.dataSource.query(
      `SELECT action, actor_id, details FROM audit_entries
       WHERE action IN ('quota.cleaned', 'integrity.check-started') ORDER BY sequence`,
    );
    expect(entries).toEqual([
      { action: 'quota.cleaned', actor_id: admin.id, details: { deleted: 0 } },
      { action: 'integrity.check-started', actor_id: admin.id, details: { scope: 'everything' } },
    ]);
  });
});
