import type { INestApplication } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import {
  LoginRefused,
  ProviderRejected,
  ProviderUnavailable,
  ReauthRequired,
} from '../../../../src/providers/port/mail-provider.errors';
import type { CallPriority, ProviderAccount } from '../../../../src/providers/port/mailbox-provider.port';
import { ProviderFailure } from '../../../../src/providers/gateway/provider-call';
import { ProviderGateway } from '../../../../src/providers/gateway/provider-gateway';
import { GatewayTimings } from '../../../../src/providers/gateway/retry-policy';
import { MailboxAccountsService } from '../../../../src/mailbox/accounts/mailbox-accounts.service';
import { Served, startTestApp, TestApp } from '../../../support/app';
import { rejection } from '../../../support/provider-fixture';
import { TcpProxy } from '../../../support/tcp-proxy';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const PAUSE_MS = 1_200;
const QUICK = {
  refusedLoginMs: PAUSE_MS,
  loginTrialMs: 800,
  firstBackoffMs: 20,
  maxBackoffMs: 50,
  minBackoffMs: 10,
  interactiveWaitMs: 2_000,
} satisfies Partial<GatewayTimings>;

/** A server that accepts one password. */
class Server {
  logins = 0;
  accepts = '';
  /** Instead of the answer. */
  trouble: (() => Promise<void>) | undefined;

  async login(password: string): Promise<string> {
    this.logins += 1;
    await this.trouble?.();
    if (password === this.accepts) return 'welcome';
    throw new ProviderFailure({
      kind: 'unauthorized',
      reason: 'AUTHENTICATIONFAILED',
      error: new ProviderRejected('AUTHENTICATIONFAILED'),
    });
  }
}

