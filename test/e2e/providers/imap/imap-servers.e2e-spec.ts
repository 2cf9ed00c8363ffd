import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ContinuousArchiver } from '../../../../src/keep/continuous/copying/continuous-archiver';
import {
  MailboxProviders,
  type CallOptions,
  type MailboxProvider,
} from '../../../../src/providers/port/mailbox-provider.port';
import { AccountLimiters } from '../../../../src/providers/gateway/account-limiters';
import { ImapConnectionLimits } from '../../../../src/providers/imap/session/imap-connection-limits';
import { ImapSyncTimings } from '../../../../src/providers/imap/sync/imap-sync-timings';
import { startTestApp, type TestApp } from '../../../support/app';
import { connectImap } from '../../../support/imap/connected-account';
import { ImapProxy, type ImapProxyOptions } from '../../../support/imap/imap-proxy';
import { TestImapServer } from '../../../support/imap/imap-server';
import { listedSubjects } from '../../../support/imap/listed-messages';
import { arrivalOf, plainMail } from '../../../support/imap/plain-mail';
import { fingerprintOf } from '../../../support/imap/test-certificate';
import type { TestUser } from '../../../support/test-user';

const interactive: CallOptions = { priority: 'interactive' };
const FULL =
  'IMAP4rev1 AUTH=PLAIN ENABLE NAMESPACE UIDPLUS LIST-EXTENDED LIST-STATUS SPECIAL-USE UNSELECT CONDSTORE QRESYNC ESEARCH MOVE';
/** Without LIST-STATUS, CONDSTORE and MOVE, like Courier. */
const COURIER = 'IMAP4rev1 AUTH=PLAIN UIDPLUS NAMESPACE';

