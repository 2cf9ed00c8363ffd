import { ContinuousArchiver } from '../../../../src/keep/continuous/copying/continuous-archiver';
import { GatewayTimings } from '../../../../src/providers/gateway/retry-policy';
import { ImapCalls } from '../../../../src/providers/imap/session/imap-calls';
import { ImapConnectionLimits } from '../../../../src/providers/imap/session/imap-connection-limits';
import { ImapWatchStates } from '../../../../src/providers/imap/sync/imap-watch-states';
import { MailboxProviders } from '../../../../src/providers/port/mailbox-provider.port';
import { MailboxWatches } from '../../../../src/providers/port/mailbox-watches.port';
import { MailboxWatcher } from '../../../../src/keep/continuous/watching/mailbox-watcher';
import { startTestApp, type TestApp } from '../../../support/app';
import { connectImap } from '../../../support/imap/connected-account';
import { TestImapServer } from '../../../support/imap/imap-server';
import { arrivalOf, plainMail } from '../../../support/imap/plain-mail';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const WITHOUT_NOTIFY =
  'IMAP4rev1 LITERAL+ IDLE ENABLE UNSELECT UIDPLUS MOVE CONDSTORE QRESYNC ESEARCH LIST-EXTENDED LIST-STATUS SPECIAL-USE NAMESPACE';

const HOUR_MS = 60 * 60_000;
const REFUSED_MS = 1_500;

const message = (number: number): { raw: Buffer; receivedAt: Date } => ({
  raw: plainMail(number),
  receivedAt: arrivalOf(number),
});

