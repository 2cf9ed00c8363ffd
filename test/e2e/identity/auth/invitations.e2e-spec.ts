import type { ApiAnswer } from '../../../support/api-client';
import { ApiClient } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import type { TestUser } from '../../../support/test-user';

const PASSWORD = 'correct horse battery';
const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

describe('Invitations', () => {
  let app: TestApp;
  let admin: TestUser;
  let people = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    admin = await app.user('admin');
  });
  afterAll(() => app?.close());

  const invite = (fields: object = {}): Promise<ApiAnswer> =>
    admin.api.post('/api/admin/users', {
      email: `invited-${(people += 1)}@users.test`,
      role: 'user',
      ...fields,
    });
  const tokenOf = ({ body }: ApiAnswer): string => new URL(body.inviteUrl).hash.slice(1);
  const read = (token: unknown): Promise<ApiAnswer> => app.anonymous.post('/api/auth/invitation', { token });
  const accept = (token: unknown, password: unknown = PASSWORD): Promise<ApiAnswer> =>
    app.anonymous.post('/api/auth/invitation/accept', { token, password });
  const gist = ({ status, body }: ApiAnswer): unknown => [status, body.code];
  const fieldsOf = ({ body }: ApiAnswer): unknown => body.errors.map(({ field }: any) => field);

  it('should add a user, who chooses a password and is signed in', async () => {
    const before = Date.now();
    const invited = await invite({ email: ' Grace@Users.TEST ', name: 'Grace', role: 'admin' });
    expect(invited.status).toBe(201);
    const { user, inviteUrl, expires_at: expires } = invited.body;
    expect(user).toMatchObject({
      email: 'grace@users.test',
      name: 'Grace',
      role: 'admin',
      is_active: true,
      last_login_at: null,
    });
    expect(inviteUrl).toMatch(/^http:\/\/[^/]+\/invite#[\w-]{43}$/);
    expect(Math.abs(Date.parse(expires) - before - WEEK_MS)).toBeLessThan(60_000);
    const token = tokenOf(invited);

    expect((await read(token)).body).toEqual({
      email: 'grace@users.test',
      name: 'Grace',
      expires_at: expires,
    });
    const accepted = await accept(token);
    expect(accepted.status).toBe(200);
    expect(accepted.body.user).toMatchObject({ id: user.id, role: 'admin', has_password: true });
    const me = await new ApiClient(app.url, accepted.body.access_token).get('/api/auth/me');
    expect(me.body.user.email).toBe('grace@users.test');
    const login = { email: 'grace@users.test', password: PASSWORD };
    expect((await app.anonymous.post('/api/auth/login', login)).status).toBe(200);
  });

  it('should be usable once, and store no token', async () => {
    const invited = await invite();
    const token = tokenOf(invited);
    const [{ stored }] = await app.dataSource.query(
      'SELECT invitations::text AS stored FROM invitations WHERE user_id = $1',
      [invited.body.user.id],
    );
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(Buffer.from(token).toString('hex'));
    const answers = await Promise.all([accept(token), accept(token, 'another password')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(gist(await read(token))).toEqual([404, 'invitation-invalid']);
  });

  it('should expire', async () => {
    const invited = await invite();
    await app.dataSource.query('UPDATE invitations SET expires_at = now() WHERE user_id = $1', [
      invited.body.user.id,
    ]);
    expect(gist(await read(tokenOf(invited)))).toEqual([404, 'invitation-invalid']);
    expect(gist(await accept(tokenOf(invited)))).toEqual([404, 'invitation-invalid']);
  });

  it('should be invalid for a user who was deactivated', async () => {
    const invited = await invite();
    await admin.api.patch(`/api/admin/users/${invited.body.user.id}`, { is_active: false });
    expect(gist(await accept(tokenOf(invited)))).toEqual([404, 'invitation-invalid']);
  });

  it('should be replaced by a new one, until the user has signed in', async () => {
    const first = await invite();
    const path = `/api/admin/users/${first.body.user.id}/invitation`;
    const second = await admin.api.post(path);
    expect([second.status, second.body.user.id]).toEqual([201, first.body.user.id]);
    expect(gist(await accept(tokenOf(first)))).toEqual([404, 'invitation-invalid']);
    expect((await accept(tokenOf(second))).status).toBe(200);
    expect(gist(await admin.api.post(path))).toEqual([409, 'user-has-signed-in']);
  });

  it('should be recorded, without the address and the token', async () => {
    const invited = await invite({ email: 'canary@users.test' });
    await accept(tokenOf(invited));
    const { body } = await admin.api.get(`/api/admin/audit?userId=${invited.body.user.id}&limit=100`);
    const entries: any[] = body.entries;
    expect(entries.map(({ action }) => action).reverse()).toEqual([
      'user.created',
      'invitation.issued',
      'invitation.accepted',
      'session.opened',
    ]);
    expect(entries.at(-1)).toMatchObject({ actor_kind: 'user', actor_email: admin.email });
    const details = JSON.stringify(entries.map((entry) => entry.details));
    expect(details).not.toContain('canary');
    expect(details).not.toContain(tokenOf(invited));
  });

  it.each<[string, object, string[]]>([
    ['no address', { email: undefined }, ['email']],
    ['what is no address', { email: 'grace' }, ['email']],
    ['no role', { role: undefined }, ['role']],
    ['an unknown role', { role: 'owner' }, ['role']],
    ['a name that is too long', { name: 'x'.repeat(201) }, ['name']],
  ])('should answer 400 to %s', async (_, fields, wrong) => {
    const answer = await invite(fields);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, wrong]);
  });

  it('should work while registration is closed', async () => {
    const closed = await app.another({ ALLOW_REGISTRATION: 'false' });
    try {
      const invited = await invite();
      const body = { token: tokenOf(invited), password: PASSWORD };
      const anonymous = new ApiClient(closed.url, null);
      expect((await anonymous.post('/api/auth/invitation/accept', body)).status).toBe(200);
    } finally {
      await closed.app.close();
    }
  });

  it('should refuse an address that is taken', async () => {
    expect(gist(await invite({ email: admin.email.toUpperCase() }))).toEqual([409, 'email-taken']);
  });

  it.each<[string, unknown, unknown, string]>([
    ['a token of another form', 'short', PASSWORD, 'token'],
    ['a short password', 'x'.repeat(43), 'short', 'password'],
  ])('should answer 400 to %s', async (_, token, password, wrong) => {
    const answer = await accept(token, password);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [wrong]]);
  });

  it('should be accessible to administrators only', async () => {
    const { body } = await accept(tokenOf(await invite()));
    const user = new ApiClient(app.url, body.access_token);
    const fields = { email: 'somebody@users.test', role: 'admin' };
    expect((await user.post('/api/admin/users', fields)).status).toBe(403);
    expect((await app.anonymous.post('/api/admin/users', fields)).status).toBe(401);
    const unknown = '/api/admin/users/01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d/invitation';
    expect((await admin.api.post(unknown)).status).toBe(404);
  });
});
