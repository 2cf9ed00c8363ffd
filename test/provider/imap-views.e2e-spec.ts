import {
  type CallOptions,
  type MailboxProvider,
  MailboxProviders,
} from '../../src/mail-provider/mailbox-provider.port';
import { startTestApp, type TestApp } from '../support/app';
import { connectImap } from '../support/imap/connected-account';
import { VIRTUAL_FOLDERS } from '../support/imap/dovecot-layouts';
import { TestImapServer, type TestImapOptions } from '../support/imap/imap-server';
import { labelsOf, listedIds } from '../support/imap/listed-messages';
import { arrivalOf, plainMail } from '../support/imap/plain-mail';
import type { TestUser } from '../support/test-user';

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
    sut = await startTestApp({ own: true });
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
    it('should lose no message when its label is removed or given, or messages are moved there', async () => {
      await beginVirtual();
      const [first = ''] = await listedIds(mailbox, 'subject:"Message 1"');
      const [third = ''] = await listedIds(mailbox, 'subject:"Message 3"');
      const labels = await mailbox.listLabels(interactive);
      for (const { id } of labels.filter(({ name }) => name.startsWith('Virtual/')))
        for (const action of ['unlabel', 'move', 'label']) await bulk(action, [first, third], id);
      const subjects = Object.values(await found()).flat();
      expect([...new Set(subjects)].sort()).toEqual(['Message 1', 'Message 2', 'Message 3']);
    });

    it('should not be emptied to be deleted', async () => {
      await beginVirtual();
      await listedIds(mailbox);
      const labels = await mailbox.listLabels(interactive);
      for (const { id } of labels.filter(({ name }) => name.startsWith('Virtual/')))
        await mailbox.deleteLabel(id, interactive).catch(() => undefined);
      const { INBOX = [], Archive = [], Bills = [] } = await found();
      expect([...INBOX, ...Archive, ...Bills].sort()).toEqual(['Message 1', 'Message 2', 'Message 3']);
      expect(Archive.length).toBeLessThanOrEqual(2);
    });
  });

  describe('by a symbolic link', () => {
    const beginLinked = (): Promise<void> =>
      begin({}, async () => {
        await fill('Projects', 1, 2);
        server.link('Projects', 'Customers');
      });

    it.each(['Projects', 'Customers'])(
      'should lose no message when the label %s is removed',
      async (name) => {
        await beginLinked();
        const [first = ''] = await listedIds(mailbox, 'subject:"Message 1"');
        const job = await bulk('unlabel', [first], await labelNamed(name));
        expect(job).toMatchObject({ status: 'completed', result: { changed: 1, refused: 0 } });
        expect(await found()).toMatchObject({ Archive: ['Message 1'], Projects: ['Message 2'] });
        expect(await labelsOf(mailbox, first)).toEqual([]);
      },
    );
  });
});
