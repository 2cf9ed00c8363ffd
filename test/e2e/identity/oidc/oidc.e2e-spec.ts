import { Secret, TOTP } from 'otpauth';
import { OidcStates } from '../../../../src/identity/oidc/oidc-states';
import { RedisService } from '../../../../src/platform/redis/redis.service';
import { InvitationsService } from '../../../../src/identity/auth/invitations.service';
import { AppConfig } from '../../../../src/platform/config/app-config';
import { UsersService } from '../../../../src/identity/users/users.service';
import { ApiAnswer, ApiClient } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import { TestOpenIdProvider } from '../../../support/oidc/openid-provider';
import { freePort } from '../../../support/service-process';
import type { TestUser } from '../../../support/test-user';

const APP = 'http://localhost:3000';
const CLIENT = {
  clientId: 'mailroom',
  clientSecret: 'a-secret-of-the-tests',
  redirectUri: `${APP}/api/auth/oidc/callback`,
};

/** One browser, with the cookies the service gave it. */
class Browser {
  readonly cookies = new Map<string, string>();

  constructor(private readonly api: ApiClient) {}

  /** @returns where it is sent, and the raw cookies it was given */
  async open(
    path: string,
    headers: Record<string, string> = {},
  ): Promise<{ location: string; setCookies: string[] }> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await this.api.fetch('GET', path, {
      headers: { accept: 'text/html', cookie, ...headers },
    });
    const setCookies = response.headers.getSetCookie();
    this.keep(setCookies);
    expect(response.status).toBe(302);
    return { location: response.headers.get('location') ?? '', setCookies };
  }

  keep(setCookies: readonly string[]): void {
    for (const line of setCookies) {
      const [name, value] = line.split(';', 1)[0]!.split(/=(.*)/s) as [string, string];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

describe('sign-in through an OpenID provider', () => {
  let test: TestApp;
  let provider: TestOpenIdProvider;

  beforeAll(async () => {
    const port = await freePort();
    test = await startTestApp({
      sandbox: { messages: 1 },
      env: {
        OIDC_ISSUER: `http://127.0.0.1:${port}`,
        OIDC_CLIENT_ID: CLIENT.clientId,
        OIDC_CLIENT_SECRET: CLIENT.clientSecret,
        OIDC_NAME: 'Our house',
      },
    });
    await test.user('admin');

    // The service has started without it, says so, and finds it once it is there.
    const { location } = await new Browser(test.anonymous).open('/api/auth/oidc/login');
    expect(location).toBe(`${APP}/login?error=oidc-unavailable`);
    const json = await test.anonymous.get('/api/auth/oidc/login', {
      headers: { accept: 'application/json' },
    });
    expect([json.status, json.body.code]).toEqual([503, 'oidc-unavailable']);
    provider = await TestOpenIdProvider.start(port, CLIENT);
  });
  afterAll(async () => {
    await provider?.stop();
    await test.close();
  });

  const begin = async (browser: Browser, returnTo?: string): Promise<string> => {
    const query = returnTo === undefined ? '' : `?return_to=${encodeURIComponent(returnTo)}`;
    const { location } = await browser.open(`/api/auth/oidc/login${query}`);
    expect(location).toContain(`${provider.issuer}/auth?`);
    return location;
  };
  const comeBack = (browser: Browser, callback: URL): Promise<{ location: string; setCookies: string[] }> =>
    browser.open(`${callback.pathname}${callback.search}`);
  /** Signs in as somebody the provider knows. @returns where that leads */
  const signIn = async (sub: string, browser = newBrowser(), returnTo?: string): Promise<string> =>
    (await comeBack(browser, await provider.signIn(await begin(browser, returnTo), sub))).location;
  /** Runs `work` while registration is closed. */
  const withoutRegistration = async <T>(work: () => Promise<T>): Promise<T> => {
    const { registration } = test.app.get(AppConfig);
    Object.assign(registration, { open: false });
    try {
      return await work();
    } finally {
      Object.assign(registration, { open: true });
    }
  };
  const newBrowser = (): Browser => new Browser(test.anonymous);
  const refusal = (code: string): string => `${APP}/login?error=${code}`;
  const me = async (browser: Browser): Promise<ApiAnswer> =>
    test.anonymous.get('/api/auth/me', {
      headers: { cookie: `mailroom_access=${browser.cookies.get('mailroom_access')}` },
    });
  const acts = async (userId: string, action: string): Promise<unknown[]> =>
    test.dataSource
      .query('SELECT details FROM audit_entries WHERE user_id = $1 AND action = $2 ORDER BY sequence', [
        userId,
        action,
      ])
      .then((rows: { details: unknown }[]) => rows.map(({ details }) => details));

  it('should be announced', async () => {
    const { body } = await test.anonymous.get('/api/auth/config');
    expect(body.oidc).toEqual({ name: 'Our house', login_url: `${APP}/api/auth/oidc/login` });
  });

  it('should create a user for a new person, and recognise them after a change of address', async () => {
    await provider.account({
      sub: 'ada',
      email: 'Ada@House.test',
      email_verified: true,
      name: 'Ada Lovelace',
    });
    const browser = newBrowser();
    const authorization = await begin(browser, '/archive?q=tea#top');
    const [flowCookie] = browser.cookies.keys();
    const { location, setCookies } = await comeBack(browser, await provider.signIn(authorization, 'ada'));
    expect(location).toBe(`${APP}/archive?q=tea#top`);
    const cookieOf = (name: string): string | undefined =>
      setCookies.find((line) => line.startsWith(`${name}=`));
    expect(cookieOf('mailroom_access')).toMatch(/HttpOnly; SameSite=Strict$/);
    expect(cookieOf('mailroom_refresh')).toMatch(/; Path=\/api\/auth;.*HttpOnly; SameSite=Strict$/);
    expect(cookieOf(flowCookie!)).toMatch(/=; Path=\/api\/auth\/oidc\/callback; Expires=Thu, 01 Jan 1970/);
    const { user } = (await me(browser)).body;
    expect(user).toMatchObject({ email: 'ada@house.test', name: 'Ada Lovelace', role: 'user' });
    expect(await acts(user.id, 'identity.linked')).toEqual([{ by: 'registration' }]);
    expect(await acts(user.id, 'session.opened')).toEqual([{ method: 'openid-connect' }]);

    await provider.account({ sub: 'ada', email: 'ada@elsewhere.test', email_verified: false });
    const again = newBrowser();
    expect(await signIn('ada', again)).toBe(`${APP}/`);
    expect((await me(again)).body.user).toMatchObject({ id: user.id, email: 'ada@house.test' });
    const [stored] = await test.dataSource.query(
      `SELECT u.password_hash, i.last_used_at IS NOT NULL AS used FROM users u
       JOIN user_identities i ON i.user_id = u.id WHERE u.id = $1`,
      [user.id],
    );
    expect(stored).toEqual({ password_hash: null, used: true });
    const password = await test.anonymous.post('/api/auth/login', {
      email: 'ada@house.test',
      password: 'any password',
    });
    expect([password.status, password.body.code]).toEqual([401, 'invalid-credentials']);
  });

  it('should create one user for a new person in two tabs', async () => {
    await provider.account({ sub: 'twice', email: 'twice@house.test', email_verified: true });
    const browser = newBrowser();
    const urls = [await begin(browser), await begin(browser)];
    const back = await Promise.all(urls.map((url) => provider.signIn(url, 'twice')));
    const landings = await Promise.all(back.map((url) => comeBack(browser, url)));
    expect(landings.map(({ location }) => location)).toEqual([`${APP}/`, `${APP}/`]);
  });

  it('should not sign a person in to a user that someone else registered with their address', async () => {
    const squatted = await test.user('squatted');
    await provider.account({ sub: 'squatted', email: squatted.email, email_verified: true });
    expect(await signIn('squatted')).toBe(refusal('oidc-link-needs-password'));
    expect(await acts(squatted.id, 'identity.linked')).toEqual([]);
    expect(await acts(squatted.id, 'session.refused')).toEqual([
      { method: 'openid-connect', code: 'oidc-link-needs-password' },
    ]);
  });

  it('should not sign a person in to a user registered with their address before registration was closed', async () => {
    const squatted = await test.user('squatted-before');
    await provider.account({ sub: 'squatted-before', email: squatted.email, email_verified: true });
    expect(await withoutRegistration(() => signIn('squatted-before'))).toBe(
      refusal('oidc-link-needs-password'),
    );
    expect(await acts(squatted.id, 'identity.linked')).toEqual([]);
    const { email, password } = squatted;
    expect((await test.anonymous.post('/api/auth/login', { email, password })).status).toBe(200);
  });

  it('should link a user whom an administrator added with the same address, and keep their password', async () => {
    const invited = await test.app
      .get(InvitationsService)
      .invite({ email: 'linked@house.test', name: null, role: 'user' });
    const [, token] = invited.url.split('#');
    const password = 'correct horse battery';
    const accepted = await test.anonymous.post('/api/auth/invitation/accept', { token, password });
    expect(accepted.status).toBe(200);
    const { id, email } = accepted.body.user;
    await provider.account({ sub: 'linked', email: email.toUpperCase(), email_verified: true });
    const browser = newBrowser();
    expect(await signIn('linked', browser)).toBe(`${APP}/`);
    expect((await me(browser)).body.user.id).toBe(id);
    expect(await acts(id, 'identity.linked')).toEqual([{ by: 'email' }]);
    expect((await test.anonymous.post('/api/auth/login', { email, password })).status).toBe(200);

    // The provider gave the address to somebody else.
    await provider.account({ sub: 'successor', email, email_verified: true });
    expect(await signIn('successor')).toBe(refusal('oidc-already-linked'));
  });

  it('should link a user with the same address who has no password', async () => {
    const user = await test.app
      .get(UsersService)
      .create({ email: 'no-password@house.test', name: null, passwordHash: null });
    await provider.account({ sub: 'no-password', email: user.email, email_verified: true });
    const browser = newBrowser();
    expect(await signIn('no-password', browser)).toBe(`${APP}/`);
    expect((await me(browser)).body.user.id).toBe(user.id);
  });

  it.each([false, undefined, 'true'])(
    'should accept no address with email_verified %p',
    async (email_verified) => {
      await provider.account({ sub: 'unverified', email: 'unverified@house.test', email_verified });
      const browser = newBrowser();
      expect(await signIn('unverified', browser)).toBe(refusal('oidc-email-unverified'));
      expect([...browser.cookies.keys()]).toEqual([]);
      const found = await test.dataSource.query(`SELECT 1 FROM users WHERE email = 'unverified@house.test'`);
      expect(found).toEqual([]);
    },
  );

  it('should not sign in users whom the installation refuses', async () => {
    const users = test.app.get(UsersService);
    const user = await users.create({ email: 'inactive@house.test', name: null, passwordHash: null });
    await provider.account({ sub: 'inactive', email: user.email, email_verified: true });
    await users.update(user.id, { isActive: false });
    expect(await signIn('inactive')).toBe(refusal('account-inactive'));
    expect(await acts(user.id, 'identity.linked')).toEqual([]);
    await users.update(user.id, { isActive: true });
    expect(await signIn('inactive')).toBe(`${APP}/`);
    await test.dataSource.query('UPDATE users SET deletion_requested_at = now() WHERE id = $1', [user.id]);
    expect(await signIn('inactive')).toBe(refusal('account-inactive'));

    const oidc = test.app.get(AppConfig).oidc!;
    Object.assign(oidc, { registrationOpen: false });
    try {
      await provider.account({ sub: 'late', email: 'late@house.test', email_verified: true });
      expect(await signIn('late')).toBe(refusal('registration-closed'));
      expect(await signIn('linked')).toBe(`${APP}/`);
    } finally {
      Object.assign(oidc, { registrationOpen: true });
    }
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/%2F/evil.example', '/api/jobs'])(
    'should never redirect to %s',
    async (returnTo) => {
      expect(await signIn('linked', newBrowser(), returnTo)).toBe(`${APP}/`);
    },
  );

  describe('a failed sign-in', () => {
    it('should be reported when the person declines, without the provider’s words', async () => {
      expect(await signIn('deny')).toBe(refusal('oidc-denied'));
    });

    it('should be refused in another browser, which uses up the state', async () => {
      const browser = newBrowser();
      const callback = await provider.signIn(await begin(browser), 'linked');
      const other = newBrowser();
      await begin(other);
      const { location, setCookies } = await comeBack(other, callback);
      expect(location).toBe(refusal('oidc-browser-mismatch'));
      expect(setCookies).toEqual([]);
      expect((await comeBack(browser, callback)).location).toBe(refusal('oidc-state-invalid'));
    });

    it('should be refused when the response is used again', async () => {
      const browser = newBrowser();
      const callback = await provider.signIn(await begin(browser), 'linked');
      const kept = new Map(browser.cookies);
      expect((await comeBack(browser, callback)).location).toBe(`${APP}/`);
      for (const [name, value] of kept) browser.cookies.set(name, value);
      expect((await comeBack(browser, callback)).location).toBe(refusal('oidc-state-invalid'));

      // A code that was used, with a state of one’s own.
      const next = await provider.signIn(await begin(browser), 'linked');
      next.searchParams.set('code', callback.searchParams.get('code')!);
      expect((await comeBack(browser, next)).location).toBe(refusal('oidc-failed'));
    });

    it('should be shown on a page of the application, even while Redis is unavailable', async () => {
      const browser = newBrowser();
      const callback = await provider.signIn(await begin(browser), 'linked');
      const take = jest
        .spyOn(test.app.get(OidcStates), 'redeem')
        .mockRejectedValue(new Error('Command timed out'));
      const { location } = await comeBack(browser, callback).finally(() => take.mockRestore());
      expect(location).toBe(refusal('service-unavailable'));
    });

    it('should be refused after more than ten minutes', async () => {
      const browser = newBrowser();
      const authorization = await begin(browser);
      const redis = test.app.get(RedisService);
      const key = redis.key('oidc', new URL(authorization).searchParams.get('state')!);
      const seconds = await redis.client.ttl(key);
      expect(seconds).toBeGreaterThan(580);
      expect(seconds).toBeLessThanOrEqual(600);
      await redis.client.del(key);
      const callback = await provider.signIn(authorization, 'linked');
      expect((await comeBack(browser, callback)).location).toBe(refusal('oidc-state-invalid'));
    });

    it.each([
      ['state', 'x'.repeat(43), 'oidc-state-invalid'],
      ['nonce', 'another', 'oidc-token-invalid'],
      ['code_challenge', 'x'.repeat(43), 'oidc-failed'],
    ])('should be refused when the %s was tampered with', async (parameter, value, code) => {
      const browser = newBrowser();
      const authorization = new URL(await begin(browser));
      authorization.searchParams.set(parameter, value);
      const callback = await provider.signIn(authorization.href, 'linked');
      expect((await comeBack(browser, callback)).location).toBe(refusal(code));
    });

    it.each([
      ['iss', 'https://evil.example', 'oidc-token-invalid'],
      ['iss', null, 'oidc-token-invalid'],
      ['code', 'x'.repeat(43), 'oidc-failed'],
      ['code', null, 'oidc-token-invalid'],
      ['state', null, 'oidc-state-invalid'],
    ])('should be refused when %s comes back as %p', async (parameter, value, code) => {
      const browser = newBrowser();
      const callback = await provider.signIn(await begin(browser), 'linked');
      if (value === null) callback.searchParams.delete(parameter);
      else callback.searchParams.set(parameter, value);
      expect((await comeBack(browser, callback)).location).toBe(refusal(code));
    });

    it('should be reported when the provider is unavailable in between, but not when it has new keys', async () => {
      const browser = newBrowser();
      const callback = await provider.signIn(await begin(browser), 'linked');
      await provider.away(true);
      expect((await comeBack(browser, callback)).location).toBe(refusal('oidc-unavailable'));
      await provider.away(false);
      await provider.rotateKeys();
      expect(await signIn('linked')).toBe(`${APP}/`);
    });
  });

  describe('of a user with one-time codes', () => {
    let user: TestUser;
    let secret: string;
    /** A step of its own for each use, so that nobody has to wait. */
    const code = async (): Promise<string> => {
      await test.dataSource.query('UPDATE two_factors SET last_step = NULL WHERE user_id = $1', [user.id]);
      return new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    };
    const link = (body: object, api = user.api): Promise<ApiAnswer> => api.post('/api/auth/oidc/link', body);

    beforeAll(async () => {
      user = await test.user('careful');
      secret = (await user.api.post('/api/auth/2fa/setup', { password: user.password })).body.secret;
      const enabled = await user.api.post('/api/auth/2fa/enable', { totp_code: await code() });
      expect(enabled.status).toBe(200);
      await provider.account({ sub: 'careful', email: user.email, email_verified: true });
    });

    it('should not start with the address alone', async () => {
      expect(await signIn('careful')).toBe(refusal('oidc-link-needs-totp'));
      expect(await acts(user.id, 'identity.linked')).toEqual([]);
      expect(await acts(user.id, 'session.refused')).toEqual([
        { method: 'openid-connect', code: 'oidc-link-needs-totp' },
      ]);
    });

    it('should be linked from within a session, with password and code', async () => {
      expect((await test.anonymous.post('/api/auth/oidc/link', {})).status).toBe(401);
      const { password } = user;
      const refused = [
        await link({}),
        await link({ password: 'wrong password', totp_code: await code() }),
        await link({ password }),
        await link({ password, totp_code: '12345' }),
      ];
      expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
        [403, 'password-invalid'],
        [403, 'password-invalid'],
        [403, 'totp-invalid'],
        [403, 'totp-invalid'],
      ]);
      expect((await link({ password: 7 })).body.errors[0].field).toBe('password');

      const begun = await link({ password, totp_code: await code() });
      expect(begun.status).toBe(200);
      const browser = newBrowser();
      browser.keep(begun.headers.getSetCookie());
      // Whatever address the provider has for them.
      await provider.account({ sub: 'careful', email: 'private@house.test', email_verified: false });
      const callback = await provider.signIn(begun.body.url, 'careful');
      const { location, setCookies } = await comeBack(browser, callback);
      expect(location).toBe(`${APP}/settings?oidc=linked`);
      expect(setCookies.filter((line) => line.startsWith('mailroom_access'))).toEqual([]);
      expect(await acts(user.id, 'identity.linked')).toEqual([{ by: 'session' }]);
      const linked = newBrowser();
      expect(await signIn('careful', linked)).toBe(`${APP}/`);
      expect((await me(linked)).body.user.id).toBe(user.id);
    });

    it('should not be linked to the identity of another user, nor after the session has ended', async () => {
      const { password } = user;
      const other = await test.user('other');
      const begun = await link({ password: other.password }, other.api);
      const browser = newBrowser();
      browser.keep(begun.headers.getSetCookie());
      const taken = await comeBack(browser, await provider.signIn(begun.body.url, 'careful'));
      expect(taken.location).toBe(`${APP}/settings?oidc=error&code=oidc-identity-taken`);

      const signedIn = await test.anonymous.post('/api/auth/login', { email: other.email, password });
      const short = new ApiClient(test.url, signedIn.body.access_token as string);
      const late = await link({ password: other.password }, short);
      browser.keep(late.headers.getSetCookie());
      await short.post('/api/auth/logout');
      await provider.account({ sub: 'fresh', email: 'fresh@house.test', email_verified: true });
      const ended = await comeBack(browser, await provider.signIn(late.body.url, 'fresh'));
      expect(ended.location).toBe(`${APP}/settings?oidc=error&code=oidc-session-ended`);
    });

    it('should be unlinked with password and code', async () => {
      const unlink = (body: object): Promise<ApiAnswer> => user.api.post('/api/auth/oidc/unlink', body);
      expect((await unlink({ password: user.password })).body.code).toBe('totp-invalid');
      const proof = async (): Promise<object> => ({ password: user.password, totp_code: await code() });
      const done = await unlink(await proof());
      expect([done.status, done.body]).toEqual([200, { ok: true }]);
      expect((await unlink(await proof())).body.code).toBe('oidc-not-linked');
      await provider.account({ sub: 'careful', email: user.email, email_verified: true });
      expect(await signIn('careful')).toBe(refusal('oidc-link-needs-totp'));
    });
  });

  it('should not let a user without a password lock themselves out', async () => {
    const browser = newBrowser();
    expect(await signIn('ada', browser)).toBe(`${APP}/`);
    const ada = new ApiClient(test.url, browser.cookies.get('mailroom_access')!);
    const unlinked = await ada.post('/api/auth/oidc/unlink', {});
    expect([unlinked.status, unlinked.body.code]).toEqual([409, 'no-local-password']);
    const setup = await ada.post('/api/auth/2fa/setup', { password: 'any password' });
    expect([setup.status, setup.body.code]).toEqual([409, 'no-local-password']);
  });

  it('should leave no token of the provider behind', async () => {
    const columns = await test.dataSource.query(
      `SELECT column_name FROM information_schema.columns WHERE table_name = 'user_identities' ORDER BY 1`,
    );
    expect(columns.map(({ column_name }: { column_name: string }) => column_name)).toEqual([
      'created_at',
      'id',
      'issuer',
      'last_used_at',
      'subject',
      'user_id',
    ]);
    const redis = test.app.get(RedisService);
    for (const key of await redis.client.keys(redis.key('oidc', '*'))) {
      expect(await redis.client.get(key)).not.toMatch(/eyJ|access_token/);
    }
  });
});
