import type { MailboxProvider, ProviderAccount } from '../../../../src/providers/port/mailbox-provider.port';
import { ProviderUnavailable } from '../../../../src/providers/port/mail-provider.errors';
import { SandboxServer, startSandbox } from '../../../../sandbox/src/sandbox-server';
import {
  connectAccount,
  freshEmail,
  ProviderProcess,
  RecordingCredentials,
  rejection,
} from '../../../support/provider-fixture';
import { TcpProxy } from '../../../support/tcp-proxy';

describe('provider gateway while Redis is unavailable', () => {
  const credentials = new RecordingCredentials();
  let sandbox: SandboxServer;
  let redis: TcpProxy;
  let server: ProviderProcess;
  let account: ProviderAccount;
  let mailbox: MailboxProvider;

  beforeAll(async () => {
    redis = await TcpProxy.to(process.env.MAILROOM_TEST_REDIS_URL!);
    sandbox = await startSandbox({ messages: 10 });
    // So little that every call has to book, with no credit left over from the one before.
    server = await ProviderProcess.start(sandbox, credentials, {
      REDIS_URL: redis.url,
      PROVIDER_UNITS_PER_SECOND: '250',
    });
  });

  beforeEach(async () => {
    redis.restore();
    sandbox.clearFaults();
    account = await connectAccount(sandbox, credentials, freshEmail(10));
    mailbox = server.mailbox(account);
    await mailbox.getProfile({ priority: 'interactive' });
  });

  afterAll(async () => {
    redis?.restore();
    await server?.stop();
    await redis?.close();
    await sandbox?.close();
  });

  it.each(['stall', 'vanish'] as const)('should make background calls wait (%s)', async (trouble) => {
    redis[trouble]();
    setTimeout(() => redis.restore(), 7_000);
    const since = Date.now();
    await expect(mailbox.getProfile({ priority: 'background' })).resolves.toMatchObject({
      emailAddress: account.email,
    });
    expect(Date.now() - since).toBeGreaterThan(5_000);
  });

  it.each(['stall', 'vanish'] as const)('should ask interactive calls to retry (%s)', async (trouble) => {
    redis[trouble]();
    const since = Date.now();
    const error = await rejection(mailbox.getProfile({ priority: 'interactive' }));
    expect(error).toBeInstanceOf(ProviderUnavailable);
    expect(error).toMatchObject({ status: 503 });
    expect(Date.now() - since).toBeLessThan(11_000);
  });

  it('should stop waiting when the signal aborts', async () => {
    redis.stall();
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('cancelled')), 6_000);
    const error = await rejection(mailbox.getProfile({ priority: 'background', signal: controller.signal }));
    expect(error).toEqual(new Error('cancelled'));
  });

  it('should refresh tokens without the lock', async () => {
    const other = await connectAccount(sandbox, credentials, freshEmail(10));
    credentials.expire(other.id);
    sandbox.stats.reset();
    redis.stall();
    const refreshed = server.mailbox(other).getProfile({ priority: 'background' });
    await new Promise((resolve) => setTimeout(resolve, 6_500));
    expect(sandbox.stats.tokenRefreshes).toBe(1);
    redis.restore();
    await expect(refreshed).resolves.toMatchObject({ emailAddress: other.email });
    expect(sandbox.stats.tokenRefreshes).toBe(1);
  });
});
