import { ApiClient } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import type { TestUser } from '../../../support/test-user';

interface Listed {
  readonly id: string;
  readonly user_agent: string | null;
  readonly current: boolean;
}

describe('the sessions of a user', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ sandbox: { messages: 1 } });
    await test.user('admin');
  });
  afterAll(() => test.close());

  const signIn = async (user: TestUser, agent: string): Promise<ApiClient> => {
    const { email, password } = user;
    const { body } = await test.anonymous.post(
      '/api/auth/login',
      { email, password },
      { headers: { 'user-agent': agent } },
    );
    return new ApiClient(test.url, body.access_token as string);
  };
  const list = async (api: ApiClient): Promise<Listed[]> => {
    const { status, body } = await api.get<Listed[]>('/api/auth/sessions');
    expect(status).toBe(200);
    return body;
  };
  const isAlive = async (api: ApiClient): Promise<boolean> => (await api.get('/api/auth/me')).status === 200;
  const audited = (user: TestUser): Promise<unknown[]> =>
    test.dataSource.query(
      `SELECT action, target_id, details FROM audit_entries WHERE user_id = $1 AND action LIKE 'session%ended'
       ORDER BY sequence`,
      [user.id],
    );

  it('should be listed with device, address and times, the most recently used first', async () => {
    const user = await test.user('listing');
    const phone = await signIn(user, 'Phone');
    const stranger = await test.user('stranger');
    const sessions = await list(phone);
    expect(sessions).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        user_agent: 'Phone',
        ip_address: expect.stringMatching(/127\.0\.0\.1$/),
        created_at: expect.stringMatching(/Z$/),
        last_used_at: expect.stringMatching(/Z$/),
        current: true,
      },
      expect.objectContaining({ current: false }),
    ]);
    expect((await list(user.api)).map(({ current }) => current)).toEqual([false, true]);
    expect((await list(stranger.api)).map(({ current }) => current)).toEqual([true]);
  });

  it('should be listed as long as they are valid', async () => {
    const user = await test.user('living');
    const phone = await signIn(user, 'Phone');
    await signIn(user, 'Tablet');
    expect(await list(user.api)).toHaveLength(3);
    await phone.post('/api/auth/logout');
    await test.dataSource.query(
      `UPDATE sessions SET expires_at = now() - interval '1 second' WHERE user_id = $1 AND user_agent = 'Tablet'`,
      [user.id],
    );
    expect(await list(user.api)).toHaveLength(1);
    expect(await isAlive(phone)).toBe(false);
  });

  it('should end one by one', async () => {
    const user = await test.user('ending');
    const phone = await signIn(user, 'Phone');
    const [{ id }] = (await list(user.api)) as [Listed];
    expect((await user.api.delete(`/api/auth/sessions/${id}`)).status).toBe(204);
    expect(await isAlive(phone)).toBe(false);
    expect(await isAlive(user.api)).toBe(true);
    const again = await user.api.delete(`/api/auth/sessions/${id}`);
    expect([again.status, again.body.code]).toEqual([404, 'session-not-found']);
    expect(await audited(user)).toEqual([{ action: 'session.ended', target_id: id, details: {} }]);
  });

  it('should all end, except for the current one', async () => {
    const user = await test.user('all');
    const others = [await signIn(user, 'Phone'), await signIn(user, 'Tablet')];
    expect((await user.api.delete('/api/auth/sessions')).status).toBe(204);
    expect(await Promise.all(others.map(isAlive))).toEqual([false, false]);
    expect((await list(user.api)).map(({ current }) => current)).toEqual([true]);
    expect((await user.api.delete('/api/auth/sessions')).status).toBe(204);
    expect(await audited(user)).toEqual([
      { action: 'sessions.others-ended', target_id: null, details: { sessions: 2 } },
    ]);
  });

  it('should not be seen or ended by another user, nor with an API key', async () => {
    const [user, stranger] = [await test.user('owner'), await test.user('stranger')];
    const [{ id }] = (await list(user.api)) as [Listed];
    const foreign = await stranger.api.delete(`/api/auth/sessions/${id}`);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'session-not-found']);
    expect((await stranger.api.delete('/api/auth/sessions/none')).status).toBe(400);
    expect(await isAlive(user.api)).toBe(true);
    expect((await test.anonymous.get('/api/auth/sessions')).status).toBe(401);
    expect((await test.anonymous.delete(`/api/auth/sessions/${id}`)).status).toBe(401);
    const { body } = await user.api.post('/api/auth/api-keys', { name: 'Script', scope: 'write' });
    const key = new ApiClient(test.url, body.key as string);
    expect((await key.get('/api/auth/sessions')).body.code).toBe('session-required');
  });
});
