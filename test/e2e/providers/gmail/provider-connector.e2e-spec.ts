import { createHash, randomBytes } from 'node:crypto';
import { MailboxConnector } from '../../../../src/providers/port/mailbox-connector.port';
import { ProviderRejected, ProviderUnavailable } from '../../../../src/providers/port/mail-provider.errors';
import { SandboxServer, startSandbox } from '../../../../sandbox/src/sandbox-server';
import {
  freshEmail,
  ProviderProcess,
  RecordingCredentials,
  rejection,
} from '../../../support/provider-fixture';

const redirectUri = 'http://127.0.0.1:9/callback';

describe('connecting a Gmail mailbox', () => {
  let sandbox: SandboxServer;
  let server: ProviderProcess;
  let connector: MailboxConnector;

  beforeAll(async () => {
    sandbox = await startSandbox({ messages: 5 });
    server = await ProviderProcess.start(sandbox, new RecordingCredentials());
    connector = server.get(MailboxConnector);
  });

  afterAll(async () => {
    await server?.stop();
    await sandbox?.close();
  });

  beforeEach(() => sandbox.clearFaults());

  /** Consents as the user's browser would. */
  async function consent(email: string, change: (url: URL) => void = () => undefined) {
    const codeVerifier = randomBytes(32).toString('base64url');
    const url = new URL(
      connector.buildAuthorizationUrl('gmail', {
        redirectUri,
        state: 'nonce',
        codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
        loginHint: email,
      }),
    );
    change(url);
    const answer = await fetch(url, { redirect: 'manual' });
    const target = new URL(answer.headers.get('location') ?? '');
    return {
      url,
      state: target.searchParams.get('state'),
      code: target.searchParams.get('code') ?? '',
      codeVerifier,
    };
  }

  it('should request offline access with PKCE, and return the mailbox with long-lived credentials', async () => {
    const email = freshEmail(5);
    const { url, state, code, codeVerifier } = await consent(email);
    expect(connector.available).toEqual(['gmail']);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      access_type: 'offline',
      prompt: 'consent',
      include_granted_scopes: 'true',
      code_challenge_method: 'S256',
      scope: 'https://mail.google.com/',
    });
    expect(state).toBe('nonce');
    const connected = await connector.exchange('gmail', { code, codeVerifier, redirectUri });
    expect(connected.email).toBe(email);
    expect(connected.scopes).toContain('https://mail.google.com/');
    expect(connected.credentials.refreshToken).toMatch(/.{10,}/);
    expect(connected.credentials.expiresAt.getTime()).toBeGreaterThan(Date.now());

    await connector.revoke(connected.credentials);
    await expect(connector.revoke(connected.credentials)).resolves.toBeUndefined();
  });

  it('should refuse a wrong verifier, a used code and insufficient scopes', async () => {
    const first = await consent(freshEmail(5));
    const wrong = { code: first.code, codeVerifier: randomBytes(32).toString('base64url'), redirectUri };
    expect(await rejection(connector.exchange('gmail', wrong))).toBeInstanceOf(ProviderRejected);

    const second = await consent(freshEmail(5));
    await connector.exchange('gmail', { ...second, redirectUri });
    expect(await rejection(connector.exchange('gmail', { ...second, redirectUri }))).toBeInstanceOf(
      ProviderRejected,
    );

    const narrow = await consent(freshEmail(5), (url) =>
      url.searchParams.set('scope', 'https://www.googleapis.com/auth/gmail.readonly'),
    );
    expect(await rejection(connector.exchange('gmail', { ...narrow, redirectUri }))).toMatchObject({
      reason: 'insufficientPermissions',
    });
  });

  it('should distinguish failures of the provider from refusals', async () => {
    const granted = await consent(freshEmail(5));
    sandbox.fault({ endpoint: 'oauth.token', answer: { kind: 'unavailable' } });
    expect(await rejection(connector.exchange('gmail', { ...granted, redirectUri }))).toBeInstanceOf(
      ProviderUnavailable,
    );
  });
});
