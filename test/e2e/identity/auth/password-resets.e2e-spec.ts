import { Secret, TOTP } from 'otpauth';
import type { ApiAnswer } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import { quickHash } from '../../../support/quick-hashes';
import type { TestUser } from '../../../support/test-user';

const DAY_MS = 24 * 60 * 60 * 1_000;
const PASSWORD = 'a staple of the horse';

describe('Password reset links', () => {
  let app: TestApp;
  let admin: TestUser;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    admin = await app.user('admin');
  });
  afterAll(() => app?.close());

  const issue = (user: { id: string }): Promise<ApiAnswer> =>
    admin.api.post(`/api/admin/users/${user.id}/password-reset`);
  const tokenOf = ({ body }: ApiAnswer): string => new URL(body.resetUrl).hash.slice(1);
  const read = (token: unknown): Promise<ApiAnswer> =>
    app.anonymous.post('/api/auth/password-reset', { token });
  const complete = (token: unknown, password: unknown = PASSWORD): Promise<ApiAnswer> =>
    app.anonymous.post('/api/auth/password-reset/complete', { token, password });
  const login = (email: string, password: string, more: object = {}): Promise<ApiAnswer> =>
    app.anonymous.post('/api/auth/login', { email, password, ...more });
  const gist = ({ status, body }: ApiAnswer): unknown => [status, body?.code];
  const INVALID = [404, 'password-reset-invalid'];

  it('should allow a user to set a new password, once, and end their sessions', async () => {
    const user = await app.user('forgetful');
    const before = Date.now();
    const link = await issue(user);
    expect(link.status).toBe(201);
    expect(link.body.resetUrl).toMatch(/^http:\/\/[^/]+\/reset-password#[\w-]{43}$/);
    expect(Math.abs(Date.parse(link.body.expires_at) - before - DAY_MS)).toBeLessThan(60_000);
    const token = tokenOf(link);
    expect((await read(token)).body).toEqual({ email: user.email, expires_at: link.body.expires_at });
    expect((await user.api.get('/api/auth/me')).status).toBe(200);

    expect((await complete(token)).status).toBe(204);
    expect((await user.api.get('/api/auth/me')).status).toBe(401);
    expect((await login(user.email, user.password)).status).toBe(401);
    expect((await login(user.email, PASSWORD)).status).toBe(200);
    expect(gist(await complete(token))).toEqual(INVALID);
    expect(gist(await read(token))).toEqual(INVALID);
    const acts: { action: string; own: boolean }[] = await app.dataSource.query(
      `SELECT action, actor_id = user_id AS own FROM audit_entries
       WHERE user_id = $1 AND action LIKE 'password.%' ORDER BY sequence`,
      [user.id],
    );
    expect(acts.map(({ action, own }) => [action, own])).toEqual([
      ['password.reset-issued', false],
      ['password.reset', true],
      ['password.changed', null],
    ]);
    const [stored] = await app.dataSource.query('SELECT count(*)::int AS count FROM password_resets');
    expect(stored).toEqual({ count: 0 });
  });

  it('should store no token', async () => {
    const user = await app.user('hashed');
    const token = tokenOf(await issue(user));
    const rows = await app.dataSource.query('SELECT row_to_json(r)::text AS row FROM password_resets r');
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString('hex'));
  });

  it('should unlock at once a user who must wait after failed sign-ins', async () => {
    const user = await app.user('locked');
    for (let attempt = 0; attempt < 10; attempt++) await login(user.email, 'a guess');
    expect((await login(user.email, user.password)).status).toBe(429);
    expect((await complete(tokenOf(await issue(user)))).status).toBe(204);
    expect((await login(user.email, PASSWORD)).status).toBe(200);
  });

  it('should not bypass one-time codes', async () => {
    const user = await app.user('careful');
    const { secret } = (await user.api.post('/api/auth/2fa/setup', { password: user.password })).body;
    const code = new TOTP({ secret: Secret.fromBase32(secret as string) }).generate();
    expect((await user.api.post('/api/auth/2fa/enable', { totp_code: code })).status).toBe(200);
    expect((await complete(tokenOf(await issue(user)))).status).toBe(204);
    expect(gist(await login(user.email, PASSWORD))).toEqual([401, 'totp-required']);
  });

  it('should refuse a common password, and leave the link valid', async () => {
    const user = await app.user('weak');
    const token = tokenOf(await issue(user));
    const refused = await complete(token, 'password1');
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'validation-failed', errors: [{ field: 'password', reason: 'password-common' }] },
    });
    expect((await complete(token, '1234567')).body.errors[0].field).toBe('password');
    expect((await complete(token)).status).toBe(204);
  });

  it('should be used by one of two simultaneous requests', async () => {
    const user = await app.user('twice');
    const token = tokenOf(await issue(user));
    const answers = await Promise.all([complete(token, PASSWORD), complete(token, `${PASSWORD} too`)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
  });

  it('should become invalid when another is created, it expires, the password is changed, or the user is deactivated', async () => {
    const user = await app.user('ended');
    const first = tokenOf(await issue(user));
    const second = tokenOf(await issue(user));
    expect(gist(await read(first))).toEqual(INVALID);
    await app.dataSource.query('UPDATE password_resets SET expires_at = now() WHERE user_id = $1', [user.id]);
    expect(gist(await complete(second))).toEqual(INVALID);

    const third = tokenOf(await issue(user));
    const changed = await user.api.post('/api/auth/password', { current: user.password, next: PASSWORD });
    expect(changed.status).toBe(204);
    expect(gist(await complete(third))).toEqual(INVALID);

    const fourth = tokenOf(await issue(user));
    await admin.api.patch(`/api/admin/users/${user.id}`, { is_active: false });
    expect(gist(await complete(fourth))).toEqual(INVALID);
    expect(gist(await issue(user))).toEqual([409, 'user-cannot-sign-in']);
  });

  it.each([[undefined], ['short'], [7], ['x'.repeat(44)]])('should refuse the token %j', async (token) => {
    expect((await read(token)).body.errors[0].field).toBe('token');
    expect((await complete(token)).body.errors[0].field).toBe('token');
  });

  it('should be created by administrators, for existing users', async () => {
    const user = await app.user('plain');
    expect((await user.api.post(`/api/admin/users/${admin.id}/password-reset`)).status).toBe(403);
    expect((await app.anonymous.post(`/api/admin/users/${user.id}/password-reset`)).status).toBe(401);
    expect((await issue({ id: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })).status).toBe(404);
  });
});

