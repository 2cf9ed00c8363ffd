import type { NestExpressApplication } from '@nestjs/platform-express';
import { InboxSnapshotsCron } from '../../../../src/cleanup/analytics/inbox-snapshots.cron';
import { AccountMaintenance } from '../../../../src/mailbox/accounts/account-maintenance';
import type { ProviderAccount } from '../../../../src/providers/port/mailbox-provider.port';
import { startTestApp, TestApp } from '../../../support/app';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const SIX_HOURS = 6 * 3600;

describe('Inbox snapshots of all accounts', () => {
  let sut: TestApp;
  let other: NestExpressApplication;
  let user: TestUser;
  let mailboxes = 0;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    ({ app: other } = await sut.another());
    user = await sut.user();
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 100');
  });

  afterAll(async () => {
    await other?.close();
    await sut?.close();
  });

  beforeEach(async () => {
    sut.sandbox.clearFaults();
    // Each test has its own accounts.
    await sut.dataSource.query('DELETE FROM account_chores');
    await sut.dataSource.query('UPDATE mailbox_accounts SET is_active = false');
  });

  async function connect(messages = 10): Promise<{ id: string; email: string }> {
    const email = `snapshot${(mailboxes += 1)}-${messages}@sandbox.mailroom.test`;
    const id = await user.connect(email);
    sut.sandbox.stats.reset();
    return { id, email };
  }

  const take = (app: NestExpressApplication = sut.app): Promise<void> =>
    app.get(InboxSnapshotsCron).takeDue();

  const days = (id: string): Promise<{ inbox_count: number; unread_count: number }[]> =>
    sut.dataSource.query('SELECT inbox_count, unread_count FROM inbox_days WHERE account_id = $1', [id]);

  /** Seconds until the snapshot is due, by account. */
  async function dueIn(): Promise<Map<string, number>> {
    const rows = await sut.dataSource.query<{ account_id: string; seconds: number }[]>(
      `SELECT account_id, extract(epoch FROM due_at - now())::float8 AS seconds FROM account_chores
       WHERE chore = 'inbox_snapshot'`,
    );
    return new Map(rows.map(({ account_id, seconds }) => [account_id, seconds]));
  }

  const makeDue = (): Promise<unknown> =>
    sut.dataSource.query(`UPDATE account_chores SET due_at = now() - interval '1 second'`);

  const looks = (): number => sut.sandbox.stats.calls['labels.get'] ?? 0;

  it('should take a snapshot of each inbox once with any number of processes, and again after six hours', async () => {
    const accounts: { id: string; email: string }[] = [];
    for (let n = 0; n < 45; n += 1) accounts.push(await connect(2));
    sut.sandbox.stats.reset();
    await Promise.all([take(), take(other), take(), take(other)]);
    expect(looks()).toBe(45);
    const due = await dueIn();
    for (const { id } of accounts) {
      expect(await days(id)).toHaveLength(1);
      expect(due.get(id)).toBeGreaterThan(SIX_HOURS - 60);
      expect(due.get(id)).toBeLessThanOrEqual(SIX_HOURS);
    }
    await Promise.all([take(), take(other)]);
    expect(looks()).toBe(45);
    await makeDue();
    await Promise.all([take(), take(other)]);
    expect(looks()).toBe(90);
  });

  it('should record exact counts, which the next visit returns', async () => {
    const { id, email } = await connect(60);
    await take();
    const mailbox = sut.sandbox.mailbox(email);
    const inbox = mailbox.ids().filter((message) => mailbox.labels(message).includes('INBOX'));
    const unread = inbox.filter((message) => mailbox.labels(message).includes('UNREAD'));
    expect(await days(id)).toEqual([{ inbox_count: inbox.length, unread_count: unread.length }]);
    sut.sandbox.stats.reset();
    const { body } = await user.api.get(`/api/analytics/${id}/inbox-zero`);
    expect(body.current).toEqual({ inboxCount: inbox.length, unreadCount: unread.length });
    expect(sut.sandbox.stats.totalCalls).toBe(0);
  });

  it('should not be kept from other accounts by failing ones', async () => {
    const accounts = [await connect(), await connect(), await connect(), await connect()];
    const [refused, broken, ...fine] = accounts;
    sut.sandbox.fault({
      endpoint: 'labels.get',
      email: broken!.email,
      times: 'always',
      answer: { kind: 'unavailable' },
    });
    await sut.dataSource.query(`UPDATE mailbox_accounts SET sealed_credentials = 'nonsense' WHERE id = $1`, [
      refused!.id,
    ]);
    await take();
    for (const { id } of fine) expect(await days(id)).toHaveLength(1);
    expect([await days(broken!.id), await days(refused!.id)]).toEqual([[], []]);
    // Both are tried again after the same time, not at every tick.
    const due = await dueIn();
    expect(due.get(broken!.id)).toBeGreaterThan(SIX_HOURS - 60);
    expect(due.get(refused!.id)).toBeGreaterThan(SIX_HOURS - 60);
  }, 60_000);

  it('should leave out an account once its provider wants a new consent', async () => {
    const lost = await connect();
    sut.sandbox.fault({ endpoint: 'labels.get', answer: { kind: 'expireAccessTokens' } });
    sut.sandbox.fault({ endpoint: 'oauth.token', times: 'always', answer: { kind: 'invalidGrant' } });
    await take();
    const [{ status }] = await sut.dataSource.query<[{ status: string }]>(
      'SELECT status FROM mailbox_accounts WHERE id = $1',
      [lost.id],
    );
    expect(status).toBe('needs_reauth');
    sut.sandbox.clearFaults();
    const fine = await connect();
    await makeDue();
    await take();
    expect([await days(lost.id), (await days(fine.id)).length]).toEqual([[], 1]);
    // It is due at once when it has been connected again.
    await user.connect(lost.email);
    await take();
    expect(await days(lost.id)).toHaveLength(1);
  });

  it('should leave out inactive accounts and deactivated users', async () => {
    const off = await connect();
    await user.api.patch(`/api/auth/mailbox/${off.id}/toggle`);
    const gone = await sut.user('gone');
    const goneId = await gone.connect('gone-5@sandbox.mailroom.test');
    await sut.dataSource.query('UPDATE users SET is_active = false WHERE id = $1', [gone.id]);
    await take();
    expect([await days(off.id), await days(goneId)]).toEqual([[], []]);
  });

  describe('when a process ends halfway', () => {
    const task = (perform: (account: ProviderAccount, signal: AbortSignal) => Promise<void>) => ({
      name: 'test',
      everySeconds: SIX_HOURS,
      perform,
    });

    it('should leave its accounts to another process at once when it is stopped', async () => {
      for (let n = 0; n < 6; n += 1) await connect(1);
      const { app: stopped } = await sut.another();
      let begun = 0;
      const round = stopped.get(AccountMaintenance).performDue(
        task(
          (_account, signal) =>
            new Promise((_resolve, reject) => {
              begun += 1;
              signal.addEventListener('abort', () => reject(signal.reason as Error));
            }),
        ),
      );
      // One user's share of the four that are done at a time.
      await waitFor('their share to be under way', async () => begun === 3);
      await stopped.close();
      expect(await round).toBe(3);
      const done: string[] = [];
      expect(await other.get(AccountMaintenance).performDue(task(async ({ id }) => void done.push(id)))).toBe(
        6,
      );
      expect(new Set(done).size).toBe(6);
    });

    it('should leave them to another process when its lease has expired, if it is killed', async () => {
      await connect(1);
      // Neither it nor the end of its process waits for what never ends.
      const { app: killed } = await sut.another();
      void killed.get(AccountMaintenance).performDue(task(() => new Promise<void>(() => undefined)));
      const claimed = (): Promise<unknown[]> =>
        sut.dataSource.query('SELECT FROM account_chores WHERE lease_until > now()');
      await waitFor('the account to be taken', async () => (await claimed()).length === 1);
      const count = (): Promise<number> =>
        other.get(AccountMaintenance).performDue(task(async () => undefined));
      expect(await count()).toBe(0);
      await killed.close();
      expect(await count()).toBe(0);
      await sut.dataSource.query(`UPDATE account_chores SET lease_until = now() - interval '1 second'`);
      expect(await count()).toBe(1);
    });
  });
});
