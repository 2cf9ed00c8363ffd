import {
  type CallOptions,
  type MailboxProvider,
  MailboxProviders,
} from '../../../../src/providers/port/mailbox-provider.port';
import { ProviderFailure } from '../../../../src/providers/gateway/provider-call';
import { ProviderUnavailable } from '../../../../src/providers/port/mail-provider.errors';
import { ReviewOfViews1763700000091 } from '../../../../migrations/1763700000091-review-of-views';
import { ImapCalls } from '../../../../src/providers/imap/session/imap-calls';
import { FolderMissing, ImapSession } from '../../../../src/providers/imap/session/imap-session';
import { ImapSync } from '../../../../src/providers/imap/sync/imap-sync';
import { ImapViews } from '../../../../src/providers/imap/sync/imap-views';
import { startTestApp, type TestApp } from '../../../support/app';
import { connectImap } from '../../../support/imap/connected-account';
import { VIRTUAL_FOLDERS } from '../../../support/imap/dovecot-layouts';
import { TestImapServer, type TestImapOptions } from '../../../support/imap/imap-server';
import { labelsOf, listedIds } from '../../../support/imap/listed-messages';
import { arrivalOf, plainMail } from '../../../support/imap/plain-mail';
import type { TestUser } from '../../../support/test-user';

const interactive: CallOptions = { priority: 'interactive' };
const REAL_FOLDERS = ['INBOX', 'Archive', 'Trash', 'Projects', 'Customers', 'Bills'];