describe('Common passwords', () => {
  let app: TestApp;
  let user: TestUser;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user('admin');
  });
  afterAll(() => app?.close());

  it.each([
    ['password', 'password-common'],
    ['Password1!', 'password-common'],
    ['mailroom2026', 'password-product'],
    ['ada.lovelace@users.test', 'password-address'],
    ['AdaLovelace1', 'password-address'],
  ])('should be refused at registration, with the reason at the field: %j', async (password, reason) => {
    const answer = await app.anonymous.post('/api/auth/register', {
      email: 'ada.lovelace@users.test',
      password,
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'validation-failed', errors: [{ field: 'password', reason }] },
    });
  });

  it('should be refused when the password is changed', async () => {
    const refused = await user.api.post('/api/auth/password', { current: user.password, next: 'iloveyou' });
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'next', reason: 'password-common' }] },
    });
  });

  it('should be refused when an invitation is accepted, which stays valid', async () => {
    const invited = await user.api.post('/api/admin/users', {
      email: 'grace.hopper@users.test',
      role: 'user',
    });
    const token = new URL(invited.body.inviteUrl).hash.slice(1);
    const accept = (password: string): Promise<ApiAnswer> =>
      app.anonymous.post('/api/auth/invitation/accept', { token, password });
    expect((await accept('gracehopper')).body.errors[0]).toMatchObject({
      field: 'password',
      reason: 'password-address',
    });
    expect((await accept('correct horse battery')).status).toBe(200);
  });

  it('should still be accepted at sign-in from users who chose one before', async () => {
    const old = await app.user('old');
    const [{ hash }] = await app.dataSource.query(`SELECT password_hash AS hash FROM users WHERE id = $1`, [
      old.id,
    ]);
    expect(hash).toEqual(expect.any(String));
    await app.dataSource.query('UPDATE users SET password_hash = $2 WHERE id = $1', [
      old.id,
      quickHash('password'),
    ]);
    const login = { email: old.email, password: 'password' };
    expect((await app.anonymous.post('/api/auth/login', login)).status).toBe(200);
  });
});
