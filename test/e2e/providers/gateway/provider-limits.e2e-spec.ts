import { setTimeout as delay } from 'node:timers/promises';
import { ProviderUnavailable } from '../../../../src/providers/port/mail-provider.errors';
import type { ProviderAccount } from '../../../../src/providers/port/mailbox-provider.port';
import { CallAttempt, ProviderCall, ProviderFailure } from '../../../../src/providers/gateway/provider-call';
import { ProviderGateway } from '../../../../src/providers/gateway/provider-gateway';
import { QuotaBucket } from '../../../../src/providers/gateway/quota-bucket';
import { GatewayTimings } from '../../../../src/providers/gateway/retry-policy';
import { MailboxAccountsService } from '../../../../src/mailbox/accounts/mailbox-accounts.service';
import type { QuotaResponse } from '../../../../src/cleanup/quota/dto/quota.response';
import { Served, startTestApp, TestApp } from '../../../support/app';
import { rejection } from '../../../support/provider-fixture';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const NO_BYTES = { receivedBytesPerDay: null, sentBytesPerDay: null };
const GMAIL = { perSecond: 250, perMinute: 15_000, ...NO_BYTES };
const IMAP = { perSecond: 10, perMinute: 300, ...NO_BYTES };

describe('limits of providers', () => {
  let sut: TestApp;
  let other: Served;
  let user: TestUser;
  let account: ProviderAccount;
  let mailboxes = 0;

  beforeAll(async () => {
    sut = await startTestApp({
      sandbox: { messages: 1 },
      own: true,
      env: {
        PROVIDER_UNITS_PER_SECOND: String(GMAIL.perSecond),
        PROVIDER_UNITS_PER_MINUTE: String(GMAIL.perMinute),
        IMAP_UNITS_PER_SECOND: String(IMAP.perSecond),
        IMAP_UNITS_PER_MINUTE: String(IMAP.perMinute),
        IMAP_UNIT_COSTS: 'SEARCH=3',
      },
    });
    other = await sut.another();
    user = await sut.user();
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });

  afterAll(async () => {
    await other?.app.close();
    await sut?.close();
  });

  beforeEach(async () => {
    const email = `limits${(mailboxes += 1)}@imap.test`;
    const credentials = { kind: 'password', password: 'secret' } as const;
    const accounts = sut.app.get(MailboxAccountsService);
    const id = await accounts.connect(user.id, 'imap', { email, credentials, scopes: [] });
    account = { id, userId: user.id, email, provider: 'imap' };
  });

  const call = <T>(
    perform: (attempt: CallAttempt) => Promise<T>,
    options: Partial<ProviderCall> = {},
  ): Promise<T> =>
    sut.app
      .get(ProviderGateway)
      .call({ account, endpoint: 'FETCH', priority: 'interactive', ...options }, perform);

  async function usageOf(accountId: string): Promise<QuotaResponse> {
    const { status, body } = await user.api.get<QuotaResponse>(`/api/quota/${accountId}`);
    expect(status).toBe(200);
    return body;
  }

  it('should be reported for each account', async () => {
    const gmail = await user.connect('limits-1@sandbox.mailroom.test');
    expect((await usageOf(gmail)).limits).toEqual(GMAIL);
    expect((await usageOf(account.id)).limits).toEqual(IMAP);
  });

  it('should count the calls of an attempt, however it ends', async () => {
    const trouble = new ProviderFailure({ kind: 'refused', reason: 'NO', error: new ProviderUnavailable() });
    await call(async ({ countFurtherCalls }) => {
      countFurtherCalls('LOGIN', 1);
      countFurtherCalls('SEARCH', 2);
    });
    await rejection(
      call(async ({ countFurtherCalls, correctCallCount }) => {
        correctCallCount(0);
        countFurtherCalls('LOGIN', 1);
        throw trouble;
      }),
    );
    const { topEndpoints, usage } = await usageOf(account.id);
    expect(topEndpoints).toEqual([
      { endpoint: 'SEARCH', units: 6, calls: 2 },
      { endpoint: 'LOGIN', units: 2, calls: 2 },
      { endpoint: 'FETCH', units: 1, calls: 1 },
    ]);
    expect(usage.lastMinute).toEqual({ units: 9, calls: 5, percentOfLimit: 3 });
  });

  it('should make later calls wait for spent units, in every process', async () => {
    await call(async ({ countFurtherCalls }) => countFurtherCalls('FETCH', 27));
    const taken = await waitFor('the other process to know', async () => {
      const answer = await other.app.get(QuotaBucket).take(account, 1, 'interactive', 0);
      return answer.status === 'later' && answer;
    });
    // 8 units to begin with, 28 spent, one more wanted, at 10 a second.
    expect(taken.waitMs).toBeGreaterThan(1_000);
    expect(taken.waitMs).toBeLessThanOrEqual(2_100);
    const since = performance.now();
    await call(async () => undefined);
    expect(performance.now() - since).toBeGreaterThan(taken.waitMs - 300);
  });

  it('should hold in any minute for units spent during an attempt', async () => {
    const bucket = sut.app.get(QuotaBucket);
    await bucket.debit(account, IMAP.perMinute);
    const first = await bucket.take(account, 1, 'interactive', 0);
    expect(first).toMatchObject({ status: 'later' });
    expect(first.waitMs).toBeGreaterThan(55_000);
    expect(first.waitMs).toBeLessThanOrEqual(62_000);
    // Counted once, also within the second it was spent in.
    const other = { id: account.userId, provider: 'imap' };
    await bucket.take(other, 1, 'interactive', 0);
    await bucket.debit(other, IMAP.perMinute - 2);
    expect((await bucket.take(other, 1, 'interactive', 60_000)).status).toBe('granted');
    expect((await bucket.take(other, 1, 'interactive', 0)).waitMs).toBeGreaterThan(50_000);
  });

  it('should not be filled early by units spent during a pause', async () => {
    const bucket = sut.app.get(QuotaBucket);
    await bucket.pause(account.id, 800);
    await bucket.debit(account, 5);
    expect(await bucket.take(account, 1, 'interactive', 0)).toMatchObject({ status: 'paused' });
    await delay(850);
    const { status, waitMs } = await bucket.take(account, 1, 'interactive', 0);
    expect(status).toBe('later');
    expect(waitMs).toBeGreaterThan(300);
    expect(waitMs).toBeLessThanOrEqual(600);
  });

  it('should let commands of one attempt share its slot, and attempts have two', async () => {
    let running = 0;
    let most = 0;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const work = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await ended;
      running -= 1;
    };
    const calls = [1, 2, 3].map(() => call(work, { calls: 2 }));
    await waitFor('two to run', () => running === 2);
    await delay(100);
    expect(most).toBe(2);
    end();
    await Promise.all(calls);
  });

  it('should limit a batch by the units of a second, not by slots', () => {
    const gateway = sut.app.get(ProviderGateway);
    expect(gateway.batchSize(account, 'FETCH', 500)).toBe(4);
    expect(gateway.batchSize(account, 'FETCH', 3)).toBe(3);
    expect(gateway.batchSize(account, 'SEARCH', 500)).toBe(1);
    expect(gateway.batchSize({ ...account, id: user.id, provider: 'gmail' }, 'messages.get', 500)).toBe(8);
  });

  it('should give an attempt by IMAP more time', async () => {
    const timings = sut.app.get(GatewayTimings);
    const { attemptMs, longAttemptMs, interactiveWaitMs } = timings;
    const times = (ms: number) => ({ interactive: ms, background: ms, spare: ms });
    try {
      Object.assign(timings, {
        attemptMs: times(50),
        longAttemptMs: { imap: times(400) },
        interactiveWaitMs: 450,
      });
      await call(() => delay(200));
      const slow = (attempt: CallAttempt): Promise<void> =>
        delay(2_000, undefined, { signal: attempt.signal });
      const since = performance.now();
      expect(await rejection(call(slow))).toBeInstanceOf(ProviderUnavailable);
      expect(performance.now() - since).toBeGreaterThan(390);
      expect(performance.now() - since).toBeLessThan(1_500);
    } finally {
      Object.assign(timings, { attemptMs, longAttemptMs, interactiveWaitMs });
    }
  });
});
