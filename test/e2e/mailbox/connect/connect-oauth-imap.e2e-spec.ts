import type { TestApp } from '../../../support/app';
import type { TestImapServer } from '../../../support/imap/imap-server';
import { requestConsent, returnToService } from '../../../support/oauth/browser';
import { IMAP_SCOPE, type TestOAuthIssuer } from '../../../support/oauth/oauth-issuer';
import { OAuthMailbox } from '../../../support/oauth/oauth-mailbox';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const OTHER = 'another@outlook.test';

describe('Connecting an Outlook mailbox by OAuth over IMAP', () => {
  let mailbox: OAuthMailbox;
  let sut: TestApp;
  let issuer: TestOAuthIssuer;
  let dovecot: TestImapServer;
  let user: TestUser;

  beforeAll(async () => {
    mailbox = await OAuthMailbox.start();
    ({ app: sut, issuer, dovecot } = mailbox);
  });
  beforeEach(async () => {
    mailbox.trustServer();
    Object.assign(issuer, { grantedScopes: undefined, lifetime: 3_600, outage: 0 });
    user = await sut.user();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => mailbox?.stop());

  /** Connects as the browser of a person does, who is `email` at the issuer. */
  async function connectInBrowser(email = dovecot.user, query = ''): Promise<URL> {
    const url = await requestConsent(user, 'microsoft', query);
    return returnToService(sut, user, issuer.consent(url, email));
  }

  const accounts = async (): Promise<any[]> => (await user.api.get('/api/auth/me')).body.mailboxAccounts;
  const begin = (body: object = { provider: 'microsoft' }): Promise<any> =>
    user.api.post('/api/auth/mailbox/device', body);
  const stateOf = (id: string, { api } = user): Promise<any> => api.get(`/api/auth/mailbox/device/${id}`);
  const messagesOf = (id: string): Promise<any> => user.api.get(`/api/mailbox/${id}/messages`);

  /** Reads the text of the newest message from the server. */
  const readNewest = async (accountId: string): Promise<any> => {
    const { body } = await messagesOf(accountId);
    return user.api.get(`/api/mailbox/${accountId}/messages/${body.messages[0].id}`);
  };

  it('should offer the provider when a client is configured', async () => {
    const { body } = await user.api.get('/api/auth/config');
    expect(body.providers).toEqual(['gmail', 'microsoft', 'imap']);
  });

  it('should ask for IMAP, lasting access and the address, with PKCE', async () => {
    const { body } = await user.api.get('/api/auth/mailbox/connect?provider=microsoft');
    const url = new URL(body.url as string);
    expect(url.pathname).toBe('/common/oauth2/v2.0/authorize');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      scope: `openid email profile offline_access ${IMAP_SCOPE}`,
      code_challenge_method: 'S256',
      client_id: issuer.clientId,
    });
  });

  it('should connect the mailbox of a consent in the browser, and read it', async () => {
    const landing = await connectInBrowser();
    expect(landing.searchParams.get('account')).toBe(dovecot.user);
    const [account] = await accounts();
    expect(account).toMatchObject({ provider: 'imap', email: dovecot.user, status: 'connected' });
    expect((await readNewest(account.id)).body).toMatchObject({ subject: 'Hello' });
    const imap = await user.api.get(`/api/auth/mailbox/${account.id}/imap`);
    expect(imap.body).toMatchObject({ consent_provider: 'microsoft', server: { username: dovecot.user } });
    expect(JSON.stringify(imap.body)).not.toContain('token');
  });

  it('should forecast what the limits of the provider do to a mailbox that a consent has connected', async () => {
    const landing = await connectInBrowser();
    const [{ id, email }] = await accounts();
    // The page that the consent returns to asks for the forecast of this account.
    expect(landing.searchParams.get('account')).toBe(email);
    await messagesOf(id);
    await sut.dataSource.query(`UPDATE imap_accounts SET preset = 'yahoo' WHERE account_id = $1`, [id]);
    await sut.dataSource.query(
      `UPDATE imap_folders SET message_count = 10000 WHERE account_id = $1 AND path = 'INBOX'`,
      [id],
    );
    const { status, body } = await user.api.get(`/api/archive/${id}/forecast`);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { provider: 'Yahoo', messages: 1, cutFolders: [{ path: 'INBOX', messages: 10_000 }] },
    });
  });

  it('should keep the tokens sealed', async () => {
    await connectInBrowser();
    const [row] = await sut.dataSource.query('SELECT sealed_credentials AS sealed FROM mailbox_accounts');
    expect(row.sealed).not.toMatch(/accessToken|microsoft/);
  });

  it('should connect the mailbox of a consent by code, and ask the issuer no more often than it wants', async () => {
    const { status, body } = await begin();
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { user_code: expect.stringMatching(/^[\dA-F]{4}-[\dA-F]{4}$/), interval: 1 },
    });
    const asked = issuer.grants.length;
    for (let question = 0; question < 5; question += 1)
      expect((await stateOf(body.id)).body).toEqual({ status: 'pending', interval: 1 });
    expect(issuer.grants.length - asked).toBeLessThanOrEqual(2);

    issuer.answerDevice(body.user_code, { email: dovecot.user });
    const connected = await waitFor('the mailbox to be connected', async () => {
      const answer = await stateOf(body.id);
      return answer.body.status === 'pending' ? undefined : answer.body;
    });
    expect(connected).toEqual({
      status: 'connected',
      email: dovecot.user,
      account_id: (await accounts())[0].id,
    });
    expect((await stateOf(body.id)).body).toEqual(connected);
    expect((await messagesOf(connected.account_id)).body.messages).toHaveLength(1);
  });

  it.each([
    ['denied', 'consent-denied'],
    ['expired', 'consent-expired'],
  ] as const)('should report a consent by code that was %s', async (answer, code) => {
    const { body } = await begin();
    issuer.answerDevice(body.user_code, answer);
    expect((await stateOf(body.id)).body).toMatchObject({ status: 'failed', code });
    expect(await accounts()).toEqual([]);
  });

  it('should use a code once, however many clients ask', async () => {
    const { body } = await begin();
    issuer.answerDevice(body.user_code, { email: dovecot.user });
    const asked = issuer.grants.length;
    const answers = await Promise.all([1, 2, 3, 4].map(() => stateOf(body.id)));
    expect(answers.map((answer) => answer.body.status).sort()).toEqual([
      'connected',
      'pending',
      'pending',
      'pending',
    ]);
    expect(issuer.grants).toHaveLength(asked + 1);
    expect(await accounts()).toHaveLength(1);
  });

  it('should report a consent by code whose mailbox cannot be reached', async () => {
    const { body } = await begin();
    issuer.answerDevice(body.user_code, { email: dovecot.user });
    await dovecot.halt();
    try {
      expect((await stateOf(body.id)).body).toMatchObject({ status: 'failed', code: 'imap-port-closed' });
    } finally {
      await dovecot.run();
    }
    expect(await accounts()).toEqual([]);
  });

  it('should keep a consent by code pending while the issuer is down', async () => {
    const { body } = await begin();
    issuer.outage = 503;
    expect((await stateOf(body.id)).body.status).toBe('pending');
  });

  it('should refuse bad input, callers without a token, and the consents of others', async () => {
    const { body } = await begin();
    const other = await sut.user();
    expect((await stateOf(body.id, other)).status).toBe(404);
    expect((await stateOf('not-a-uuid')).status).toBe(400);
    expect((await begin({ provider: 'gmail' })).status).toBe(400);
    expect((await begin({ provider: 'microsoft', accountId: 'x' })).status).toBe(400);
    const owned = await connectInBrowser();
    expect(owned.searchParams.get('mailbox')).toBe('connected');
    const [{ id }] = await accounts();
    expect(
      (await other.api.post('/api/auth/mailbox/device', { provider: 'microsoft', accountId: id })).status,
    ).toBe(403);
    for (const [method, path] of [
      ['POST', ''],
      ['GET', `/${body.id}`],
    ])
      expect((await fetch(`${sut.url}/api/auth/mailbox/device${path}`, { method })).status).toBe(401);
  });

  it('should report a provider that is down when a code is asked for', async () => {
    issuer.outage = 503;
    expect(await begin()).toMatchObject({ status: 503, body: { code: 'provider-unavailable' } });
  });

  it('should renew a token that is about to end, with the refresh token that the issuer sent last', async () => {
    issuer.lifetime = 60;
    await connectInBrowser();
    const [{ id }] = await accounts();
    const renewals = (): number => issuer.grants.filter((grant) => grant === 'refresh_token').length;
    const before = renewals();
    for (let round = 0; round < 3; round += 1) expect((await readNewest(id)).status).toBe(200);
    expect(renewals() - before).toBeGreaterThanOrEqual(3);
    expect((await accounts())[0].status).toBe('connected');
  });

  it('should renew a token that the server refuses', async () => {
    await connectInBrowser();
    const [{ id }] = await accounts();
    issuer.expireAccessTokens();
    expect((await readNewest(id)).status).toBe(200);
  });

  it('should need a new consent once the grant has ended, and continue the account with it', async () => {
    await connectInBrowser();
    const [{ id }] = await accounts();
    const { body } = await messagesOf(id);
    issuer.revokeGrants();
    await dovecot.halt();
    await dovecot.run();
    const refused = await user.api.get(`/api/mailbox/${id}/messages/${body.messages[0].id}`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'mailbox-reauth-required' } });
    expect((await accounts())[0].status).toBe('needs_reauth');

    const landing = await connectInBrowser(dovecot.user, `&accountId=${id}`);
    expect(landing.searchParams.get('mailbox')).toBe('connected');
    expect(await accounts()).toMatchObject([{ id, status: 'connected' }]);
    expect((await readNewest(id)).status).toBe(200);
  });

  describe('when another mailbox is consented to for an account', () => {
    let id: string;
    let before: unknown;

    /** Everything that a connection stores. */
    const storedRows = async (): Promise<unknown> => ({
      accounts: await sut.dataSource.query(
        'SELECT id, email, status, sealed_credentials, updated_at FROM mailbox_accounts ORDER BY id',
      ),
      servers: await sut.dataSource.query('SELECT * FROM imap_accounts ORDER BY account_id'),
    });

    beforeEach(async () => {
      await connectInBrowser();
      [{ id }] = await accounts();
      before = await storedRows();
    });

    it('should refuse it in the browser, and change nothing', async () => {
      const landing = await connectInBrowser(OTHER, `&accountId=${id}`);
      expect(Object.fromEntries(landing.searchParams)).toEqual({ mailbox: 'error', code: 'another-mailbox' });
      expect(await storedRows()).toEqual(before);
    });

    it('should refuse it by code, and change nothing', async () => {
      const { body } = await begin({ provider: 'microsoft', accountId: id });
      issuer.answerDevice(body.user_code, { email: OTHER });
      expect((await stateOf(body.id)).body).toEqual({
        status: 'failed',
        code: 'another-mailbox',
        detail: expect.stringContaining('another mailbox'),
      });
      expect(await storedRows()).toEqual(before);
    });

    it('should refuse the same address by another provider', async () => {
      const { body } = await user.api.get(`/api/auth/mailbox/connect?provider=gmail&accountId=${id}`);
      expect(body.code).toBe('mailbox-connected-otherwise');
    });

    it('should connect nothing when the account is deleted during the consent', async () => {
      const url = await requestConsent(user, 'microsoft', `&accountId=${id}`);
      await sut.dataSource.query('DELETE FROM mailbox_accounts WHERE id = $1', [id]);
      const landing = await returnToService(sut, user, issuer.consent(url, dovecot.user));
      expect(landing.searchParams.get('code')).toBe('account-not-owned');
      expect(await accounts()).toEqual([]);
    });
  });

  it('should connect nothing when access to mail was not granted', async () => {
    issuer.grantedScopes = 'openid email';
    const landing = await connectInBrowser();
    expect(landing.searchParams.get('code')).toBe('provider-rejected');
    expect(await accounts()).toEqual([]);
  });

  it('should connect nothing when the server refuses the token', async () => {
    // The issuer forgets the token that it has just granted.
    issuer.lifetime = 0;
    const landing = await connectInBrowser();
    expect(landing.searchParams.get('code')).toBe('imap-token-refused');
    expect(await accounts()).toEqual([]);
  });

  it('should disconnect a mailbox whose issuer has no way to revoke a grant', async () => {
    await connectInBrowser();
    const [{ id }] = await accounts();
    expect((await user.api.delete(`/api/auth/mailbox/${id}`)).status).toBeLessThan(300);
    expect((await accounts())[0].status).toBe('disconnected');
  });
});
