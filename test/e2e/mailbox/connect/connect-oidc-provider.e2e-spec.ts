import { readFileSync } from 'node:fs';
import { AppConfig } from '../../../../src/platform/config/app-config';
import { startTestApp, TestApp } from '../../../support/app';
import { TestImapServer } from '../../../support/imap/imap-server';
import { trust } from '../../../support/imap/trust';
import { requestConsent, returnToService } from '../../../support/oauth/browser';
import { TestMailIssuer } from '../../../support/oauth/mail-issuer';
import { freePort } from '../../../support/service-process';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MAIL = Buffer.from('From: a@example.org\r\nTo: b@example.org\r\nSubject: Hello\r\n\r\nHello\r\n');
const OTHER = 'another@outlook.test';

describe('Connecting a mailbox by OAuth with oidc-provider as the issuer', () => {
  let sut: TestApp;
  let issuer: TestMailIssuer;
  let dovecot: TestImapServer;
  let user: TestUser;

  beforeAll(async () => {
    const port = await freePort();
    dovecot = await TestImapServer.start({
      own: true,
      introspectionUrl: TestMailIssuer.introspectionUrl(port),
    });
    await dovecot.append('INBOX', [MAIL]);
    sut = await startTestApp({
      sandbox: { messages: 1 },
      env: TestMailIssuer.environment(port, dovecot.tlsPort),
    });
    issuer = await TestMailIssuer.start(port, `${sut.get(AppConfig).http.appUrl}/api/auth/mailbox/callback`);
  });
  beforeEach(async () => {
    trust(readFileSync(dovecot.certificatePath, 'utf8'));
    await issuer.lifetime(3_600);
    await issuer.endGrants();
    await issuer.person(dovecot.user);
    user = await sut.user();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await sut?.close();
    await Promise.all([dovecot?.stop(), issuer?.stop()]);
  });

  const connect = async (provider: string, query = ''): Promise<URL> =>
    returnToService(sut, user, await issuer.consent(await requestConsent(user, provider, query)));
  const accounts = async (): Promise<{ id: string; email: string; status: string }[]> =>
    (await user.api.get('/api/auth/me')).body.mailboxAccounts;

  /** Logs in to the server anew, and reads the text of the message there. */
  const read = async (id: string): Promise<unknown[]> => {
    const { body } = await user.api.get(`/api/mailbox/${id}/messages`);
    await dovecot.halt();
    await dovecot.run();
    const answer = await user.api.get(`/api/mailbox/${id}/messages/${body.messages[0].id}`);
    return [answer.status, answer.body.code ?? answer.body.subject];
  };

  it.each([
    ['a public client', 'microsoft'],
    ['a confidential client', 'google'],
  ])(
    'should connect the mailbox of a consent in the browser to %s, and read it',
    async (_client, provider) => {
      const landing = await connect(provider);
      expect(Object.fromEntries(landing.searchParams)).toEqual({
        mailbox: 'connected',
        account: dovecot.user,
      });
      const { id } = (await accounts())[0]!;
      expect(await read(id)).toEqual([200, 'Hello']);
    },
  );

  it('should connect the mailbox of a consent by code', async () => {
    const { body } = await user.api.post('/api/auth/mailbox/device', { provider: 'microsoft' });
    expect(await issuer.enterCode(body.verification_uri, body.user_code)).toContain('Sign-in Success');
    const connected = await waitFor('the mailbox to be connected', async () => {
      const answer = await user.api.get(`/api/auth/mailbox/device/${body.id}`);
      return answer.body.status === 'pending' ? undefined : answer.body;
    });
    expect(connected).toMatchObject({ status: 'connected', email: dovecot.user });
    expect(await read(connected.account_id)).toEqual([200, 'Hello']);
  });

  it('should report refusals in the browser and by code', async () => {
    await issuer.person('deny');
    expect((await connect('microsoft')).searchParams.get('code')).toBe('consent-denied');
    const { body } = await user.api.post('/api/auth/mailbox/device', { provider: 'microsoft' });
    await issuer.enterCode(body.verification_uri, body.user_code);
    const failed = await waitFor('the refusal', async () => {
      const answer = await user.api.get(`/api/auth/mailbox/device/${body.id}`);
      return answer.body.status === 'pending' ? undefined : answer.body;
    });
    expect(failed).toMatchObject({ status: 'failed', code: 'consent-denied' });
    expect(await accounts()).toEqual([]);
  });

  it.each(['microsoft', 'google'])('should renew tokens that are about to end, by %s', async (provider) => {
    await issuer.lifetime(60);
    await connect(provider);
    const { id } = (await accounts())[0]!;
    // Each reading needs a token that is fresh, and so another refresh token.
    for (let round = 0; round < 3; round += 1) expect(await read(id)).toEqual([200, 'Hello']);
    expect((await accounts())[0]!.status).toBe('connected');
  });

  it('should refuse the consent of another mailbox', async () => {
    await connect('google');
    const { id } = (await accounts())[0]!;
    await issuer.person(OTHER);
    const landing = await connect('google', `&accountId=${id}`);
    expect(landing.searchParams.get('code')).toBe('another-mailbox');
    expect(await accounts()).toMatchObject([{ id, email: dovecot.user, status: 'connected' }]);
  });

  it('should revoke the grant of a mailbox that is disconnected', async () => {
    // A mailbox that several users have connected keeps its grant.
    await issuer.person('alice@revoked.test');
    await connect('google');
    const { id } = (await accounts())[0]!;
    expect(await issuer.countGrants()).toBe(1);
    expect((await user.api.delete(`/api/auth/mailbox/${id}`)).status).toBe(204);
    await waitFor('the grant to be revoked', async () => (await issuer.countGrants()) === 0);
  });

  it('should need a new consent once the grant is revoked at the issuer', async () => {
    await issuer.lifetime(60);
    await connect('google');
    const { id } = (await accounts())[0]!;
    await issuer.endGrants();
    expect(await user.api.get(`/api/mailbox/${id}/profile`)).toMatchObject({
      status: 409,
      body: { code: 'mailbox-reauth-required' },
    });
    expect((await accounts())[0]!.status).toBe('needs_reauth');
    await connect('google', `&accountId=${id}`);
    expect(await accounts()).toMatchObject([{ id, status: 'connected' }]);
  });
});