describe('refused logins', () => {
  let sut: TestApp;
  let other: Served;
  let user: TestUser;
  let account: ProviderAccount;
  let server: Server;
  let mailboxes = 0;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 }, own: true });
    other = await sut.another();
    for (const { app } of [sut, other]) Object.assign(app.get(GatewayTimings), QUICK);
    user = await sut.user();
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });

  afterAll(async () => {
    await other?.app.close();
    await sut?.close();
  });

  beforeEach(async () => {
    server = new Server();
    const email = `box${(mailboxes += 1)}@imap.test`;
    account = { id: await connect(email, 'wrong'), userId: user.id, email, provider: 'imap' };
  });

  const connect = (email: string, password: string): Promise<string> =>
    sut.app
      .get(MailboxAccountsService)
      .connect(user.id, 'imap', { email, credentials: { kind: 'password', password }, scopes: [] });

  const call = (
    app: INestApplication = sut.app,
    priority: CallPriority = 'background',
    signal?: AbortSignal,
  ): Promise<string> =>
    app
      .get(ProviderGateway)
      .call({ account, endpoint: 'LOGIN', priority, signal }, ({ secret }) => server.login(secret));

  async function status(): Promise<string> {
    const { body } = await user.api.get('/api/auth/me');
    return (body.mailboxAccounts as { id: string; status: string }[]).find(({ id }) => id === account.id)!
      .status;
  }

  const pauseIsOver = (): Promise<void> => delay(PAUSE_MS + 50);

  it('should be treated as temporary at first: no process logs in for a while', async () => {
    const since = Date.now();
    const refused = (await rejection(call())) as LoginRefused;
    expect(refused).toBeInstanceOf(LoginRefused);
    expect(refused).toBeInstanceOf(ProviderUnavailable);
    expect(refused).toMatchObject({
      code: 'provider-unavailable',
      status: 503,
      reason: 'AUTHENTICATIONFAILED',
    });
    expect(refused.retryAt!.getTime() - since).toBeGreaterThan(PAUSE_MS / 2);
    expect(refused.retryAt!.getTime() - since).toBeLessThan(PAUSE_MS + 1_000);
    expect(refused.cause).toBeInstanceOf(ProviderRejected);
    expect(server.logins).toBe(1);

    for (const { app } of [sut, other]) {
      for (const priority of ['interactive', 'background'] as const) {
        await expect(rejection(call(app, priority))).resolves.toMatchObject({
          code: 'provider-unavailable',
          reason: 'AUTHENTICATIONFAILED',
        });
      }
    }
    expect(server.logins).toBe(1);
    expect(await status()).toBe('connected');
  });

  it('should end the connection when the one retry is refused too', async () => {
    await rejection(call());
    await rejection(call(other.app));
    await pauseIsOver();
    let asked = 0;
    server.trouble = async () => {
      await waitFor('the others to have asked', () => asked === 5);
    };
    const calls = [sut, other, sut, other, sut, other].map(async ({ app }) => {
      const error = await rejection(call(app));
      asked += 1;
      return error;
    });
    const errors = await Promise.all(calls);
    expect(server.logins).toBe(2);
    expect(errors.filter((error) => error instanceof LoginRefused)).toHaveLength(5);
    expect(errors.filter((error) => error instanceof ReauthRequired)).toHaveLength(1);
    expect(await status()).toBe('needs_reauth');

    // The other process may still hold the password.
    server.accepts = 'wrong';
    for (const { app } of [sut, other]) {
      expect(await rejection(call(app))).toBeInstanceOf(ReauthRequired);
      expect(await rejection(call(app, 'interactive'))).toBeInstanceOf(ReauthRequired);
    }
    expect(server.logins).toBe(2);
  });

  it('should be forgotten once a login is accepted', async () => {
    await rejection(call());
    await pauseIsOver();
    server.accepts = 'wrong';
    expect(await call(other.app)).toBe('welcome');
    expect(await call()).toBe('welcome');

    server.accepts = 'right';
    expect(await rejection(call())).toBeInstanceOf(LoginRefused);
    expect(await status()).toBe('connected');
  });

  it('should count once when they ran concurrently', async () => {
    const count = 4;
    let waiting = 0;
    server.trouble = async () => {
      waiting += 1;
      await waitFor('all to be under way', () => waiting === count);
    };
    const errors = await Promise.all([sut, other, sut, other].map(({ app }) => rejection(call(app))));
    expect(errors.every((error) => error instanceof LoginRefused)).toBe(true);
    expect(server.logins).toBe(count);
    expect(await status()).toBe('connected');

    server.trouble = undefined;
    await pauseIsOver();
    expect(await rejection(call())).toBeInstanceOf(ReauthRequired);
  });

  it.each([
    ['was not answered', new ProviderUnavailable(), 'unavailable'],
    ['met another refusal', new ProviderRejected('NOPERM'), 'refused'],
  ] as const)('should leave the retry to the next call when one %s', async (_what, error, kind) => {
    await rejection(call());
    await pauseIsOver();
    server.trouble = () => Promise.reject(new ProviderFailure({ kind, reason: 'test', error }));
    expect(await rejection(call(other.app, 'interactive'))).toBe(error);
    server.trouble = undefined;
    expect(await rejection(call())).toBeInstanceOf(ReauthRequired);
  });

  it('should leave the retry to another call when one never ends', async () => {
    await rejection(call());
    await pauseIsOver();
    let end: () => void = () => undefined;
    server.trouble = () => new Promise((resolve) => (end = resolve));
    const hanging = rejection(call(other.app));
    await waitFor('the login to hang', () => server.logins === 2);
    server.trouble = undefined;
    expect(await rejection(call())).toBeInstanceOf(LoginRefused);
    await delay(QUICK.loginTrialMs);
    server.accepts = 'wrong';
    expect(await call()).toBe('welcome');
    // Too late to decide anything: it counts as a first refusal.
    server.accepts = 'right';
    end();
    expect(await hanging).toBeInstanceOf(LoginRefused);
    expect(await status()).toBe('connected');
  });

  it.each([
    ['another password', 'right'],
    ['the same password', 'wrong'],
  ])('should be forgotten when the account is reconnected with %s', async (_what, password) => {
    await rejection(call());
    expect(await connect(account.email, password)).toBe(account.id);
    server.accepts = password;
    expect(await call()).toBe('welcome');

    server.accepts = 'neither';
    expect(await rejection(call())).toBeInstanceOf(LoginRefused);
    expect(await status()).toBe('connected');
  });

  it('should not count against a new password when they are of an old one', async () => {
    server.accepts = 'right';
    server.trouble = async () => {
      server.trouble = undefined;
      await connect(account.email, 'right');
    };
    expect(await call()).toBe('welcome');
    expect(server.logins).toBe(2);
    expect(await call(other.app)).toBe('welcome');
  });

  it('should not mark an account that was reconnected during the retry', async () => {
    await rejection(call());
    await pauseIsOver();
    server.accepts = 'right';
    server.trouble = async () => {
      server.trouble = undefined;
      await connect(account.email, 'right');
    };
    expect(await call()).toBe('welcome');
    expect(await status()).toBe('connected');
  });

  it('should allow logins again after the account was reconnected', async () => {
    await rejection(call());
    await pauseIsOver();
    await rejection(call());
    expect(await status()).toBe('needs_reauth');
    await connect(account.email, 'right');
    server.accepts = 'right';
    expect(await status()).toBe('connected');
    expect(await call()).toBe('welcome');
    expect(await call(other.app)).toBe('welcome');
  });

  it('should not count when the caller gave up before the answer', async () => {
    const controller = new AbortController();
    server.trouble = async () => controller.abort(new Error('cancelled'));
    await expect(call(sut.app, 'background', controller.signal)).rejects.toThrow('cancelled');
    server.trouble = undefined;
    server.accepts = 'wrong';
    expect(await call()).toBe('welcome');
  });

  it('should be unknown without Redis, so that no call logs in', async () => {
    const redis = await TcpProxy.to(process.env.MAILROOM_TEST_REDIS_URL!);
    const cut = await sut.another({ REDIS_URL: redis.url });
    try {
      Object.assign(cut.app.get(GatewayTimings), QUICK);
      server.accepts = 'wrong';
      expect(await call(cut.app)).toBe('welcome');
      redis.vanish();
      expect(await rejection(call(cut.app, 'interactive'))).toBeInstanceOf(ProviderUnavailable);
      expect(server.logins).toBe(1);
      redis.restore();
      expect(await waitFor('Redis to be back', () => call(cut.app).catch(() => false))).toBe('welcome');
    } finally {
      redis.restore();
      await cut.app.close();
      await redis.close();
    }
  });
});
