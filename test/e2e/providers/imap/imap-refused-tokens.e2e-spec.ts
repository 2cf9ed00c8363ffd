import { setTimeout as delay } from 'node:timers/promises';
import { GatewayTimings } from '../../../../src/providers/gateway/retry-policy';
import type { TestApp } from '../../../support/app';
import type { TestImapServer } from '../../../support/imap/imap-server';
import { requestConsent, returnToService } from '../../../support/oauth/browser';
import type { TestOAuthIssuer } from '../../../support/oauth/oauth-issuer';
import { OAuthMailbox } from '../../../support/oauth/oauth-mailbox';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const REFUSED_MS = 1_500;
const QUICK = {
  refusedLoginMs: REFUSED_MS,
  loginTrialMs: 800,
  firstBackoffMs: 20,
  minBackoffMs: 10,
  maxBackoffMs: 50,
} satisfies Partial<GatewayTimings>;
describe('An IMAP server that refuses access tokens', () => {
  let mailbox: OAuthMailbox;
  let sut: TestApp;
  let issuer: TestOAuthIssuer;
  let dovecot: TestImapServer;
  let user: TestUser;
  let id: string;
  let messageId: string;

  beforeAll(async () => {
    mailbox = await OAuthMailbox.start();
    ({ app: sut, issuer, dovecot } = mailbox);
  });
  beforeEach(async () => {
    mailbox.trustServer();
    Object.assign(issuer, { introspection: 'truth', outage: 0 });
    sut.tune(GatewayTimings, QUICK);
    user = await sut.user();
    await consent();
    id = (await accounts())[0]!.id;
    messageId = (await user.api.get(`/api/mailbox/${id}/messages`)).body.messages[0].id;
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => mailbox?.stop());

  const consent = async (): Promise<void> => {
    const url = await requestConsent(user, 'microsoft');
    const landing = await returnToService(sut, user, issuer.consent(url, dovecot.user));
    expect(landing.searchParams.get('mailbox')).toBe('connected');
  };
  const accounts = async (): Promise<{ id: string; status: string }[]> =>
    (await user.api.get('/api/auth/me')).body.mailboxAccounts;
  const status = async (): Promise<string> => (await accounts())[0]!.status;

  /** Reads the text of the message from the server. */
  const read = async (): Promise<unknown[]> => {
    const answer = await user.api.get(`/api/mailbox/${id}/messages/${messageId}`);
    return [answer.status, answer.body.code ?? answer.body.subject];
  };
  const startArchiving = async (): Promise<string> => {
    const answer = await user.api.post(`/api/archive/${id}/archive`, { messageIds: [messageId] });
    expect(answer.status).toBe(202);
    return answer.body.jobId;
  };
  /** Ends all connections, so that the next command needs a login. */
  const disconnectAll = async (): Promise<void> => {
    await dovecot.halt();
    await dovecot.run();
  };
  const renewals = (): number => issuer.grants.filter((grant) => grant === 'refresh_token').length;

  it('should be asked once more, and then need a new consent', async () => {
    issuer.introspection = 'refused';
    await disconnectAll();
    const before = renewals();
    // Servers also refuse good tokens when something is wrong with them.
    expect(await read()).toEqual([503, 'provider-unavailable']);
    expect(await read()).toEqual([503, 'provider-unavailable']);
    expect(await status()).toBe('connected');
    expect(renewals() - before).toBe(1);

    await delay(REFUSED_MS);
    expect(await read()).toEqual([409, 'mailbox-reauth-required']);
    expect(await status()).toBe('needs_reauth');
    expect(await read()).toEqual([409, 'mailbox-reauth-required']);
    expect(renewals() - before).toBe(2);

    issuer.introspection = 'truth';
    await consent();
    expect(await status()).toBe('connected');
    expect(await read()).toEqual([200, 'Hello']);
  });

  it('should let jobs wait after the first refusal, and fail them after the second', async () => {
    issuer.introspection = 'refused';
    await disconnectAll();
    const jobId = await startArchiving();
    await waitFor('the job to wait', async () => {
      const { body } = await user.api.get(`/api/jobs/${jobId}`);
      return body.status === 'pending' && body.waits_until !== null;
    });
    expect(await user.jobEnd(jobId)).toMatchObject({
      status: 'failed',
      error_code: 'mailbox-reauth-required',
    });
    expect(await status()).toBe('needs_reauth');
  });

  it('should continue the jobs when it accepts the token the second time', async () => {
    issuer.introspection = 'refused';
    await disconnectAll();
    const jobId = await startArchiving();
    await waitFor('the job to wait', async () => {
      const { body } = await user.api.get(`/api/jobs/${jobId}`);
      return body.status === 'pending' && body.waits_until !== null;
    });
    issuer.introspection = 'truth';
    expect(await user.jobEnd(jobId)).toMatchObject({ status: 'completed', processed: 1 });
    expect(await status()).toBe('connected');
  });

  it('should keep the account connected while it cannot check tokens', async () => {
    issuer.introspection = 'unavailable';
    await disconnectAll();
    for (let round = 0; round < 3; round += 1) {
      expect(await read()).toEqual([503, 'provider-unavailable']);
      await delay(REFUSED_MS / 2);
    }
    expect(await status()).toBe('connected');
    issuer.introspection = 'truth';
    expect(await read()).toEqual([200, 'Hello']);
  });

  it('should keep the account connected while the issuer cannot renew a token that is refused', async () => {
    issuer.outage = 503;
    issuer.introspection = 'refused';
    await disconnectAll();
    for (let round = 0; round < 3; round += 1) {
      expect(await read()).toEqual([503, 'provider-unavailable']);
      await delay(REFUSED_MS);
    }
    expect(await status()).toBe('connected');
    Object.assign(issuer, { outage: 0, introspection: 'truth' });
    expect(await read()).toEqual([200, 'Hello']);
  });
});