describe('Watching a mailbox on an IMAP server', () => {
  let app: TestApp;
  let user: TestUser;
  let server: TestImapServer;
  let accountId: string;
  let calls: jest.SpyInstance;

  beforeAll(async () => {
    app = await startTestApp({ own: true });
    calls = jest.spyOn(app.app.get(ImapCalls), 'run');
  });
  afterEach(async () => {
    await user.api.delete(`/api/auth/mailbox/${accountId}`);
    await review();
    await waitFor('the watch to end', async () => (await watchOf()) === null);
    await server.stop();
  });
  afterAll(() => app?.close());

  const start = async (capability?: string): Promise<void> => {
    server = await TestImapServer.start(capability === undefined ? {} : { capability });
    await server.append('INBOX', [message(1), message(2)]);
    await server.append('Projects', [message(3)]);
    user = await app.user();
    accountId = await connectImap(app, user, server);
    expect((await user.api.put(`/api/archiving/${accountId}`, { mode: 'keep' })).status).toBe(200);
    await waitFor('everything to be copied', async () => {
      await look();
      const { body } = await user.api.get(`/api/archiving/${accountId}`);
      if (body.jobId) await user.jobEnd(body.jobId as string);
      return body.exact && body.pending === 0 && body.jobId === null;
    });
  };

  const review = (): Promise<void> => app.app.get(MailboxWatcher).review();

  const watchOf = (): Promise<string | null> => app.app.get(ImapWatchStates).getWatchState(accountId);

  const watched = async (): Promise<void> => {
    await review();
    await waitFor('the watch to begin', async () => (await watchOf()) !== null);
  };

  /** What the chore does when its time has come. @returns calls to the server */
  async function look(): Promise<number> {
    await app.dataSource.query(
      `UPDATE mailbox_index_states SET synced_at = synced_at - interval '1 minute' WHERE account_id = $1`,
      [accountId],
    );
    const before = calls.mock.calls.length;
    const account = { id: accountId, userId: user.id, email: server.user, provider: 'imap' };
    await app.app.get(ContinuousArchiver).syncNewMail(account, AbortSignal.timeout(60_000));
    return calls.mock.calls.length - before;
  }

  const rest = (): Promise<unknown> =>
    app.dataSource.query(
      `INSERT INTO account_chores (account_id, chore, due_at)
       SELECT $1, chore, now() + interval '1 hour' FROM unnest(ARRAY['keep_copies', 'message_index']) chore
       ON CONFLICT (account_id, chore) DO UPDATE SET due_at = excluded.due_at`,
      [accountId],
    );

  const due = async (): Promise<string[]> => {
    const rows: { chore: string }[] = await app.dataSource.query(
      'SELECT chore FROM account_chores WHERE account_id = $1 AND due_at <= now() ORDER BY chore',
      [accountId],
    );
    return rows.map(({ chore }) => chore);
  };

  const bothDue = (): Promise<unknown> =>
    waitFor('the chores to be due', async () => (await due()).join() === 'keep_copies,message_index');

  const copied = async (): Promise<number> => {
    const [{ count }] = await app.dataSource.query(
      'SELECT count(*)::int FROM archived_mails WHERE account_id = $1',
      [accountId],
    );
    return count;
  };

  it('should poll nothing while nothing changes, and sync at once after a change in any folder', async () => {
    await start();
    await watched();
    // What happened before the watch is not known.
    expect(await look()).toBe(1);
    expect([await look(), await look()]).toEqual([0, 0]);

    await rest();
    await server.append('INBOX', [message(4)]);
    await bothDue();
    expect(await look()).toBeGreaterThan(0);
    await waitFor('quiet', async () => (await look()) === 0);

    await rest();
    await server.append('Projects', [message(5)]);
    await bothDue();
    expect(await look()).toBeGreaterThan(0);
    expect(await copied()).toBe(5);
    await waitFor('quiet', async () => (await look()) === 0);

    await rest();
    await server.session(async (client) => {
      await client.mailboxOpen('Projects');
      await client.messageFlagsAdd('1', ['\\Seen']);
    });
    await bothDue();

    // A person who waits for an answer gets the mailbox as it is.
    const before = calls.mock.calls.length;
    expect((await user.api.get(`/api/mailbox/${accountId}/messages?maxResults=10`)).status).toBe(200);
    expect(calls.mock.calls.length).toBeGreaterThan(before);
  });

  it('should not keep the last sync of an offload from querying the server', async () => {
    await start();
    await watched();
    await waitFor('quiet', async () => (await look()) === 0);
    const account = { id: accountId, userId: user.id, email: server.user, provider: 'imap' } as const;
    const provider = app.app.get(MailboxProviders).forAccount(account);
    const { historyId } = await provider.getProfile({ priority: 'background' });
    const asks = async (isLastLook: boolean): Promise<number> => {
      const before = calls.mock.calls.length;
      await provider.listChanges(historyId, undefined, { priority: 'background', isLastLook });
      return calls.mock.calls.length - before;
    };
    await waitFor('quiet', async () => (await asks(false)) === 0);
    expect([await asks(false), await asks(true)]).toEqual([0, 1]);
  });

  it('should poll as usual where the server reports changes of one folder only, and sync sooner for that one', async () => {
    await start(WITHOUT_NOTIFY);
    const states = app.app.get(ImapWatchStates);
    const claim = states.claim.bind(states);
    const begun = jest.fn<void, [boolean]>();
    const claims = jest.spyOn(states, 'claim').mockImplementation(async (id) => {
      const lease = await claim(id);
      return lease && { ...lease, begin: (isWhole) => lease.begin(isWhole).then(() => begun(isWhole)) };
    });
    await review();
    await waitFor('the watch to begin', () => begun.mock.calls.length > 0);
    claims.mockRestore();
    expect(begun).toHaveBeenCalledWith(false);
    expect([await look(), await look()]).toEqual([1, 1]);
    await rest();
    await server.append('INBOX', [message(4)]);
    await bothDue();
  });

  it('should poll as before once the connection is lost', async () => {
    await start();
    await watched();
    await waitFor('quiet', async () => (await look()) === 0);
    await server.halt();
    await waitFor('the watch to end', async () => (await watchOf()) === null);
    const before = await copied();
    await server.run();
    await server.append('INBOX', [message(6)]);
    expect(await look()).toBeGreaterThan(0);
    expect(await copied()).toBe(before + 1);
  });

  it('should end after an hour, and start again with another login', async () => {
    await start();
    const { timeout } = AbortSignal;
    const hours: AbortController[] = [];
    const clock = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      if (ms !== HOUR_MS) return timeout.call(AbortSignal, ms);
      hours.push(new AbortController());
      return hours.at(-1)!.signal;
    });
    try {
      const account = { id: accountId, userId: user.id, email: server.user, provider: 'imap' };
      const watch = app.app
        .get(MailboxWatches)
        .watch(account, { signal: new AbortController().signal, onChange: () => undefined });
      await waitFor('the watch to begin', async () => (await watchOf()) !== null);
      hours[0]!.abort();
      expect(await watch).toBe('ended');
      expect(await watchOf()).toBeNull();
      const logins = server.logins;
      await watched();
      expect(hours).toHaveLength(2);
      expect(server.logins).toBe(logins + 1);
    } finally {
      clock.mockRestore();
    }
  });

  it('should end with a new password, after at most two logins, and start again once it is known', async () => {
    Object.assign(app.app.get(GatewayTimings), { refusedLoginMs: REFUSED_MS });
    await start();
    await watched();
    await waitFor('quiet', async () => (await look()) === 0);
    await server.changePassword('another-pass');
    await waitFor('the watch to end', async () => (await watchOf()) === null);
    const list = async (): Promise<unknown> => {
      const { status, body } = await user.api.get(`/api/mailbox/${accountId}/messages?maxResults=10`);
      return [status, body.code];
    };
    const state = async (): Promise<string> => {
      const { body } = await user.api.get('/api/auth/me');
      return (body.mailboxAccounts as { id: string; status: string }[]).find(({ id }) => id === accountId)!
        .status;
    };
    // Servers also refuse the right password when something is wrong with them.
    expect(await list()).toEqual([503, 'provider-unavailable']);
    expect(await state()).toBe('connected');
    await new Promise((resolve) => setTimeout(resolve, REFUSED_MS));
    expect(await list()).toEqual([409, 'mailbox-reauth-required']);
    expect(await state()).toBe('needs_reauth');
    const refused = server.refusedLogins;
    expect(refused).toBe(2);
    expect(await list()).toEqual([409, 'mailbox-reauth-required']);
    await review();
    expect(await watchOf()).toBeNull();
    expect(server.refusedLogins).toBe(refused);
    // What was archived is there all the same.
    const mails = (await user.api.get(`/api/archive/${accountId}/mails`)).body.mails as unknown[];
    expect(mails).toHaveLength(await copied());

    expect(await connectImap(app, user, server)).toBe(accountId);
    await server.append('INBOX', [message(7)]);
    expect(await look()).toBeGreaterThan(0);
    expect(await copied()).toBe(mails.length + 1);
    await watched();
  });

  it('should be limited to one, and free the connection for others where the server has refused one', async () => {
    await start();
    const watch = (): Promise<string> =>
      app.app
        .get(MailboxWatches)
        .watch(
          { id: accountId, userId: user.id, email: server.user, provider: 'imap' },
          { signal: AbortSignal.timeout(20_000), onChange: () => undefined },
        );
    const lease = await app.app.get(ImapWatchStates).claim(accountId);
    expect(await watch()).toBe('elsewhere');
    await lease?.end();
    const limits = app.app.get(ImapConnectionLimits);
    expect(await limits.allowsWatch(accountId, 3)).toBe(true);
    await limits.recordRefusal(accountId);
    expect(await limits.allowsWatch(accountId, 3)).toBe(false);
    expect(await watch()).toBe('impossible');
  });
});
