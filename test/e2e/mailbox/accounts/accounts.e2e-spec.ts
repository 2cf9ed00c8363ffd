import { UsersService } from '../../../../src/identity/users/users.service';
import { ProviderCredentials } from '../../../../src/providers/port/provider-credentials.port';
import { ApiAnswer, ApiClient } from '../../../support/api-client';
import { waitFor } from '../../../support/wait';
import { startTestApp, TestApp } from '../../../support/app';
import type { TestUser } from '../../../support/test-user';
import { nightly } from '../../../support/nightly';

const SETTINGS = 'http://localhost:3000/settings';

interface Account {
  id: string;
  email: string;
  is_active: boolean;
  status: string;
}

describe('mailbox accounts', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ sandbox: { messages: 20 } });
    await test.user('administrator');
  });
  afterAll(() => test.close());
  afterEach(() => test.sandbox.clearFaults());

  /** The cookies of the browsers that began consents, by the consent's state. */
  const browsers = new Map<string, string>();
  const begin = async (user: TestUser): Promise<URL> => {
    const { status, body, headers } = await user.api.get('/api/auth/mailbox/connect?provider=gmail');
    expect(status).toBe(200);
    const url = new URL(body.url as string);
    const [cookie] = headers.getSetCookie();
    browsers.set(url.searchParams.get('state')!, cookie ?? '');
    return url;
  };
  /** What the user's browser does at the provider: where it is sent back to. */
  const consent = async (url: URL, mailbox: string): Promise<URL> => {
    url.searchParams.set('login_hint', mailbox);
    const answer = await fetch(url, { redirect: 'manual' });
    return new URL(answer.headers.get('location')!);
  };
  const cookieOf = (target: URL): string => browsers.get(target.searchParams.get('state')!)!.split(';')[0]!;
  /** What the browser that began the consent does; it sends no other cookie along from the provider's page. */
  const callback = (target: URL): Promise<ApiAnswer> =>
    test.anonymous.get(`${target.pathname}${target.search}`, { headers: { cookie: cookieOf(target) } });
  const elsewhere = (target: URL, by: ApiClient, cookie?: string): Promise<ApiAnswer> =>
    by.get(`${target.pathname}${target.search}`, { headers: cookie ? { cookie } : {} });
  const landing = (answer: ApiAnswer): string => {
    expect(answer.status).toBe(302);
    expect(answer.bytes.toString()).not.toMatch(/token|secret|code_verifier/i);
    return answer.headers.get('location')!;
  };
  const accountsOf = async (user: TestUser): Promise<Account[]> =>
    (await user.api.get('/api/auth/me')).body.mailboxAccounts;
  const limitTo = (user: TestUser, maxMailboxAccounts: number): Promise<unknown> =>
    test.app.get(UsersService).update(user.id, { maxMailboxAccounts });

  describe('connecting', () => {
    it('should go through the provider’s consent and back to the settings page', async () => {
      const user = await test.user();
      const url = await begin(user);
      expect(`${url.origin}${url.pathname}`).toBe(test.sandbox.authUrl);
      expect(url.searchParams.get('code_challenge_method')).toBe('S256');
      expect(url.searchParams.get('redirect_uri')).toBe('http://localhost:3000/api/auth/mailbox/callback');
      const landed = landing(await callback(await consent(url, 'Mine+Box@sandbox.test')));
      expect(landed).toBe(`${SETTINGS}?mailbox=connected&account=mine%2Bbox%40sandbox.test`);
      expect(await accountsOf(user)).toEqual([
        {
          id: expect.any(String),
          email: 'mine+box@sandbox.test',
          provider: 'gmail',
          is_active: true,
          status: 'connected',
          last_synced_at: null,
          created_at: expect.stringMatching(/Z$/),
        },
      ]);
      const [row] = await test.dataSource.query(
        'SELECT sealed_credentials, scopes FROM mailbox_accounts WHERE user_id = $1',
        [user.id],
      );
      expect(row.sealed_credentials).toMatch(/^v1\./);
      expect(row.sealed_credentials).not.toMatch(/ya29|1\/\/0/);
      expect(row.scopes).toEqual(['https://mail.google.com/']);
    });

    it('should refuse unknown providers and accounts of others', async () => {
      const user = await test.user();
      for (const query of ['', '?provider=', '?provider=aol', '?provider=gmail&accountId=x']) {
        const { status, body } = await user.api.get(`/api/auth/mailbox/connect${query}`);
        expect([query, status, body.code]).toEqual([query, 400, 'validation-failed']);
      }
      expect((await test.anonymous.get('/api/auth/mailbox/connect?provider=gmail')).status).toBe(401);
      const other = await (await test.user()).connect('others@sandbox.test');
      const foreign = await user.api.get(`/api/auth/mailbox/connect?provider=gmail&accountId=${other}`);
      expect([foreign.status, foreign.body.code]).toEqual([403, 'account-not-owned']);
    });

    it('should suggest the address of an account to be reconnected', async () => {
      const user = await test.user();
      const id = await user.connect('again@sandbox.test');
      const { body } = await user.api.get(`/api/auth/mailbox/connect?provider=gmail&accountId=${id}`);
      expect(new URL(body.url as string).searchParams.get('login_hint')).toBe('again@sandbox.test');
    });

    it('should accept a state once, and no forged one', async () => {
      const user = await test.user();
      const target = await consent(await begin(user), 'replay@sandbox.test');
      expect(landing(await callback(target))).toContain('mailbox=connected');
      expect(landing(await callback(target))).toBe(`${SETTINGS}?mailbox=error&code=state-invalid`);
      for (const query of ['', '?state=x&code=y', `?state=${'A'.repeat(43)}&code=y`, '?state[a]=1&code=y']) {
        const answer = await test.anonymous.get(`/api/auth/mailbox/callback${query}`);
        expect(landing(answer)).toBe(`${SETTINGS}?mailbox=error&code=state-invalid`);
      }
    });

    it('should connect nothing for a user who followed another user’s link', async () => {
      const attacker = await test.user('attacker');
      const victim = await test.user('victim');
      const other = await consent(await begin(attacker), 'other@sandbox.test');
      const strangers: [string, ApiClient, string?][] = [
        ['signed in nowhere', test.anonymous],
        ['with an invented cookie', test.anonymous, 'mailroom_consent=x; mailroom_session=y'],
        ['with the cookie of another consent', test.anonymous, cookieOf(other)],
        ['signed in as somebody else', victim.api],
      ];
      for (const [name, by, cookie] of strangers) {
        const target = await consent(await begin(attacker), 'victim@sandbox.test');
        const named = cookieOf(target).split('=')[0]!;
        const sent = cookie && `${cookie}; ${named}=${cookie.split('=')[1]!}`;
        const landed = landing(await elsewhere(target, by, sent));
        expect([name, landed]).toEqual([name, `${SETTINGS}?mailbox=error&code=session-mismatch`]);
      }
      const secondSession = await test.anonymous.post('/api/auth/login', {
        email: attacker.email,
        password: attacker.password,
      });
      const again = new ApiClient(test.url, secondSession.body.access_token as string);
      const target = await consent(await begin(attacker), 'victim@sandbox.test');
      expect(landing(await elsewhere(target, again))).toContain('code=session-mismatch');
      expect(await accountsOf(attacker)).toEqual([]);
      expect(await accountsOf(victim)).toEqual([]);
    });

    it('should connect for the browser that started, and for programs that send their session', async () => {
      const user = await test.user();
      const inBrowser = await consent(await begin(user), 'browser@sandbox.test');
      expect(browsers.get(inBrowser.searchParams.get('state')!)).toMatch(
        /^mailroom_consent_[\w-]+=[\w-]{43}; Max-Age=600; Path=\/api\/auth\/mailbox\/callback;.*HttpOnly; SameSite=Lax$/,
      );
      const answer = await callback(inBrowser);
      expect(landing(answer)).toContain('mailbox=connected');
      expect(answer.headers.getSetCookie()).toEqual([
        expect.stringMatching(
          /^mailroom_consent_[\w-]+=; Path=\/api\/auth\/mailbox\/callback; Expires=Thu, 01 Jan 1970/,
        ),
      ]);
      const byToken = await consent(await begin(user), 'program@sandbox.test');
      expect(landing(await elsewhere(byToken, user.api))).toContain('mailbox=connected');
      const bySession = await consent(await begin(user), 'jar@sandbox.test');
      const session = `mailroom_access=${user.api.token}`;
      expect(landing(await elsewhere(bySession, test.anonymous, session))).toContain('mailbox=connected');
    });

    it('should connect nothing once the session has ended', async () => {
      const user = await test.user();
      const target = await consent(await begin(user), 'gone@sandbox.test');
      await user.api.post('/api/auth/logout');
      expect(landing(await callback(target))).toBe(`${SETTINGS}?mailbox=error&code=session-ended`);
    });

    it('should report that the user declined, or that the code is invalid', async () => {
      const user = await test.user();
      const denied = await consent(await begin(user), 'deny@sandbox.test');
      expect(landing(await callback(denied))).toBe(`${SETTINGS}?mailbox=error&code=consent-denied`);
      const forged = await consent(await begin(user), 'forged@sandbox.test');
      forged.searchParams.set('code', '4/0forged');
      expect(landing(await callback(forged))).toMatch(/\?mailbox=error&code=[a-z-]+$/);
      const codeless = await consent(await begin(user), 'codeless@sandbox.test');
      codeless.searchParams.delete('code');
      expect(landing(await callback(codeless))).toBe(`${SETTINGS}?mailbox=error&code=consent-failed`);
      // PKCE: a code stolen from one consent is worth nothing in another.
      const stolen = await consent(await begin(user), 'stolen@sandbox.test');
      const own = await consent(await begin(user), 'stolen@sandbox.test');
      own.searchParams.set('code', stolen.searchParams.get('code')!);
      expect(landing(await callback(own))).toMatch(/\?mailbox=error&code=[a-z-]+$/);
      expect(await accountsOf(user)).toEqual([]);
    });

    it('should refuse to connect an account that is being purged', async () => {
      const user = await test.user();
      const id = await user.connect('half-purged@sandbox.test');
      await test.dataSource.query(`UPDATE mailbox_accounts SET status = 'purging' WHERE id = $1`, [id]);
      expect((await accountsOf(user))[0]?.status).toBe('disconnected');
      const target = await consent(await begin(user), 'half-purged@sandbox.test');
      expect(landing(await callback(target))).toBe(`${SETTINGS}?mailbox=error&code=mailbox-purging`);
    });

    it('should stop at the user’s maximum, even when two consents return at the same time', async () => {
      const user = await test.user();
      await limitTo(user, 2);
      const first = await user.connect('one@sandbox.test');
      const targets = [
        await consent(await begin(user), 'two@sandbox.test'),
        await consent(await begin(user), 'three@sandbox.test'),
      ];
      const landed = await Promise.all(targets.map(async (target) => landing(await callback(target))));
      expect(landed.filter((url) => url.includes('mailbox=connected'))).toHaveLength(1);
      expect(landed).toContain(`${SETTINGS}?mailbox=error&code=mailbox-account-limit`);
      const refused = await user.api.get('/api/auth/mailbox/connect?provider=gmail');
      expect([refused.status, refused.body.code]).toEqual([403, 'mailbox-account-limit']);
      const again = await user.api.get(`/api/auth/mailbox/connect?provider=gmail&accountId=${first}`);
      expect(again.status).toBe(200);

      await test.app.get(ProviderCredentials).markReauthRequired(first);
      const renewal = await consent(await begin(user), 'one@sandbox.test');
      expect(landing(await callback(renewal))).toContain('mailbox=connected');

      expect((await user.api.delete(`/api/auth/mailbox/${first}`)).status).toBe(204);
      await user.connect('four@sandbox.test');
    });
  });

  describe('of other users', () => {
    it('should answer the same 403 as unknown ones', async () => {
      const id = await (await test.user('owner')).connect('owned@sandbox.test');
      const stranger = await test.user('stranger');
      const unknown = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';
      for (const account of [id, unknown]) {
        const answers = [
          await stranger.api.patch(`/api/auth/mailbox/${account}/toggle`),
          await stranger.api.delete(`/api/auth/mailbox/${account}`),
        ];
        for (const { status, body } of answers)
          expect([status, body.code]).toEqual([403, 'account-not-owned']);
      }
      expect((await stranger.api.delete('/api/auth/mailbox/nonsense')).status).toBe(400);
      expect((await test.anonymous.delete(`/api/auth/mailbox/${id}`)).status).toBe(401);
    });
  });

  it('should be switched off and on', async () => {
    const user = await test.user();
    const id = await user.connect('switch@sandbox.test');
    const toggle = (): Promise<ApiAnswer> => user.api.patch(`/api/auth/mailbox/${id}/toggle`);
    expect([(await user.api.get(`/api/mailbox/${id}/profile`)).status]).toEqual([200]);
    const off = await toggle();
    expect([off.status, off.body]).toEqual([200, { id, is_active: false }]);
    const refused = await user.api.get(`/api/mailbox/${id}/profile`);
    expect([refused.status, refused.body.code]).toEqual([409, 'mailbox-disconnected']);
    expect((await accountsOf(user))[0]).toMatchObject({ is_active: false, status: 'connected' });
    expect((await toggle()).body).toEqual({ id, is_active: true });
    expect((await user.api.get(`/api/mailbox/${id}/profile`)).status).toBe(200);
  });

  nightly('should show when the provider throttles', async () => {
    const user = await test.user();
    const id = await user.connect('slow@sandbox.test');
    const credentials = test.app.get(ProviderCredentials);
    await credentials.setPausedUntil(id, new Date(Date.now() + 5_000));
    // Another process, which knows of a shorter pause only.
    await credentials.setPausedUntil(id, new Date(Date.now() + 1));
    expect((await accountsOf(user))[0]?.status).toBe('rate_limited');
    // A new consent brings no new quota.
    await user.connect('slow@sandbox.test');
    expect((await accountsOf(user))[0]?.status).toBe('rate_limited');
    await waitFor(
      'the pause to end',
      async () => (await accountsOf(user))[0]?.status === 'connected',
      10_000,
    );
  });

  it('should report that no client is configured', async () => {
    const bare = await startTestApp({
      sandbox: { messages: 5 },
      env: { GOOGLE_CLIENT_ID: '', GOOGLE_CLIENT_SECRET: '' },
    });
    try {
      const user = await bare.user();
      const { status, body } = await user.api.get('/api/auth/mailbox/connect?provider=gmail');
      expect([status, body.code]).toEqual([503, 'provider-not-configured']);
      expect((await bare.anonymous.get('/api/auth/config')).body.providers).toEqual(['imap']);
    } finally {
      await bare.close();
    }
  });
});
