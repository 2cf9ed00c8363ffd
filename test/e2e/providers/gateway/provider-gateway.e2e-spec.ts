import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CallOptions,
  MailboxProvider,
  ProviderAccount,
} from '../../../../src/providers/port/mailbox-provider.port';
import {
  CursorInvalid,
  LabelNotFound,
  MessageNotFound,
  ProviderRateLimited,
  ProviderRejected,
  ProviderUnavailable,
  ReauthRequired,
} from '../../../../src/providers/port/mail-provider.errors';
import { QuotaBucket } from '../../../../src/providers/gateway/quota-bucket';
import { SandboxServer, startSandbox } from '../../../../sandbox/src/sandbox-server';
import {
  collect,
  connectAccount,
  freshEmail,
  ProviderProcess,
  RecordingCredentials,
  recordConnections,
  rejection,
} from '../../../support/provider-fixture';
import { nightly } from '../../../support/nightly';

const interactive: CallOptions = { priority: 'interactive' };
const background: CallOptions = { priority: 'background' };

describe('provider gateway: retries, pauses, tokens', () => {
  const credentials = new RecordingCredentials();
  const connections = recordConnections();
  let sandbox: SandboxServer;
  let server: ProviderProcess;
  let account: ProviderAccount;
  let mailbox: MailboxProvider;

  beforeAll(async () => {
    sandbox = await startSandbox({ messages: 50 });
    server = await ProviderProcess.start(sandbox, credentials);
  });

  afterAll(async () => {
    await server?.stop();
    await sandbox?.close();
    connections.restore();
  });

  beforeEach(async () => {
    sandbox.clearFaults();
    account = await connectAccount(sandbox, credentials, freshEmail(1_200));
    mailbox = server.mailbox(account);
    sandbox.stats.reset();
  });

  describe('retries and pauses', () => {
    it('should retry after 5xx and broken connections', async () => {
      sandbox.fault({ endpoint: 'messages.list', times: 2, answer: { kind: 'backendError' } });
      await mailbox.listMessages({ maxResults: 1 }, background);
      expect(sandbox.stats.calls['messages.list']).toBe(3);
      const id = sandbox.mailbox(account.email).ids()[0]!;
      sandbox.fault({ endpoint: 'messages.get', times: 1, answer: { kind: 'cut' } });
      const raw = await mailbox.fetchRaw(id, background);
      expect(raw.bytes.equals(sandbox.mailbox(account.email).raw(id))).toBe(true);
    });

    it.each(['rateLimit429', 'rateLimitExceeded', 'userRateLimitExceeded'] as const)(
      'should retry after %s, writes included',
      async (kind) => {
        sandbox.fault({ endpoint: 'messages.batchModify', times: 1, answer: { kind } });
        const [id] = sandbox.mailbox(account.email).ids();
        await mailbox.modify([id!], { add: ['STARRED'], remove: [] }, background);
        expect(sandbox.stats.calls['messages.batchModify']).toBe(2);
        expect(sandbox.mailbox(account.email).labels(id!)).toContain('STARRED');
      },
    );

    nightly(
      'should pause the whole account, in every process, until the instant in a 403’s text',
      async () => {
        const other = await ProviderProcess.start(sandbox, credentials, {});
        try {
          sandbox.fault({ endpoint: 'messages.list', answer: { kind: 'retryAfter', afterMs: 2_500 } });
          const since = Date.now();
          const finished = async (work: Promise<unknown>) => {
            await work;
            return Date.now() - since;
          };
          const refused = finished(mailbox.listMessages({ maxResults: 1 }, background));
          await new Promise((resolve) => setTimeout(resolve, 300));
          const callsBefore = sandbox.stats.totalCalls;
          const waits = await Promise.all([
            refused,
            finished(mailbox.getProfile(interactive)),
            finished(server.mailbox(account).listLabels(background)),
            finished(other.mailbox(account).getProfile(background)),
          ]);
          expect(callsBefore).toBe(1);
          for (const wait of waits) expect(wait).toBeGreaterThanOrEqual(2_400);
          for (const wait of waits) expect(wait).toBeLessThan(4_500);
          expect(credentials.pauses).toHaveLength(1);
          expect(credentials.pauses[0]!.getTime() - since).toBeGreaterThanOrEqual(2_400);
          expect(credentials.pauses[0]!.getTime() - since).toBeLessThan(4_500);
          expect(sandbox.stats.totalCalls).toBe(5);
        } finally {
          await other.stop();
        }
      },
    );

    it('should not keep an interactive caller waiting for a long pause', async () => {
      sandbox.fault({ endpoint: 'messages.list', answer: { kind: 'retryAfter', afterMs: 120_000 } });
      const since = Date.now();
      const error = (await rejection(
        mailbox.listMessages({ maxResults: 1 }, interactive),
      )) as ProviderRateLimited;
      expect(error).toBeInstanceOf(ProviderRateLimited);
      expect(error.retryAt.getTime() - since).toBeGreaterThan(115_000);
      expect(await rejection(mailbox.getProfile(interactive))).toBeInstanceOf(ProviderRateLimited);
      expect(Date.now() - since).toBeLessThan(2_000);
      expect(sandbox.stats.totalCalls).toBe(1);
    });

    it('should stop waiting when the signal aborts', async () => {
      sandbox.fault({ endpoint: 'messages.list', answer: { kind: 'retryAfter', afterMs: 30_000 } });
      const controller = new AbortController();
      const reason = new Error('cancelled');
      setTimeout(() => controller.abort(reason), 300);
      const since = Date.now();
      const error = await rejection(
        mailbox.listMessages({ maxResults: 1 }, { priority: 'background', signal: controller.signal }),
      );
      expect(error).toBe(reason);
      expect(Date.now() - since).toBeLessThan(2_000);
    });

    it('should abort a running call', async () => {
      sandbox.fault({ endpoint: 'messages.list', answer: { kind: 'hang' } });
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error('cancelled')), 200);
      await expect(
        mailbox.listMessages({ maxResults: 1 }, { priority: 'background', signal: controller.signal }),
      ).rejects.toThrow('cancelled');
    });

    it('should resend only the parts of a batch that failed', async () => {
      const ids = sandbox.mailbox(account.email).ids().slice(0, 8);
      sandbox.fault({ endpoint: 'messages.get', skip: 2, times: 3, answer: { kind: 'rateLimit429' } });
      const found = await collect(mailbox.fetchMetadata(ids, background));
      expect(found.map((message) => message.id)).toEqual(ids);
      expect(sandbox.stats.calls['messages.get']).toBe(11);
    });

    nightly('should stop after a limited number of attempts', async () => {
      sandbox.fault({ endpoint: 'messages.list', times: 'always', answer: { kind: 'unavailable' } });
      const error = await rejection(mailbox.listMessages({ maxResults: 1 }, interactive));
      expect(error).toBeInstanceOf(ProviderUnavailable);
      expect(sandbox.stats.calls['messages.list']).toBeLessThanOrEqual(6);
    });

    it('should not repeat final failures', async () => {
      sandbox.fault({ endpoint: 'messages.list', answer: { kind: 'insufficientPermissions' } });
      const scope = await rejection(mailbox.listMessages({ maxResults: 1 }, background));
      expect(scope).toBeInstanceOf(ProviderRejected);
      expect(scope).toMatchObject({ reason: 'insufficientPermissions' });
      sandbox.fault({ endpoint: 'getProfile', answer: { kind: 'dailyLimitExceeded' } });
      expect(await rejection(mailbox.getProfile(background))).toBeInstanceOf(ProviderRateLimited);
      expect(await rejection(mailbox.fetchFull('ffffffffffffffff', background))).toBeInstanceOf(
        MessageNotFound,
      );
      expect(await rejection(mailbox.fetchRaw('ffffffffffffffff', background))).toBeInstanceOf(
        MessageNotFound,
      );
      sandbox.mailbox(account.email).expireHistory();
      expect(await rejection(mailbox.listChanges('1', undefined, background))).toBeInstanceOf(CursorInvalid);
      expect(
        await rejection(mailbox.modify(['a1'], { add: ['Label_999'], remove: [] }, background)),
      ).toBeInstanceOf(LabelNotFound);
      expect(sandbox.stats.totalCalls).toBe(6);
    });
  });

  describe('tokens', () => {
    it('should refresh once under 20 concurrent calls in two processes, and keep the refresh token', async () => {
      const other = await ProviderProcess.start(sandbox, credentials, {});
      try {
        const { refreshToken } = credentials.held.get(account.id)!;
        credentials.expire(account.id);
        await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            (index % 2 ? server : other).mailbox(account).getProfile(background),
          ),
        );
        expect(sandbox.stats.tokenRefreshes).toBe(1);
        expect(credentials.held.get(account.id)!.refreshToken).toBe(refreshToken);
      } finally {
        await other.stop();
      }
    });

    it('should refresh once when the provider stops accepting the token, and repeat the calls', async () => {
      await mailbox.getProfile(background);
      sandbox.fault({ answer: { kind: 'expireAccessTokens' } });
      await Promise.all(
        Array.from({ length: 20 }, () => mailbox.listMessages({ maxResults: 1 }, background)),
      );
      const found = await collect(
        mailbox.fetchMetadata(sandbox.mailbox(account.email).ids().slice(0, 10), background),
      );
      expect(found).toHaveLength(10);
      expect(sandbox.stats.tokenRefreshes).toBe(1);
    });

    it('should recover when a token expires during a batch', async () => {
      await mailbox.getProfile(background);
      sandbox.fault({ answer: { kind: 'expireAccessTokens' } });
      const found = await collect(
        mailbox.fetchMetadata(sandbox.mailbox(account.email).ids().slice(0, 20), background),
      );
      expect(found).toHaveLength(20);
      expect(sandbox.stats.tokenRefreshes).toBe(1);
    });

    it('should mark the account when the grant is revoked', async () => {
      credentials.expire(account.id);
      sandbox.fault({ endpoint: 'oauth.token', times: 'always', answer: { kind: 'invalidGrant' } });
      const errors = await Promise.all([1, 2, 3].map(() => rejection(mailbox.getProfile(background))));
      for (const error of errors) expect(error).toBeInstanceOf(ReauthRequired);
      expect(credentials.reauthRequired.filter((id) => id === account.id)).toHaveLength(1);
      expect(sandbox.stats.totalCalls).toBe(0);
    });

    it('should survive errors of the token endpoint', async () => {
      credentials.expire(account.id);
      sandbox.fault({ endpoint: 'oauth.token', times: 2, answer: { kind: 'unavailable' } });
      await expect(mailbox.getProfile(background)).resolves.toMatchObject({ emailAddress: account.email });
      expect(credentials.reauthRequired).not.toContain(account.id);
    });
  });

  it('should give no units to spare calls while a background call waits, in any process', async () => {
    const env = { PROVIDER_UNITS_PER_SECOND: '100', PROVIDER_UNITS_PER_MINUTE: '6000' };
    const processes = [
      await ProviderProcess.start(sandbox, credentials, env),
      await ProviderProcess.start(sandbox, credentials, env),
    ];
    const [here, there] = processes.map((process) => process.get(QuotaBucket)) as [QuotaBucket, QuotaBucket];
    const own = { id: randomUUID(), provider: 'gmail' };
    await expect(there.take(own, 5, 'spare', 0)).resolves.toMatchObject({ status: 'granted' });
    let taken = await here.take(own, 5, 'background', 0);
    while (taken.status === 'granted') taken = await here.take(own, 5, 'background', 0);
    await delay(taken.waitMs + 50);
    await expect(there.take(own, 1, 'spare', 0)).resolves.toMatchObject({ status: 'later' });
    await expect(here.take(own, 1, 'background', 0)).resolves.toMatchObject({ status: 'granted' });
    for (const process of processes) await process.stop();
  });

  it('should have called no other host', () => {
    const allowed = [
      sandbox.url,
      process.env.MAILROOM_TEST_DATABASE_URL!,
      process.env.MAILROOM_TEST_REDIS_URL!,
    ].map((url) => new URL(url).port);
    expect(connections.ports).toContain(allowed[0]);
    for (const port of connections.ports) expect(allowed).toContain(port);
  });
});