/** Folders that show the messages of others: removing a message there removes it everywhere. */
describe('A folder that is a view of another', () => {
  let sut: TestApp;
  let user: TestUser;
  let server: TestImapServer;
  let accountId: string;
  let mailbox: MailboxProvider;

  beforeAll(async () => {
    sut = await startTestApp();
  });
  afterAll(() => sut?.close());
  afterEach(() => server.stop());

  const begin = async (options: TestImapOptions, prepare: () => Promise<void>): Promise<void> => {
    server = await TestImapServer.start(options);
    await prepare();
    user = await sut.user();
    accountId = await connectImap(sut, user, server);
    mailbox = sut.app
      .get(MailboxProviders)
      .forAccount({ id: accountId, userId: user.id, email: server.user, provider: 'imap' });
  };
  const fill = (folder: string, ...numbers: readonly number[]): Promise<void> =>
    server.append(
      folder,
      numbers.map((number) => ({ raw: plainMail(number), receivedAt: arrivalOf(number), flags: ['\\Seen'] })),
    );
  /** Subjects by folder, as another client sees them. */
  const found = (): Promise<Record<string, string[]>> =>
    server.session(async (client) => {
      const folders: Record<string, string[]> = {};
      for (const { path } of await client.list()) {
        if (!REAL_FOLDERS.includes(path)) continue;
        const { exists } = await client.mailboxOpen(path, { readOnly: true });
        if (exists === 0) continue;
        folders[path] = [];
        for await (const { envelope } of client.fetch('1:*', { envelope: true }))
          folders[path].push(envelope?.subject ?? '');
        folders[path].sort();
      }
      return folders;
    });
  const bulk = async (action: string, messageIds: readonly string[], labelId?: string): Promise<any> => {
    const started = await user.api.post(`/api/mailbox/${accountId}/messages/bulk`, {
      action,
      messageIds,
      labelId,
    });
    if (started.status !== 202) throw new Error(started.bytes.toString());
    return user.jobEnd(started.body.jobId as string);
  };
  const undo = async (job: { id: string }): Promise<any> => {
    const { body } = await user.api.post(`/api/jobs/${job.id}/undo`, {});
    return user.jobEnd(body.jobId as string);
  };
  /** Paths of the folders that are shown as views. */
  const views = async (): Promise<string[]> => {
    const { body } = await user.api.get(`/api/auth/mailbox/${accountId}/imap`);
    const found: { path: string; role: string; source: string; problem: string | null }[] = body.folders;
    const shown = found.filter(({ source }) => source === 'view');
    expect(shown.every(({ role, problem }) => role === 'ignored' && problem === null)).toBe(true);
    return shown.map(({ path }) => path).sort();
  };
  const userLabels = async (): Promise<string[]> =>
    (await mailbox.listLabels(interactive))
      .filter(({ type }) => type === 'user')
      .map(({ name }) => name)
      .sort();
  /** Looks at all folders, as the next round does. */
  const look = async (): Promise<void> => {
    const account = { id: accountId, userId: user.id, email: server.user, provider: 'imap' as const };
    const options = { ...interactive, command: 'LOOK' };
    await sut.app
      .get(ImapCalls)
      .run(account, options, async ({ session, server: known }) =>
        sut.app.get(ImapSync).run({ account, server: known }, session),
      );
  };
  const labelNamed = async (name: string): Promise<string> => {
    const label = (await mailbox.listLabels(interactive)).find((one) => one.name === name);
    if (!label) throw new Error(`No label ${name}`);
    return label.id;
  };

  describe('by the virtual plugin of Dovecot', () => {
    const beginVirtual = (): Promise<void> =>
      begin({ layout: VIRTUAL_FOLDERS }, async () => {
        await fill('INBOX', 1, 2);
        await fill('Bills', 3);
        await server.session(async (client) => {
          await client.mailboxOpen('INBOX');
          await client.messageFlagsAdd('1', ['\\Flagged']);
        });
      });

    it.each(['archive', 'trash'])('should lose no message to %s', async (action) => {
      await beginVirtual();
      const [first = ''] = await listedIds(mailbox, 'subject:"Message 1"');
      const job = await bulk(action, [first]);
      expect(job).toMatchObject({ status: 'completed', result: { changed: 1, refused: 0 } });
      const target = action === 'archive' ? 'Archive' : 'Trash';
      expect(await found()).toEqual({ INBOX: ['Message 2'], Bills: ['Message 3'], [target]: ['Message 1'] });
    });
    it('should be shown as a view, and give no label', async () => {
      await beginVirtual();
      expect(await listedIds(mailbox)).toHaveLength(3);
      expect(await views()).toEqual(['Virtual/All', 'Virtual/Flagged']);
      expect(await userLabels()).toEqual(['Bills']);
      const [first = ''] = await listedIds(mailbox, 'subject:"Message 1"');
      expect(await labelsOf(mailbox, first)).toEqual(['INBOX', 'STARRED']);
    });

    it('should be examined once', async () => {
      await beginVirtual();
      await listedIds(mailbox);
      await look();
      await fill('INBOX', 4);
      await fill('Bills', 5);
      const asked = jest.spyOn(ImapSession.prototype, 'fetchHomesByNumber');
      await look();
      expect(asked).not.toHaveBeenCalled();
      asked.mockRestore();
      expect(await listedIds(mailbox)).toHaveLength(5);
    });

    const list = ImapSession.prototype.list;
    const listWithout = (path: string): void => {
      jest.spyOn(ImapSession.prototype, 'list').mockImplementation(async function (this: ImapSession) {
        return (await list.call(this)).filter((folder) => folder.path !== path);
      });
    };
    const listAll = (): void => {
      jest.spyOn(ImapSession.prototype, 'list').mockImplementation(list);
    };
    const open = ImapSession.prototype.open;
    const refuse = (refused: string): void => {
      jest.spyOn(ImapSession.prototype, 'open').mockImplementation(function (this: ImapSession, path, known) {
        if (path === refused) return Promise.reject(new FolderMissing('refused'));
        return open.call(this, path, known);
      });
    };
    const allow = (): void => {
      jest.spyOn(ImapSession.prototype, 'open').mockImplementation(open);
    };

    describe('that was found before a folder it shows', () => {
      afterEach(() => jest.restoreAllMocks());

      it('should become a view when that folder is listed, even if it has not changed itself', async () => {
        await beginVirtual();
        listWithout('Bills');
        await look();
        expect(await views()).toEqual(['Virtual/Flagged']);
        expect(await userLabels()).toEqual(['Virtual/All']);
        const asked = jest.spyOn(ImapSession.prototype, 'fetchHomesByNumber');
        await look();
        expect(asked).not.toHaveBeenCalled();
        listAll();
        await look();
        expect(await views()).toEqual(['Virtual/All', 'Virtual/Flagged']);
        expect(await userLabels()).toEqual(['Bills']);
        expect(await listedIds(mailbox)).toHaveLength(3);
      });

      it('should become a view when that folder can be read', async () => {
        await beginVirtual();
        jest.spyOn(ImapSession.prototype, 'list').mockImplementation(async function (this: ImapSession) {
          const all = await list.call(this);
          return all.map((folder) => (folder.path === 'Bills' ? { ...folder, problem: 'name' } : folder));
        });
        await look();
        expect(await views()).toEqual(['Virtual/Flagged']);
        listAll();
        await look();
        expect(await views()).toEqual(['Virtual/All', 'Virtual/Flagged']);
        expect(await userLabels()).toEqual(['Bills']);
      });

      /** Zebra comes after the virtual folders by name. */
      const beginRefused = async (): Promise<void> => {
        await beginVirtual();
        await fill('Zebra', 4);
        refuse('Zebra');
      };
      it('should show the mail of that folder while that folder cannot be opened', async () => {
        await beginRefused();
        await look();
        expect(await views()).toEqual(['Virtual/Flagged']);
        expect(await listedIds(mailbox)).toHaveLength(4);
        // Nothing that is known now makes another answer likely.
        const asked = jest.spyOn(ImapSession.prototype, 'fetchHomesByNumber');
        await look();
        expect(asked).not.toHaveBeenCalled();
        expect(await listedIds(mailbox)).toHaveLength(4);
      });

      it('should report no message as deleted when that folder is listed, and cannot be opened', async () => {
        await beginRefused();
        listWithout('Zebra');
        await look();
        expect(await views()).toEqual(['Virtual/Flagged']);
        const ids = await listedIds(mailbox);
        expect(ids).toHaveLength(4);
        const cursor = (await mailbox.getProfile(interactive)).historyId;
        listAll();
        await look();
        await look();
        const { changes } = await mailbox.listChanges(cursor, undefined, interactive);
        expect(changes.filter(({ kind }) => kind !== 'labels')).toEqual([]);
        expect(await listedIds(mailbox)).toEqual(ids);
      });

      it('should become a view when that folder can be opened, with no message deleted or added', async () => {
        await beginRefused();
        await look();
        const ids = await listedIds(mailbox);
        const cursor = (await mailbox.getProfile(interactive)).historyId;
        allow();
        await look();
        expect(await views()).toEqual(['Virtual/All', 'Virtual/Flagged']);
        expect(await userLabels()).toEqual(['Bills', 'Zebra']);
        const { changes } = await mailbox.listChanges(cursor, undefined, interactive);
        expect(changes.filter(({ kind }) => kind !== 'labels')).toEqual([]);
        expect(await listedIds(mailbox)).toEqual(ids);
        expect(ids).toHaveLength(4);
        const [fourth = ''] = await listedIds(mailbox, 'subject:"Message 4"');
        expect(await labelsOf(mailbox, fourth)).toEqual([await labelNamed('Zebra')]);
      });

      it('should become a view in the first sync, even if the folder is listed after it', async () => {
        await beginVirtual();
        await fill('Zebra', 4);
        await look();
        expect(await views()).toEqual(['Virtual/All', 'Virtual/Flagged']);
        expect(await listedIds(mailbox)).toHaveLength(4);
        const asked = jest.spyOn(ImapSession.prototype, 'list');
        await look();
        expect(asked).toHaveBeenCalledTimes(1);
      });

      it('should not be examined again when the server did not answer', async () => {
        await beginVirtual();
        const refuse = jest
          .spyOn(ImapSession.prototype, 'fetchHomesByNumber')
          .mockRejectedValue(
            new ProviderFailure({ kind: 'refused', reason: 'bad', error: new ProviderUnavailable() }),
          );
        listWithout('Bills');
        for (let attempt = 1; attempt <= 3; attempt += 1) await look().catch(() => undefined);
        const asked = refuse.mock.calls.length;
        expect(asked).toBeGreaterThan(0);
        listAll();
        await look().catch(() => undefined);
        await look();
        expect(await userLabels()).toEqual(['Bills', 'Virtual/All', 'Virtual/Flagged']);
        // One question about the folder that has come.
        expect(refuse.mock.calls).toHaveLength(asked + 1);
      });
    });

    describe('that is shown a message in a folder which is not read', () => {
      beforeEach(async () => {
        await beginVirtual();
        await look();
        expect(await views()).toEqual(['Virtual/All', 'Virtual/Flagged']);
        // Their headers are read.
        expect(await listedIds(mailbox)).toHaveLength(3);
      });
      afterEach(() => jest.restoreAllMocks());

      /** Another program moves the second message, which no flag shows in the folder of flagged ones. */
      const moveTo = (folder: string): Promise<unknown> =>
        server.session(async (client) => {
          await client.mailboxOpen('INBOX');
          return client.messageMove({ subject: 'Message 2' }, folder);
        });
      const create = (folder: string): Promise<unknown> =>
        server.session((client) => client.mailboxCreate(folder));
      const toldSince = async (cursor: string): Promise<string[]> =>
        (await mailbox.listChanges(cursor, undefined, interactive)).changes.map(({ kind }) => kind);

      it('should be read when that folder can no longer be opened, and be a view again when it can', async () => {
        const ids = await listedIds(mailbox);
        const cursor = (await mailbox.getProfile(interactive)).historyId;
        refuse('Bills');
        await moveTo('Bills');
        await look();
        expect(await views()).toEqual(['Virtual/Flagged']);
        expect((await listedIds(mailbox)).toSorted()).toEqual(ids.toSorted());
        expect(await labelsOf(mailbox, (await listedIds(mailbox, 'subject:"Message 2"'))[0] ?? '')).toEqual([
          await labelNamed('Virtual/All'),
        ]);
        allow();
        await look();
        expect(await views()).toEqual(['Virtual/All', 'Virtual/Flagged']);
        expect((await listedIds(mailbox)).toSorted()).toEqual(ids.toSorted());
        const told = await toldSince(cursor);
        expect(told).toContain('labels');
        expect(told.filter((kind) => kind !== 'labels')).toEqual([]);
      });

      it('should be read when that folder is new and cannot be opened', async () => {
        const cursor = (await mailbox.getProfile(interactive)).historyId;
        refuse('Zebra');
        await create('Zebra');
        await look();
        expect(await views()).toEqual(['Virtual/All', 'Virtual/Flagged']);
        await moveTo('Zebra');
        await look();
        expect((await toldSince(cursor)).filter((kind) => kind !== 'labels')).toEqual([]);
        expect(await views()).toEqual(['Virtual/Flagged']);
        expect(await listedIds(mailbox)).toHaveLength(3);
      });

      it('should show new mail of a folder that cannot be opened', async () => {
        refuse('Zebra');
        await fill('Zebra', 4);
        await look();
        expect(await views()).toEqual(['Virtual/Flagged']);
        expect(await listedIds(mailbox)).toHaveLength(4);
      });

      it('should be read when that folder is not listed', async () => {
        const cursor = (await mailbox.getProfile(interactive)).historyId;
        listWithout('Zebra');
        await create('Zebra');
        await moveTo('Zebra');
        await look();
        expect((await toldSince(cursor)).filter((kind) => kind !== 'labels')).toEqual([]);
        expect(await views()).toEqual(['Virtual/Flagged']);
        expect(await listedIds(mailbox)).toHaveLength(3);
      });

      it('should be read when the message moves during the sync', async () => {
        const cursor = (await mailbox.getProfile(interactive)).historyId;
        await create('Zebra');
        // INBOX is read in the look, since something has come.
        await fill('INBOX', 4);
        let hasMoved = false;
        jest.spyOn(ImapSession.prototype, 'list').mockImplementation(async function (this: ImapSession) {
          const listed = (await list.call(this)).filter(({ path }) => path !== 'Zebra');
          if (!hasMoved) await moveTo('Zebra');
          hasMoved = true;
          return listed;
        });
        await look();
        expect(await views()).toEqual(['Virtual/Flagged']);
        expect(await listedIds(mailbox)).toHaveLength(4);
        expect((await toldSince(cursor)).filter((kind) => kind === 'deleted')).toEqual([]);
      });

      it('should be examined only for messages that arrived since', async () => {
        refuse('Zebra');
        await create('Zebra');
        const asked = jest.spyOn(ImapSession.prototype, 'fetchHomesByUid');
        await look();
        expect(asked.mock.calls.toSorted()).toEqual([
          [1, 1],
          [1, 3],
        ]);
        await look();
        expect(asked).toHaveBeenCalledTimes(2);
        await fill('INBOX', 4);
        await look();
        expect(asked.mock.calls.slice(2)).toEqual([[4, 4]]);
        await look();
        expect(asked).toHaveBeenCalledTimes(3);
        expect(await views()).toEqual(['Virtual/All', 'Virtual/Flagged']);
      });

      it('should be read like a folder when the server does not answer', async () => {
        const cursor = (await mailbox.getProfile(interactive)).historyId;
        refuse('Zebra');
        await create('Zebra');
        await moveTo('Zebra');
        const bad = new ProviderFailure({ kind: 'refused', reason: 'bad', error: new ProviderUnavailable() });
        jest.spyOn(ImapSession.prototype, 'fetchHomesByUid').mockRejectedValue(bad);
        jest.spyOn(ImapSession.prototype, 'fetchHomesByNumber').mockRejectedValue(bad);
        // A look with the question may fail: the folder is not asked about a third time.
        for (let attempt = 1; attempt <= 2; attempt += 1) await Promise.allSettled([look()]);
        await look();
        expect(await views()).toEqual([]);
        expect(await listedIds(mailbox)).toHaveLength(3);
        expect((await toldSince(cursor)).filter((kind) => kind !== 'labels')).toEqual([]);
      });
    });

    describe('that an earlier version considered a view on less evidence', () => {
      afterEach(() => jest.restoreAllMocks());

      it('should be examined once more after the upgrade', async () => {
        await beginVirtual();
        await fill('Zebra', 4);
        refuse('Zebra');
        // An earlier version took a folder that is listed, but cannot be opened, for one that is read.
        const homes = ImapSession.prototype.fetchHomesByNumber;
        jest.spyOn(ImapSession.prototype, 'fetchHomesByNumber').mockImplementation(async function (
          this: ImapSession,
          from,
          to,
        ) {
          return (await homes.call(this, from, to)).map((home) => (home === 'Zebra' ? 'INBOX' : home));
        });
        await look();
        expect(await views()).toEqual(['Virtual/All', 'Virtual/Flagged']);
        expect(await listedIds(mailbox)).toHaveLength(3);
        jest.mocked(ImapSession.prototype.fetchHomesByNumber).mockRestore();
        const runner = sut.dataSource.createQueryRunner();
        await new ReviewOfViews1763700000091().up(runner);
        await runner.release();
        await look();
        expect(await views()).toEqual(['Virtual/Flagged']);
        expect(await listedIds(mailbox)).toHaveLength(4);
        const asked = jest.spyOn(ImapSession.prototype, 'fetchHomesByNumber');
        await look();
        expect(asked).not.toHaveBeenCalled();
      });
    });

    it('should allow trash to be undone', async () => {
      await beginVirtual();
      const ids = await listedIds(mailbox);
      const before = await found();
      await undo(await bulk('trash', ids));
      expect(await found()).toEqual(before);
    });
  });

  describe('by a symbolic link', () => {
    const beginLinked = (): Promise<void> =>
      begin({}, async () => {
        await fill('Projects', 1, 2);
        server.link('Projects', 'Customers');
      });

    it('should lose no message when the label of the folder is removed', async () => {
      await beginLinked();
      const [first = ''] = await listedIds(mailbox, 'subject:"Message 1"');
      const [label = ''] = await userLabels();
      const job = await bulk('unlabel', [first], await labelNamed(label));
      expect(job).toMatchObject({ status: 'completed', result: { changed: 1, refused: 0 } });
      expect(await found()).toMatchObject({ Archive: ['Message 1'], Projects: ['Message 2'] });
      expect(await labelsOf(mailbox, first)).toEqual([]);
    });

    it('should be shown as a view of the first one, and give no label', async () => {
      await beginLinked();
      const ids = await listedIds(mailbox);
      expect(ids).toHaveLength(2);
      await look();
      expect(await views()).toEqual(['Projects']);
      expect(await userLabels()).toEqual(['Customers']);
      const customers = await labelNamed('Customers');
      expect(await labelsOf(mailbox, ids[0] ?? '')).toEqual([customers]);
      await fill('Projects', 3);
      await look();
      expect(await views()).toEqual(['Projects']);
      expect(await listedIds(mailbox)).toHaveLength(3);
    });

    it('should allow trash to be undone', async () => {
      await beginLinked();
      const ids = await listedIds(mailbox);
      const before = await found();
      await undo(await bulk('trash', ids));
      expect(await found()).toEqual(before);
    });

    it('should be an ordinary folder again when the link becomes one', async () => {
      await beginLinked();
      const ids = await listedIds(mailbox);
      await look();
      const cursor = (await mailbox.getProfile(interactive)).historyId;
      expect(await views()).toEqual(['Projects']);
      server.unlink('Customers');
      server.duplicate('Projects', 'Customers');
      await fill('Customers', 4);
      await look();
      expect(await views()).toEqual([]);
      expect(await userLabels()).toEqual(['Customers', 'Projects']);
      expect(await listedIds(mailbox)).toHaveLength(3);
      const labels = [await labelNamed('Customers'), await labelNamed('Projects')].sort();
      expect(await labelsOf(mailbox, ids[0] ?? '')).toEqual(labels);
      const { changes } = await mailbox.listChanges(cursor, undefined, interactive);
      expect(changes.filter(({ kind }) => kind === 'deleted')).toEqual([]);
    });

    it('should be read when the folder it showed has been deleted', async () => {
      await beginLinked();
      await listedIds(mailbox);
      await look();
      const cursor = (await mailbox.getProfile(interactive)).historyId;
      expect(await views()).toEqual(['Projects']);
      server.unlink('Customers');
      await look();
      expect(await views()).toEqual([]);
      expect(await userLabels()).toEqual(['Projects']);
      expect(await listedIds(mailbox)).toHaveLength(2);
      const { changes } = await mailbox.listChanges(cursor, undefined, interactive);
      expect(changes.filter(({ kind }) => kind !== 'labels')).toEqual([]);
    });
  });

  describe('not recognized', () => {
    beforeEach(() => {
      jest.spyOn(ImapViews.prototype, 'recognizeVirtual').mockResolvedValue(false);
      jest.spyOn(ImapViews.prototype, 'recognizeTwins').mockResolvedValue();
    });
    afterEach(() => jest.restoreAllMocks());

    it('should lose no message when its label is removed or added, or messages are moved there', async () => {
      await begin({ layout: VIRTUAL_FOLDERS }, async () => {
        await fill('INBOX', 1, 2);
        await fill('Bills', 3);
      });
      const [first = ''] = await listedIds(mailbox, 'subject:"Message 1"');
      const [third = ''] = await listedIds(mailbox, 'subject:"Message 3"');
      const all = await labelNamed('Virtual/All');
      for (const action of ['unlabel', 'move', 'label']) await bulk(action, [first, third], all);
      const subjects = Object.values(await found()).flat();
      expect([...new Set(subjects)].sort()).toEqual(['Message 1', 'Message 2', 'Message 3']);
    });

    it('should not be emptied before it is deleted', async () => {
      await begin({ layout: VIRTUAL_FOLDERS }, async () => {
        await fill('INBOX', 1, 2);
        await fill('Bills', 3);
      });
      await listedIds(mailbox);
      const all = await labelNamed('Virtual/All');
      await mailbox.deleteLabel(all, interactive).catch(() => undefined);
      const { INBOX = [], Archive = [], Bills = [] } = await found();
      expect([...INBOX, ...Archive, ...Bills].sort()).toEqual(['Message 1', 'Message 2', 'Message 3']);
      expect(Archive.length).toBeLessThanOrEqual(2);
    });

    it.each(['Projects', 'Customers'])(
      'should lose no message when the label %s is removed',
      async (name) => {
        await begin({}, async () => {
          await fill('Projects', 1, 2);
          server.link('Projects', 'Customers');
        });
        const [first = ''] = await listedIds(mailbox, 'subject:"Message 1"');
        const job = await bulk('unlabel', [first], await labelNamed(name));
        expect(job).toMatchObject({ status: 'completed', result: { changed: 1, refused: 0 } });
        expect(await found()).toMatchObject({ Archive: ['Message 1'], Projects: ['Message 2'] });
        expect(await labelsOf(mailbox, first)).toEqual([]);
      },
    );
  });

  describe('by its figures alone', () => {
    it('should be a folder as long as its messages differ', async () => {
      await begin({}, async () => {
        await fill('Projects', 1, 2);
        server.duplicate('Projects', 'Customers', (raw) =>
          Buffer.from(raw.toString('latin1').replace('Message-ID: <m', 'Message-ID: <n'), 'latin1'),
        );
      });
      expect(await listedIds(mailbox)).toHaveLength(4);
      await look();
      const folders: { uidValidity: string; role: string }[] = await sut.dataSource.query(
        `SELECT uid_validity AS "uidValidity", role FROM imap_folders WHERE account_id = $1 AND path IN ('Projects', 'Customers')`,
        [accountId],
      );
      expect(new Set(folders.map(({ uidValidity }) => uidValidity)).size).toBe(1);
      expect(await views()).toEqual([]);
      expect(await userLabels()).toEqual(['Customers', 'Projects']);
    });
  });
});
