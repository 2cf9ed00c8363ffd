import { JwtService } from '@nestjs/jwt';
import type { Request } from 'express';
import { JwtStrategy } from '../../../../src/identity/sessions/jwt.strategy';
import { PasswordHasher } from '../../../../src/identity/users/password-hasher';
import { UsersService } from '../../../../src/identity/users/users.service';
import { SERVICE_VERSION } from '../../../../src/version';
import { ApiAnswer, ApiClient } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import { withRealHashes } from '../../../support/quick-hashes';
import { waitFor } from '../../../support/wait';

const PASSWORD = 'correct horse battery';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A problem without what differs from request to request. */
const gist = ({ status, body }: ApiAnswer): unknown => ({ status, ...body, requestId: undefined });

describe('accounts and tokens', () => {
  let test: TestApp;
  let adminToken: string;

  beforeAll(async () => {
    test = await startTestApp({ sandbox: { messages: 5 } });
    expect((await test.anonymous.get('/api/auth/config')).body.setupRequired).toBe(true);
    adminToken = (await register('first@users.test')).body.access_token;
  });
  afterAll(() => test.close());

  const register = (email: string, password = PASSWORD): Promise<ApiAnswer> =>
    test.anonymous.post('/api/auth/register', { email, password });
  const login = (email: string, password = PASSWORD): Promise<ApiAnswer> =>
    test.anonymous.post('/api/auth/login', { email, password });
  const refresh = (refresh_token: string): Promise<ApiAnswer> =>
    test.anonymous.post('/api/auth/refresh', { refresh_token });
  const as = (token: string): ApiClient => new ApiClient(test.url, token);
  const me = (token: string): Promise<ApiAnswer> => as(token).get('/api/auth/me');

  describe('registration', () => {
    it('should return a session of the new user and nothing else', async () => {
      const fields = { name: 'Ada', role: 'admin', max_mailbox_accounts: 50 };
      const { status, body } = await withRealHashes(test.app, () =>
        test.anonymous.post('/api/auth/register', {
          email: ' Ada@Users.TEST ',
          password: PASSWORD,
          ...fields,
        }),
      );
      expect(status).toBe(201);
      expect(body).toEqual({
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 900,
        refresh_token: expect.stringMatching(/^[\w-]{43}$/),
        user: {
          id: expect.stringMatching(UUID),
          email: 'ada@users.test',
          name: 'Ada',
          role: 'user',
          is_active: true,
          max_mailbox_accounts: 5,
          storage_quota_bytes: 5 * 1024 ** 3,
          totp_enabled: false,
          has_password: true,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      });
      const stored = await test.dataSource.query(
        `SELECT password_hash FROM users WHERE email = 'ada@users.test'`,
      );
      expect(stored[0].password_hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
    });

    it('should name the invalid fields', async () => {
      const { status, body } = await test.anonymous.post('/api/auth/register', { email: 'x', password: 'y' });
      expect(status).toBe(400);
      expect(body.code).toBe('validation-failed');
      expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual(['email', 'password']);
    });

    it('should refuse a taken address, however it is written', async () => {
      expect((await register('taken@users.test')).status).toBe(201);
      const again = await register('TAKEN@users.test');
      expect([again.status, again.body.code]).toEqual([409, 'email-taken']);
      const race = await Promise.all([1, 2, 3].map(() => register('race@users.test')));
      expect(race.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    });
  });

  describe('sign-in', () => {
    it('should open a session and record the time', async () => {
      await register('login@users.test');
      const { status, body } = await login('Login@users.test');
      expect(status).toBe(200);
      expect((await me(body.access_token)).body.user.email).toBe('login@users.test');
      const [user] = await test.dataSource.query(
        `SELECT last_login_at > now() - interval '1 minute' AS recent FROM users WHERE email = 'login@users.test'`,
      );
      expect(user.recent).toBe(true);
    });

    it('should rehash a password that was hashed with weaker parameters, even in concurrent sign-ins', async () => {
      await register('veteran@users.test');
      const answers = await withRealHashes(test.app, () =>
        Promise.all([login('veteran@users.test'), login('veteran@users.test')]),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const [stored] = await test.dataSource.query(
        `SELECT password_hash FROM users WHERE email = 'veteran@users.test'`,
      );
      expect(stored.password_hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
      expect((await login('veteran@users.test')).status).toBe(200);
    });

    it('should queue by the address of the client, not by the account', async () => {
      await register('wanted@users.test');
      const verify = jest.spyOn(test.app.get(PasswordHasher), 'verify');
      try {
        await login('wanted@users.test');
        await login('missing@users.test');
        expect(verify.mock.calls.map(([, , caller]) => caller)).toEqual(['127.0.0.1', '127.0.0.1']);
      } finally {
        verify.mockRestore();
      }
    });

    it('should answer alike for a wrong password, an unknown address and an inactive user', async () => {
      await register('known@users.test');
      const { body } = await register('inactive@users.test');
      await test.app.get(UsersService).update(body.user.id, { isActive: false });
      const answers = [
        await login('known@users.test', 'wrong password'),
        await login('unknown@users.test', 'wrong password'),
        await login('inactive@users.test', PASSWORD),
      ];
      expect(answers[0]?.status).toBe(401);
      expect(answers[0]?.body.code).toBe('invalid-credentials');
      expect(gist(answers[1]!)).toEqual(gist(answers[0]!));
      expect(gist(answers[2]!)).toEqual(gist(answers[0]!));
      for (const { headers } of answers) expect(headers.get('set-cookie')).toBeNull();
    });

    it.each(['locked@users.test', 'nobody@users.test'])(
      'should stop guessing at %s after ten attempts',
      async (email) => {
        if (email.startsWith('locked')) await register(email);
        const guesses = await Promise.all(Array.from({ length: 12 }, () => login(email, 'a guess')));
        expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10);
        expect(guesses.filter(({ status }) => status === 429)).toHaveLength(2);
        const right = await login(email, PASSWORD);
        expect([right.status, right.body.code]).toEqual([429, 'too-many-requests']);
        const wait = Number(right.headers.get('retry-after'));
        expect(wait).toBeGreaterThan(800);
        expect(wait).toBeLessThanOrEqual(900);
      },
    );

    it('should forget failures once the password was right', async () => {
      await register('forgetful@users.test');
      const fail = async (times: number): Promise<number[]> => {
        const guesses = Array.from({ length: times }, () => login('forgetful@users.test', 'a guess'));
        return (await Promise.all(guesses)).map(({ status }) => status);
      };
      expect(await fail(9)).toEqual(Array(9).fill(401));
      expect((await login('forgetful@users.test')).status).toBe(200);
      expect(await fail(3)).toEqual([401, 401, 401]);
      expect((await login('forgetful@users.test')).status).toBe(200);
    });
  });

  describe('access tokens', () => {
    it('should be HS256 with subject, session and role, for 15 minutes', async () => {
      const { body } = await register('claims@users.test');
      const [header, claims] = (body.access_token as string)
        .split('.', 2)
        .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
      expect(header.alg).toBe('HS256');
      expect(claims).toMatchObject({ sub: body.user.id, sid: expect.stringMatching(UUID), role: 'user' });
      expect(claims.exp - claims.iat).toBe(900);
    });

    it('should be refused when missing, malformed, unsigned, forged or expired', async () => {
      const { body } = await register('forger@users.test');
      const claims = JSON.parse(
        Buffer.from((body.access_token as string).split('.')[1]!, 'base64url').toString(),
      ) as { sub: string; sid: string; role: string };
      const sign = (payload: object, options: object, secret = test.env['JWT_SECRET']!): string =>
        new JwtService({ secret }).sign(payload, options);
      const { sub, sid } = claims;
      const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      const tokens = {
        good: sign({ sub, sid, role: 'user' }, { expiresIn: 60 }),
        malformed: 'not.a.token',
        unsigned: `${part({ alg: 'none', typ: 'JWT' })}.${part({ ...claims, exp: 4e9 })}.`,
        forged: sign({ sub, sid, role: 'admin' }, { expiresIn: 60 }, 'x'.repeat(64)),
        otherAlgorithm: sign({ sub, sid }, { expiresIn: 60, algorithm: 'HS512' }),
        expired: sign({ sub, sid }, { expiresIn: -1 }),
        withoutSession: sign({ sub }, { expiresIn: 60 }),
        sessionOfAnother: sign({ sub: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d', sid }, { expiresIn: 60 }),
      };
      const outcomes = await Promise.all(
        Object.entries(tokens).map(async ([name, token]) => [name, (await me(token)).status] as const),
      );
      expect(Object.fromEntries(outcomes)).toEqual({
        good: 200,
        malformed: 401,
        unsigned: 401,
        forged: 401,
        otherAlgorithm: 401,
        expired: 401,
        withoutSession: 401,
        sessionOfAnother: 401,
      });
      const none = await test.anonymous.get('/api/auth/me');
      expect([none.status, none.body.code]).toEqual([401, 'unauthorized']);
      expect(none.headers.get('www-authenticate')).toBe('Bearer');
    });
  });

  describe('refresh', () => {
    it('should rotate tokens, and end the session at once when one is used twice', async () => {
      const first = (await register('rotate@users.test')).body;
      const second = await refresh(first.refresh_token);
      expect(second.status).toBe(200);
      expect(second.body.refresh_token).not.toBe(first.refresh_token);
      expect(second.body.user.email).toBe('rotate@users.test');
      expect((await me(second.body.access_token)).status).toBe(200);

      const reuse = await refresh(first.refresh_token);
      expect([reuse.status, reuse.body.code]).toEqual([401, 'invalid-refresh-token']);
      expect((await me(second.body.access_token)).status).toBe(401);
      expect((await refresh(second.body.refresh_token)).status).toBe(401);
    });

    it('should accept one of several parallel uses of a token, and end the session', async () => {
      const { body } = await register('parallel@users.test');
      const answers = await Promise.all([1, 2, 3, 4].map(() => refresh(body.refresh_token)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
      expect((await me(body.access_token)).status).toBe(401);
    });

    it('should refuse unknown, missing and expired tokens', async () => {
      expect((await refresh('x'.repeat(43))).status).toBe(401);
      expect((await test.anonymous.post('/api/auth/refresh')).status).toBe(401);
      expect((await test.anonymous.post('/api/auth/refresh', { refresh_token: 7 })).status).toBe(400);
      const { body } = await register('expired@users.test');
      await test.dataSource.query(
        `UPDATE sessions SET expires_at = now() - interval '1 second' WHERE user_id = $1`,
        [body.user.id],
      );
      expect((await refresh(body.refresh_token)).status).toBe(401);
    });

    it('should store nothing that a thief of the database could use', async () => {
      const { body } = await register('stored@users.test');
      const tokens = await test.dataSource.query(
        `SELECT encode(token_hash, 'hex') AS hash FROM refresh_tokens t
         JOIN sessions s ON s.id = t.session_id WHERE s.user_id = $1`,
        [body.user.id],
      );
      expect(tokens).toHaveLength(1);
      expect(tokens[0].hash).toMatch(/^[0-9a-f]{64}$/);
      expect(Buffer.from(tokens[0].hash, 'hex').toString('base64url')).not.toBe(body.refresh_token);
    });
  });

  describe('the end of a session', () => {
    it('should be immediate at log-out, and not affect the user’s other sessions', async () => {
      const first = (await register('logout@users.test')).body;
      const other = (await login('logout@users.test')).body;
      expect((await me(first.access_token)).status).toBe(200);
      expect((await as(first.access_token).post('/api/auth/logout')).status).toBe(204);
      expect((await me(first.access_token)).status).toBe(401);
      expect((await refresh(first.refresh_token)).status).toBe(401);
      expect((await as(first.access_token).post('/api/auth/logout')).status).toBe(401);
      expect((await me(other.access_token)).status).toBe(200);
    });

    it('should be immediate in another process', async () => {
      const { app: sibling, url } = await test.another();
      try {
        const { body } = await register('elsewhere@users.test');
        const there = new ApiClient(url, body.access_token);
        expect((await there.get('/api/auth/me')).status).toBe(200);
        const endedAt = Date.now();
        await as(body.access_token).post('/api/auth/logout');
        await waitFor(
          'the other process to know',
          async () => (await there.get('/api/auth/me')).status === 401,
        );
        // Its own copy would have been good for two seconds.
        expect(Date.now() - endedAt).toBeLessThan(1_500);
      } finally {
        await sibling.close();
      }
    });

    it('should be immediate at deactivation, and a changed role should apply at once', async () => {
      const users = test.app.get(UsersService);
      const { body } = await register('access@users.test');
      const request = { get: () => `Bearer ${body.access_token}` } as unknown as Request;
      const role = async (): Promise<string | undefined> =>
        (await test.app.get(JwtStrategy).callerOf(request))?.role;
      expect(await role()).toBe('user');
      await users.update(body.user.id, { role: 'admin' });
      expect(await role()).toBe('admin');
      await users.update(body.user.id, { role: 'user' });
      expect(await role()).toBe('user');
      await users.update(body.user.id, { isActive: false });
      expect((await me(body.access_token)).status).toBe(401);
      expect((await refresh(body.refresh_token)).status).toBe(401);
      await users.update(body.user.id, { isActive: true });
      expect((await me(body.access_token)).status).toBe(401);
      expect((await login('access@users.test')).status).toBe(200);
    });
  });

  describe('cookies', () => {
    const cookiesOf = ({ headers }: ApiAnswer): Map<string, string> =>
      new Map(headers.getSetCookie().map((line) => [line.split('=')[0]!, line] as const));
    const sent = (answer: ApiAnswer): string =>
      [...cookiesOf(answer).values()].map((line) => line.split(';')[0]).join('; ');
    const origin = 'http://localhost:3000';

    it('should carry the session, inaccessible to scripts and other sites', async () => {
      const cookies = cookiesOf(await register('cookies@users.test'));
      expect(cookies.get('mailroom_access')).toMatch(/; Path=\/;.*HttpOnly; SameSite=Strict$/);
      expect(cookies.get('mailroom_refresh')).toMatch(/; Path=\/api\/auth;.*HttpOnly; SameSite=Strict$/);
      expect(cookies.get('mailroom_access')).toContain('Max-Age=900');
      expect(cookies.get('mailroom_refresh')).toContain(`Max-Age=${30 * 86_400}`);
      for (const line of cookies.values()) expect(line).not.toContain('Secure');
    });

    it('should allow reads; changes should require the application’s origin', async () => {
      const signedIn = await register('origin@users.test');
      const cookie = sent(signedIn);
      const post = (path: string, headers: Record<string, string>): Promise<ApiAnswer> =>
        test.anonymous.post(path, undefined, { headers: { cookie, ...headers } });
      expect((await test.anonymous.get('/api/auth/me', { headers: { cookie } })).status).toBe(200);

      for (const path of ['/api/auth/logout', '/api/auth/refresh']) {
        for (const headers of [{}, { origin: 'https://evil.test' }, { origin: 'null' }] as Record<
          string,
          string
        >[]) {
          const refused = await post(path, headers);
          expect([path, refused.status, refused.body.code]).toEqual([path, 403, 'foreign-origin']);
        }
      }
      const renewed = await post('/api/auth/refresh', { origin });
      expect(renewed.status).toBe(200);
      const out = await test.anonymous.post('/api/auth/logout', undefined, {
        headers: { cookie: sent(renewed), origin },
      });
      expect(out.status).toBe(204);
      expect(cookiesOf(out).get('mailroom_access')).toMatch(/^mailroom_access=;.*Expires=Thu, 01 Jan 1970/);
      expect(cookiesOf(out).get('mailroom_refresh')).toMatch(/^mailroom_refresh=;.*Path=\/api\/auth/);
      const after = await test.anonymous.get('/api/auth/me', { headers: { cookie: sent(renewed) } });
      expect(after.status).toBe(401);
    });

    it('should be renewable by several tabs at a time, and once by each', async () => {
      const signedIn = await register('tabs@users.test');
      const renew = (cookie: string): Promise<ApiAnswer> =>
        test.anonymous.post('/api/auth/refresh', undefined, { headers: { cookie, origin } });
      const answers = await Promise.all([1, 2, 3].map(() => renew(sent(signedIn))));
      expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([
        200,
        'refresh-in-progress',
        'refresh-in-progress',
      ]);
      const renewed = answers.find(({ status }) => status === 200)!;
      for (const refused of answers.filter(({ status }) => status === 409))
        expect(refused.headers.getSetCookie()).toEqual([]);
      expect((await renew(sent(renewed))).status).toBe(200);
      // Of a session that is over nothing is renewed, by any tab.
      const over = await register('tabs-over@users.test');
      await as(over.body.access_token).post('/api/auth/logout');
      const refused = await Promise.all([1, 2].map(() => renew(sent(over))));
      expect(refused.map(({ status }) => status)).toEqual([401, 401]);
      // What comes later was stolen.
      await test.dataSource.query(
        `UPDATE refresh_tokens SET used_at = now() - interval '11 seconds'
         WHERE used_at IS NOT NULL AND session_id IN (SELECT id FROM sessions WHERE user_id = $1)`,
        [signedIn.body.user.id],
      );
      expect((await renew(sent(signedIn))).status).toBe(401);
      expect((await me(renewed.body.access_token)).status).toBe(401);
    });

    it('should yield to a bearer token, and hostile ones should do no harm', async () => {
      const one = await register('bearer@users.test');
      const two = await register('cookie@users.test');
      const both = await as(one.body.access_token).get('/api/auth/me', { headers: { cookie: sent(two) } });
      expect(both.body.user.email).toBe('bearer@users.test');
      const broken = await as('broken').get('/api/auth/me', { headers: { cookie: sent(two) } });
      expect(broken.status).toBe(401);
      const headers = { cookie: 'mailroom_access=j:{"a":1}; mailroom_refresh=j:[1]', origin };
      expect((await test.anonymous.get('/api/auth/me', { headers })).status).toBe(401);
      expect((await test.anonymous.post('/api/auth/refresh', undefined, { headers })).status).toBe(401);
    });
  });

  it.each([
    ['half of a surrogate pair', '\ud800'],
    ['an address with one in it', 'a\udfff@example.org'],
    ['a NUL', 'a\0@example.org'],
    ['an address that is too long', `${'a'.repeat(50_000)}@example.org`],
    ['a deep array', JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`)],
  ])('should answer 400 when the e-mail address is %s', async (_what, email) => {
    const password = 'long enough';
    for (const path of ['register', 'login']) {
      const { status, body } = await test.anonymous.post(`/api/auth/${path}`, { email, password });
      expect([path, status, body.errors[0].field]).toEqual([path, 400, 'email']);
    }
  });

  it('should return the caller’s profile and usage', async () => {
    const { status, body } = await me(adminToken);
    expect(status).toBe(200);
    expect(body).toEqual({
      user: expect.objectContaining({ email: 'first@users.test', role: 'admin' }),
      mailboxAccounts: [],
      storageUsedBytes: 0,
      preferences: { language: null, timezone: null, theme: null, density: null },
    });
    const config = await test.anonymous.get('/api/auth/config');
    expect([config.status, config.body]).toEqual([
      200,
      {
        allowRegistration: true,
        providers: ['gmail', 'imap'],
        oidc: null,
        passkeys: true,
        setupRequired: false,
        appUrl: 'http://localhost:3000',
        version: SERVICE_VERSION,
        sandbox: false,
        maxUploadBytes: 50 * 1024 ** 3,
      },
    ]);
    for (const path of ['login', 'callback']) {
      const { status, body } = await test.anonymous.get(`/api/auth/oidc/${path}`);
      expect([status, body.code]).toEqual([404, 'oidc-not-configured']);
    }
  });
});