/** What real servers do that RFC 3501 allows, or does not. */
describe('Peculiar IMAP servers', () => {
  let sut: TestApp;
  let server: TestImapServer;
  let proxy: ImapProxy;
  let user: TestUser;
  let mailbox: MailboxProvider;
  let accountId: string;

  beforeAll(async () => {
    sut = await startTestApp();
  });
  afterAll(() => sut?.close());
  beforeEach(() =>
    sut.tune(ImapSyncTimings, {
      figuresMs: 0,
      goneFiguresMs: 15_000,
      connectionLeaseMs: 24_000,
    }),
  );
  afterEach(async () => {
    await proxy?.close();
    await server?.stop();
  });

  const start = async (capability: string, options: ImapProxyOptions = {}): Promise<void> => {
    server = await TestImapServer.start({ capability });
    proxy = await ImapProxy.to(server, options);
    user = await sut.user();
  };
  const providerOf = (id: string): MailboxProvider =>
    sut.app.get(MailboxProviders).forAccount({ id, userId: user.id, email: server.user, provider: 'imap' });
  const connected = async (): Promise<MailboxProvider> => {
    accountId = await connectImap(sut, user, server, { port: proxy.port });
    return providerOf(accountId);
  };
  const fill = (folder: string, numbers: readonly number[]): Promise<void> =>
    server.append(
      folder,
      numbers.map((number) => ({ raw: plainMail(number), receivedAt: arrivalOf(number) })),
    );

  describe('without UIDNEXT in the answer to SELECT', () => {
    const withoutUidNext = (line: string): string | null => (line.startsWith('* OK [UIDNEXT') ? null : line);

    it('should show new messages, even on a slow connection', async () => {
      await start(COURIER, { rewrite: withoutUidNext, delayMs: 10 });
      await fill('INBOX', [1, 2, 3]);
      mailbox = await connected();
      expect(await listedSubjects(mailbox)).toEqual(['Message 3', 'Message 2', 'Message 1']);
      await fill('INBOX', [4]);
      expect(await listedSubjects(mailbox)).toEqual(['Message 4', 'Message 3', 'Message 2', 'Message 1']);
      await fill('INBOX', [5, 6]);
      expect(await listedSubjects(mailbox)).toHaveLength(6);
      expect(proxy.commands.filter((command) => command.includes('42949672'))).toEqual([]);
    });

    it('should see its own changes', async () => {
      await start(COURIER, { rewrite: withoutUidNext });
      await fill('INBOX', [1, 2, 3]);
      mailbox = await connected();
      await listedSubjects(mailbox);
      const { messages } = await mailbox.listMessages(
        { maxResults: 10, query: 'subject:"Message 2"' },
        interactive,
      );
      await mailbox.trash([messages[0]!.id], interactive);
      expect(await listedSubjects(mailbox)).toEqual(['Message 3', 'Message 1']);
      expect(await listedSubjects(mailbox, 'in:trash')).toEqual(['Message 2']);
    });
  });

  describe('with unusual folders', () => {
    const labels = async (): Promise<string[]> =>
      (await mailbox.listLabels(interactive)).flatMap(({ name, type }) => (type === 'user' ? [name] : []));
    const folders = async (): Promise<Record<string, string | null>> => {
      const { body } = await user.api.get(`/api/auth/mailbox/${accountId}/imap`);
      return Object.fromEntries(
        body.folders.map(({ path, problem }: { path: string; problem: string | null }) => [path, problem]),
      );
    };
    /** What continuous archiving says, once it has looked. */
    const archiving = async (): Promise<any> => {
      await user.api.put(`/api/archiving/${accountId}`, { mode: 'watch' });
      await sut.app
        .get(ContinuousArchiver)
        .syncNewMail(
          { id: accountId, userId: user.id, email: server.user, provider: 'imap' },
          AbortSignal.timeout(60_000),
        );
      const status = (await user.api.get(`/api/archiving/${accountId}`)).body;
      const coverage = (await user.api.get(`/api/coverage/${accountId}`)).body;
      return { ...status, coverage };
    };

    it('should read a folder whose name is an atom that begins with a bracket', async () => {
      await start(FULL, {
        rewrite: (line) => line.replace(/^(\* LIST .* )"(\][^"]*)"$/, '$1$2'),
      });
      await fill(']bracket', [1, 2]);
      mailbox = await connected();
      expect(await labels()).toEqual([']bracket']);
      expect(await listedSubjects(mailbox)).toEqual(['Message 2', 'Message 1']);
    });

    it('should report a folder whose name no command can use, and not be exact', async () => {
      await start(FULL);
      server.seed('ctl&AAE-char', 2, (number) => ({ raw: plainMail(number), receivedAt: arrivalOf(number) }));
      await fill('INBOX', [3]);
      mailbox = await connected();
      expect(await listedSubjects(mailbox)).toEqual(['Message 3']);
      expect(await folders()).toMatchObject({ INBOX: null, 'ctl\u2401char': 'name' });
      const { exact, incompleteFolders, coverage } = await archiving();
      expect({ exact, incompleteFolders }).toEqual({ exact: false, incompleteFolders: ['ctl\u2401char'] });
      expect(coverage).toMatchObject({ exact: false, incompleteFolders: ['ctl\u2401char'] });
    });

    it('should report a folder from a line that cannot be parsed', async () => {
      await start(FULL, {
        rewrite: (line) => (line.includes('Odd') ? '* LIST (\\HasNoChildren "/" Odd' : line),
      });
      await fill('Odd', [1]);
      await fill('INBOX', [2]);
      mailbox = await connected();
      expect(await listedSubjects(mailbox)).toEqual(['Message 2']);
      const [name] = Object.entries(await folders()).find(([, problem]) => problem === 'name') ?? [];
      expect(name).toContain('Odd');
    });

    it('should read a folder whose name STATUS does not quote', async () => {
      await start(COURIER, {
        rewrite: (line) => line.replace(/^\* STATUS "([^"]*)"/, '* STATUS $1'),
      });
      await fill('Two words', [1]);
      await fill('INBOX', [2]);
      mailbox = await connected();
      expect((await listedSubjects(mailbox)).toSorted()).toEqual(['Message 1', 'Message 2']);
    });

    it('should read a folder without a STATUS response', async () => {
      await start(COURIER, {
        rewrite: (line) => (line.startsWith('* STATUS Mute') ? '* STATUS Mute nonsense' : line),
      });
      await fill('Mute', [1]);
      await fill('INBOX', [2]);
      mailbox = await connected();
      expect((await listedSubjects(mailbox)).toSorted()).toEqual(['Message 1', 'Message 2']);
      expect(await folders()).toMatchObject({ Mute: null });
    });

    it('should skip only a folder with invalid responses', async () => {
      let opening = '';
      await start(COURIER, {
        rewrite: (line) => {
          opening = /SELECT (\S+)/.exec(proxy.commands.at(-1) ?? '')?.[1] ?? opening;
          return opening.includes('Mad') && line.startsWith('* OK [UIDVALIDITY')
            ? '* OK [UIDVALIDITY x]'
            : line;
        },
      });
      await fill('Mad', [1]);
      await fill('Other', [2]);
      mailbox = await connected();
      expect(await listedSubjects(mailbox)).toEqual(['Message 2']);
      expect(await folders()).toMatchObject({ Mad: 'answer', Other: null });
      expect(await archiving()).toMatchObject({ exact: false, incompleteFolders: ['Mad'] });
      // It is tried again later.
      proxy.rewrite = (line) => line;
      await sut.dataSource.query(
        `UPDATE imap_folders SET problem_at = now() - interval '1 hour' WHERE account_id = $1`,
        [accountId],
      );
      expect((await listedSubjects(mailbox)).toSorted()).toEqual(['Message 1', 'Message 2']);
      expect(await folders()).toMatchObject({ Mad: null });
    });

    it.each(['NOPERM', 'INUSE', 'CANNOT'])(
      'should report a folder that cannot be opened (%s) until it can',
      async (code) => {
        await start(FULL, {
          rewrite: (line) =>
            /SELECT (?:Shut|"Shut")/.test(proxy.commands.at(-1) ?? '')
              ? line.replace(/^(\S+) OK .*/, `$1 NO [${code}] No`)
              : line,
        });
        await fill('Shut', [1]);
        await fill('INBOX', [2]);
        mailbox = await connected();
        expect(await listedSubjects(mailbox)).toEqual(['Message 2']);
        expect(await folders()).toMatchObject({ Shut: 'closed' });
        expect(await archiving()).toMatchObject({ exact: false, incompleteFolders: ['Shut'] });
        proxy.rewrite = (line) => line;
        expect((await listedSubjects(mailbox)).toSorted()).toEqual(['Message 1', 'Message 2']);
        expect(await folders()).toMatchObject({ Shut: null });
      },
    );
  });

  describe('without SPECIAL-USE', () => {
    const withoutRoles = (line: string): string =>
      line.replace(/ ?\\(?:Sent|Trash|Drafts|Junk|Archive)\b/, '');
    const rolesOf = async (): Promise<Record<string, string>> => {
      const { body } = await user.api.get(`/api/auth/mailbox/${accountId}/imap`);
      return Object.fromEntries(
        body.folders.flatMap(({ path, role, source }: { path: string; role: string; source: string }) =>
          ['user', 'inbox', 'ignored'].includes(role) ? [] : [[path, `${role} (${source})`]],
        ),
      );
    };

    it('should keep the roles of its folders when another program creates folders with usual names', async () => {
      await start(COURIER, { rewrite: withoutRoles });
      await fill('Trash', [1]);
      await fill('INBOX', [2]);
      mailbox = await connected();
      expect(await listedSubjects(mailbox)).toEqual(['Message 2']);
      await fill('Deleted Messages', [3]);
      await fill('Sent Messages', [4]);
      expect((await listedSubjects(mailbox)).toSorted()).toEqual(['Message 2', 'Message 3', 'Message 4']);
      expect(await listedSubjects(mailbox, 'in:trash')).toEqual(['Message 1']);
      expect(await rolesOf()).toEqual({ Sent: 'sent (name)', Trash: 'trash (name)' });
      // The server declares another one.
      proxy.rewrite = (line) =>
        withoutRoles(line).replace(
          /^\* LIST \((.*)\) (.*)"Deleted Messages"$/,
          '* LIST ($1 \\Trash) $2"Deleted Messages"',
        );
      await mailbox.listLabels(interactive);
      expect(await rolesOf()).toEqual({ Sent: 'sent (name)', 'Deleted Messages': 'trash (server)' });
    });

    it('should move the role to another folder when its folder is deleted', async () => {
      await start(COURIER, { rewrite: withoutRoles });
      await fill('Trash', [1]);
      mailbox = await connected();
      await mailbox.listLabels(interactive);
      await fill('Deleted Messages', [3]);
      await mailbox.listLabels(interactive);
      await server.session(async (client) => void (await client.mailboxDelete('Trash')));
      await mailbox.listLabels(interactive);
      expect(await rolesOf()).toEqual({ Sent: 'sent (name)', 'Deleted Messages': 'trash (name)' });
    });

    it('should use the folders shown when connecting, in whatever order they are listed', async () => {
      await start(COURIER, { rewrite: withoutRoles });
      for (const name of ['Papierkorb', 'Deleted Items', 'Trash', 'Gesendet']) await fill(name, [1]);
      const { body: shown } = await user.api.post('/api/auth/mailbox/imap', {
        email: server.user,
        password: server.pass,
        host: 'localhost',
        port: proxy.port,
        security: 'tls',
        username: server.user,
        certificateSha256: fingerprintOf(readFileSync(server.certificatePath, 'utf8')),
      });
      accountId = shown.id as string;
      const given = ({ path, role, source }: { path: string; role: string; source: string }): string =>
        `${path}: ${role} (${source})`;
      const connectedRoles = shown.imap.folders.map(given).toSorted();
      expect(connectedRoles).toContain('Trash: trash (name)');
      mailbox = providerOf(accountId);
      await mailbox.listLabels(interactive);
      const { body: used } = await user.api.get(`/api/auth/mailbox/${accountId}/imap`);
      expect(used.folders.map(given).toSorted()).toEqual(connectedRoles);
    });
  });

  it.each([
    ['READ-WRITE', 'PERMANENTFLAGS ()'],
    ['READ-ONLY', 'PERMANENTFLAGS (\\Seen \\Flagged)'],
  ])(
    'should report that flags cannot be changed in a folder that is %s with %s',
    async (access, permanent) => {
      await start(FULL, {
        rewrite: (line) =>
          line
            .replace(/^\* OK \[PERMANENTFLAGS \([^)]*\)\]/, `* OK [${permanent}]`)
            .replace(/^(\S+ OK) \[READ-WRITE\]/, `$1 [${access}]`),
      });
      await fill('INBOX', [1]);
      mailbox = await connected();
      const { messages } = await mailbox.listMessages({ maxResults: 10 }, interactive);
      const change = mailbox.modify([messages[0]!.id], { add: [], remove: ['UNREAD'] }, interactive);
      await expect(change).rejects.toMatchObject({ code: 'provider-rejected', reason: 'unsupported' });
      expect(await listedSubjects(mailbox, 'is:unread')).toEqual(['Message 1']);
    },
  );

  it('should find the label of a folder below INBOX with and without that prefix', async () => {
    await start(FULL);
    await fill('INBOX/Many', [1]);
    await fill('INBOX/Work', [2]);
    await fill('Work', [3]);
    mailbox = await connected();
    expect(await listedSubjects(mailbox, 'label:Many')).toEqual(['Message 1']);
    expect(await listedSubjects(mailbox, 'label:INBOX/Many')).toEqual(['Message 1']);
    expect(await listedSubjects(mailbox, 'label:work')).toEqual(['Message 3']);
  });

  describe('with one command per folder for its figures', () => {
    const FOLDERS = 46;

    it('should query all of them once a minute, and see new mail in INBOX and in the open folder', async () => {
      sut.tune(ImapSyncTimings, { figuresMs: 60_000 });
      await start(COURIER);
      for (let folder = 1; folder < FOLDERS; folder += 1)
        server.seed(`F${folder}`, 1, (number) => ({ raw: plainMail(100 * folder + number) }));
      await fill('INBOX', [1]);
      mailbox = await connected();
      await mailbox.listMessages({ maxResults: 100 }, interactive);
      expect(proxy.count('STATUS')).toBeGreaterThanOrEqual(FOLDERS - 1);
      const before = proxy.commands.length;
      for (let request = 0; request < 13; request += 1) await mailbox.listLabels(interactive);
      expect(proxy.count('LIST')).toBe(1);
      expect(proxy.commands.length - before).toBeLessThanOrEqual(3 * 13);

      await fill('INBOX', [2]);
      expect(await listedSubjects(mailbox, '', ['INBOX'])).toEqual(['Message 2', 'Message 1']);
      const { id } = (await mailbox.listLabels(interactive)).find(({ name }) => name === 'F7')!;
      await fill('F7', [3]);
      expect(await listedSubjects(mailbox, '', [id])).toEqual(['Message 701', 'Message 3']);
      expect(proxy.count('LIST')).toBe(1);
    });

    it('should search a folder for words once, and leave out trash and unrequested folders', async () => {
      sut.tune(ImapSyncTimings, { figuresMs: 60_000 });
      await start(COURIER);
      for (const name of ['One', 'Two', 'Trash']) await fill(name, [1, 2, 3]);
      await fill('INBOX', [4, 5]);
      mailbox = await connected();
      const found = async (labelIds: string[] = []): Promise<number> =>
        (await mailbox.listMessages({ query: 'Body', labelIds, maxResults: 2 }, interactive)).messages.length;
      expect(await found(['INBOX'])).toBe(2);
      expect(proxy.count('SEARCH')).toBe(1);
      expect(await found()).toBe(2);
      expect(proxy.count('SEARCH')).toBe(3);
      expect(await found()).toBe(2);
      expect(proxy.count('SEARCH')).toBe(3);
      await fill('INBOX', [6]);
      expect(await listedSubjects(mailbox, 'Body', ['INBOX'])).toEqual([
        'Message 6',
        'Message 5',
        'Message 4',
      ]);
      expect(proxy.count('SEARCH')).toBe(4);
    });

    it('should not report messages as deleted that left INBOX before it has checked all folders', async () => {
      sut.tune(ImapSyncTimings, { figuresMs: 60_000 });
      await start(COURIER);
      await fill('Work', []);
      await fill('INBOX', [1, 2]);
      mailbox = await connected();
      await listedSubjects(mailbox);
      const { historyId } = await mailbox.getProfile(interactive);
      await server.session(async (client) => {
        await client.mailboxOpen('INBOX');
        await client.messageMove('1', 'Work');
      });
      const kinds = async (): Promise<string[]> =>
        (await mailbox.listChanges(historyId, undefined, interactive)).changes.map(({ kind }) => kind);
      expect(await kinds()).toEqual([]);
      sut.tune(ImapSyncTimings, { goneFiguresMs: 0 });
      expect(await listedSubjects(mailbox, '', ['INBOX'])).toEqual(['Message 2']);
      expect(await kinds()).toEqual(['labels']);
    });

    it('should query all folders after a change of ours that failed', async () => {
      sut.tune(ImapSyncTimings, { figuresMs: 60_000 });
      await start(COURIER);
      await fill('Work', []);
      await fill('INBOX', [1]);
      mailbox = await connected();
      const { messages } = await mailbox.listMessages({ maxResults: 10 }, interactive);
      proxy.rewrite = (line) =>
        / UID COPY /.test(` ${proxy.commands.at(-1)} `) ? line.replace(/^(\S+) OK .*/, '$1 NO No') : line;
      await expect(
        mailbox.modify([messages[0]!.id], { add: ['TRASH'], remove: [] }, interactive),
      ).rejects.toThrow();
      proxy.rewrite = (line) => line;
      const before = proxy.count('LIST');
      await mailbox.listLabels(interactive);
      expect(proxy.count('LIST')).toBe(before + 1);
    });
  });

  it('should be readable soon after a process that held all connections was killed', async () => {
    sut.tune(ImapSyncTimings, { connectionLeaseMs: 4_000 });
    await start(FULL);
    await fill('INBOX', [1]);
    mailbox = await connected();
    const limits = sut.app.get(ImapConnectionLimits);
    // The leases of a process that will never renew them.
    for (let taken = 0; taken < 3;) {
      const lease = await limits.take(accountId, 3);
      if (lease !== 'full' && 'waitMs' in lease)
        await new Promise((resolve) => setTimeout(resolve, lease.waitMs));
      else taken += 1;
    }
    const { slots } = sut.app.get(AccountLimiters).of({ id: accountId, provider: 'imap' });
    // Fewer calls at once would be no cure: nobody but a dead process has connections.
    const fewer = jest.spyOn(slots, 'onRefused');
    const page = await mailbox.listMessages({ maxResults: 10 }, { priority: 'background' });
    expect(page.messages).toHaveLength(1);
    expect(fewer).not.toHaveBeenCalled();
  });

  it('should see new connections of an account two seconds apart, whatever process opens them', async () => {
    const { connectionPaceMs } = new ImapSyncTimings();
    expect(connectionPaceMs).toBe(2_000);
    sut.tune(ImapSyncTimings, { connectionPaceMs });
    const limits = sut.app.get(ImapConnectionLimits);
    const account = randomUUID();
    expect(await limits.take(account, 3)).not.toHaveProperty('waitMs');
    const second = await limits.take(account, 3);
    expect(second).toMatchObject({ waitMs: expect.any(Number) });
    const { waitMs } = second as { waitMs: number };
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(connectionPaceMs);
    // Another account does not wait for this pause.
    expect(await limits.take(randomUUID(), 3)).not.toHaveProperty('waitMs');
  });

  it('should count the connections of a dead process for less than half a minute', () => {
    const { connectionLeaseMs } = new ImapSyncTimings();
    expect(connectionLeaseMs).toBeLessThan(30_000);
  });
});
