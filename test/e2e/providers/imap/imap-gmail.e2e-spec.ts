import {
  type CallOptions,
  type MailboxProvider,
  MailboxProviders,
} from '../../../../src/providers/port/mailbox-provider.port';
import { ImapConnections } from '../../../../src/providers/imap/session/imap-connections';
import { ProviderRateLimited } from '../../../../src/providers/port/mail-provider.errors';
import { startTestApp, type TestApp } from '../../../support/app';
import { GmailImapServer } from '../../../support/imap/gmail/gmail-imap-server';
import type { GmailMessage, NewGmailMessage } from '../../../support/imap/gmail/gmail-mailbox';
import { changesSince, labelsOf, listedIds, listedSubjects } from '../../../support/imap/listed-messages';
import { plainMail } from '../../../support/imap/plain-mail';
import { addPlainMail, connectGmailImap, gmailConnection } from '../../../support/peers/gmail-imap-peer';
import type { TestUser } from '../../../support/test-user';

const interactive: CallOptions = { priority: 'interactive' };
const MAILBOX_ROUTE = '/api/auth/mailbox/imap';

describe('Gmail with an app password', () => {
  let sut: TestApp;
  let server: GmailImapServer;
  let user: TestUser;

  beforeAll(async () => {
    sut = await startTestApp();
  });
  afterAll(() => sut?.close());
  beforeEach(async () => {
    server = await GmailImapServer.start();
    user = await sut.user();
  });
  afterEach(() => server.stop());

  const add = (number: number, more: Partial<NewGmailMessage> = {}): GmailMessage =>
    addPlainMail(server, number, more);

  describe('connecting', () => {
    it('should be connected with folders whose roles are fixed', async () => {
      const { body: test } = await user.api.post(`${MAILBOX_ROUTE}/test`, gmailConnection(server));
      expect(test).toMatchObject({ success: true, rolesFixed: true });
      const { status, body } = await user.api.post(MAILBOX_ROUTE, gmailConnection(server));
      expect(status).toBe(201);
      const roles = body.imap.folders.map(({ path, role }: { path: string; role: string }) => [path, role]);
      expect(new Map(roles)).toEqual(
        new Map([
          ['[Gmail]', 'ignored'],
          ['[Gmail]/All Mail', 'archive'],
          ['[Gmail]/Spam', 'junk'],
          ['[Gmail]/Trash', 'trash'],
          ['INBOX', 'inbox'],
          ['[Gmail]/Sent Mail', 'sent'],
          ['[Gmail]/Important', 'ignored'],
          ['[Gmail]/Drafts', 'drafts'],
          ['[Gmail]/Starred', 'ignored'],
        ]),
      );
      const changed = await user.api.patch(`/api/auth/mailbox/${body.id}/imap`, {
        roles: { '[Gmail]/Spam': 'trash' },
      });
      expect(changed).toMatchObject({ status: 400, body: { errors: [{ field: 'roles' }] } });
    });

    it('should not be connected while All Mail is hidden', async () => {
      server.mailbox.hide('[Gmail]/All Mail');
      const { status, body } = await user.api.post(MAILBOX_ROUTE, gmailConnection(server));
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { code: 'imap-use-google', errors: [{ field: 'host' }] },
      });
    });

    it('should not be connected twice, with Google and by IMAP', async () => {
      const email = 'twice-1@sandbox.mailroom.test';
      await user.connect(email);
      const { status, body } = await user.api.post(MAILBOX_ROUTE, {
        ...gmailConnection(server),
        email,
        username: server.user,
      });
      expect({ status, body }).toMatchObject({ status: 409, body: { code: 'mailbox-connected-otherwise' } });
    });

    it('should not mistake a server for Gmail that offers only a part of the extension', async () => {
      server.misbehave = (command, socket, tag) => {
        if (!command.includes('FETCH') || !command.includes('X-GM-MSGID')) return undefined;
        socket.write(`* 1 FETCH (UID 1 FLAGS ())\r\n${tag} OK done\r\n`);
        return true;
      };
      add(1);
      const { body } = await user.api.post(`${MAILBOX_ROUTE}/test`, gmailConnection(server));
      expect(body).toMatchObject({ success: true, rolesFixed: false });
    });
  });

  describe('a mailbox', () => {
    let mailbox: MailboxProvider;
    let accountId: string;
    let cursor: string;

    const connect = async (): Promise<void> => {
      accountId = await connectGmailImap(user, server);
      mailbox = sut.app
        .get(MailboxProviders)
        .forAccount({ id: accountId, userId: user.id, email: server.user, provider: 'imap' });
      await listedIds(mailbox, 'in:anywhere');
      cursor = (await mailbox.getProfile(interactive)).historyId;
      server.said.length = 0;
    };
    const idOf = ({ id }: GmailMessage): string => id.toString(16);
    const label = async (name: string): Promise<string> => {
      const found = (await mailbox.listLabels(interactive)).find((one) => one.name === name);
      if (!found) throw new Error(`There is no label ${name}`);
      return found.id;
    };

    it('should list each message once, under the ids of the Gmail API, with its labels', async () => {
      server.mailbox.createLabel('Work/Zürich');
      const sent = add(1, {
        labels: ['\\Sent', '\\Important', 'Work/Zürich'],
        flags: ['\\Seen', '\\Flagged'],
      });
      const received = add(2, { labels: ['\\Inbox', 'Work/Zürich'] });
      const spam = add(3, { place: 'spam', labels: [] });
      await connect();
      expect(await listedIds(mailbox)).toEqual([received, sent].map(idOf));
      expect(await listedIds(mailbox, 'in:anywhere')).toEqual([spam, received, sent].map(idOf));
      const work = await label('Work/Zürich');
      expect(await labelsOf(mailbox, idOf(sent))).toEqual([work, 'IMPORTANT', 'SENT', 'STARRED'].sort());
      expect(await labelsOf(mailbox, idOf(received))).toEqual([work, 'INBOX', 'UNREAD'].sort());
      expect(await labelsOf(mailbox, idOf(spam))).toEqual(['SPAM', 'UNREAD']);
      expect(await listedSubjects(mailbox, 'label:work/zürich')).toEqual(['Message 2', 'Message 1']);
      const { messages } = await mailbox.listMessages({ maxResults: 1 }, interactive);
      expect(messages[0]?.threadId).toBe(received.threadId.toString(16));
      const counted = await mailbox.listLabels({ ...interactive, withCounts: true });
      expect(counted.find(({ id }) => id === work)).toMatchObject({ messagesTotal: 2, messagesUnread: 1 });
    });

    it('should see another client’s changes, with three commands for one change', async () => {
      const message = add(1);
      add(2, { flags: ['\\Seen'] });
      await connect();
      server.mailbox.label([message], '-', ['\\Inbox']);
      expect(await changesSince(mailbox, cursor)).toEqual(['labels -INBOX']);
      expect(
        server.said.map((line) =>
          line
            .split(' ', 2)
            .join(' ')
            .replace(/ [("\d].*/, ''),
        ),
      ).toEqual(['LIST', 'SELECT', 'UID FETCH']);
      const { historyId } = await mailbox.getProfile(interactive);
      server.mailbox.move([message], 'trash');
      expect(await changesSince(mailbox, historyId)).toEqual(['labels +TRASH']);
    });

    it('should see label changes that leave the mod-sequence of All Mail unchanged', async () => {
      const message = add(1);
      await connect();
      server.mailbox.labelsCount = false;
      server.mailbox.label([message], '+', ['Later']);
      const [change] = await changesSince(mailbox, cursor);
      expect(change).toBe(`labels +${await label('Later')}`);
    });

    it('should keep a label that is renamed, and one that is hidden from IMAP', async () => {
      const message = add(1, { labels: ['Bills', 'Hidden'] });
      server.mailbox.createLabel('Bills');
      await connect();
      const [bills, hidden] = [await label('Bills'), await label('Hidden')];
      server.mailbox.renameLabel('Bills', 'Invoices');
      expect(await label('Invoices')).toBe(bills);
      expect(await labelsOf(mailbox, idOf(message))).toEqual([bills, hidden, 'UNREAD'].sort());
      server.mailbox.createLabel('Bills');
      expect(await label('Bills')).not.toBe(bills);
      server.mailbox.label([message], '-', ['Hidden']);
      await listedIds(mailbox);
      await expect(label('Hidden')).rejects.toThrow('no label');
    });

    it('should move to the trash and back with the users’ labels', async () => {
      const message = add(1, { labels: ['\\Inbox', 'Kept'], flags: ['\\Seen'] });
      server.mailbox.createLabel('Kept');
      await connect();
      const kept = await label('Kept');
      await mailbox.trash([idOf(message)], interactive);
      expect(message).toMatchObject({ place: 'trash', labels: new Set(['Kept']) });
      expect(await labelsOf(mailbox, idOf(message))).toEqual([kept, 'TRASH'].sort());
      await mailbox.modify([idOf(message)], { add: ['INBOX'], remove: ['TRASH'] }, interactive);
      expect(message).toMatchObject({ place: 'all', labels: new Set(['Kept', '\\Inbox']) });
      expect(await labelsOf(mailbox, idOf(message))).toEqual([kept, 'INBOX'].sort());
    });

    it('should delete permanently by way of the trash, and never from All Mail', async () => {
      const [doomed, spam, other] = [add(1), add(2, { place: 'spam', labels: [] }), add(3)];
      // Marked by somebody else, who has not made up their mind.
      const marked = add(4, { place: 'trash', labels: [], flags: ['\\Deleted'] });
      await connect();
      await mailbox.delete([idOf(doomed), idOf(spam)], interactive);
      expect([...server.mailbox.messages].map(idOf)).toEqual([other, marked].map(idOf));
      const selected: string[] = [];
      for (const line of server.said) {
        if (line.startsWith('SELECT')) selected.push(line);
        if (line.includes('EXPUNGE')) expect(selected.at(-1)).toMatch(/Trash|Spam/);
      }
      expect(
        (await changesSince(mailbox, cursor)).filter((change) => change.startsWith('deleted')),
      ).toHaveLength(2);
    });

    it('should refuse to set labels that Gmail decides, and labels that do not exist', async () => {
      const message = add(1);
      await connect();
      const change = (labels: readonly string[]): Promise<void> =>
        mailbox.modify([idOf(message)], { add: labels, remove: [] }, interactive);
      await expect(change(['SENT'])).rejects.toMatchObject({ reason: 'invalidArgument' });
      await expect(change(['Folder_unknown'])).rejects.toThrow();
      server.mailbox.hide('[Gmail]/Trash');
      await mailbox.getProfile(interactive);
      await expect(mailbox.trash([idOf(message)], interactive)).rejects.toThrow('Show in IMAP');
      expect(message).toMatchObject({ place: 'all', labels: new Set(['\\Inbox']) });
    });

    it('should delete a label and none of its messages', async () => {
      const message = add(1, { labels: ['Old'] });
      server.mailbox.createLabel('Old');
      await connect();
      await mailbox.deleteLabel(await label('Old'), interactive);
      expect(await listedIds(mailbox)).toEqual([idOf(message)]);
      expect(message.labels).toEqual(new Set());
    });

    it('should restore a message with its labels, and only once', async () => {
      server.mailbox.createLabel('Trips');
      await connect();
      const trips = await label('Trips');
      const insert = { bytes: plainMail(5), labelIds: ['INBOX', 'STARRED', 'IMPORTANT', trips] };
      const { id } = await mailbox.insert(insert, interactive);
      expect(await labelsOf(mailbox, id)).toEqual([trips, 'IMPORTANT', 'INBOX', 'STARRED'].sort());
      const [message] = server.mailbox.messages;
      expect(message).toMatchObject({ place: 'all', labels: new Set(['\\Inbox', '\\Important', 'Trips']) });
      expect((await mailbox.fetchRaw(id, interactive)).bytes.equals(plainMail(5))).toBe(true);
      expect((await mailbox.insert(insert, interactive)).id).toBe(id);
      expect(server.mailbox.messages.size).toBe(1);
    });

    it('should pause jobs when most of the bytes of a day have been sent', async () => {
      await connect();
      await sut.dataSource.query(
        `INSERT INTO provider_usage (account_id, minute, endpoint, units, calls, sent_bytes)
         VALUES ($1, date_trunc('minute', now()), 'APPEND', 1, 1, 410000000)`,
        [accountId],
      );
      await expect(mailbox.getProfile({ priority: 'background' })).rejects.toBeInstanceOf(
        ProviderRateLimited,
      );
    });

    it('should pause jobs when most of the bytes of a day have been read, while users continue', async () => {
      add(1);
      await connect();
      const spend = (minutesAgo: number, bytes: number): Promise<unknown> =>
        sut.dataSource.query(
          `INSERT INTO provider_usage (account_id, minute, endpoint, units, calls, received_bytes)
           VALUES ($1, date_trunc('minute', now()) - make_interval(mins => $2), 'FETCH', 1, 1, $3)`,
          [accountId, minutesAgo, bytes],
        );
      await spend(25 * 60, 2_400_000_000);
      await spend(23 * 60, 1_500_000_000);
      await spend(2, 600_000_000);
      const read = (priority: CallOptions['priority']): Promise<unknown> => mailbox.getProfile({ priority });
      const refusal = await read('background').catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(ProviderRateLimited);
      const waits = (refusal as ProviderRateLimited).retryAt.getTime() - Date.now();
      expect(waits / 60_000).toBeCloseTo(61, -1);
      await read('interactive');
      const { limits, usage } = (await user.api.get(`/api/quota/${accountId}`)).body;
      expect(limits).toMatchObject({ receivedBytesPerDay: 2_500_000_000, sentBytesPerDay: 500_000_000 });
      // What was really read is counted as well.
      expect(usage.last24h.receivedBytes).toBeGreaterThan(2_100_000_500);
      expect(usage.last24h.sentBytes).toBeGreaterThan(100);
    });

    it('should not report messages as gone that exceed a limit of IMAP folders', async () => {
      const messages = Array.from({ length: 1_000 }, (_, index) => add(index + 1));
      await connect();
      const [oldest] = messages;
      server.mailbox.remove([oldest!]);
      add(1_001);
      expect(await changesSince(mailbox, cursor)).toEqual(['added']);
      expect((await mailbox.getProfile(interactive)).messagesTotal).toBe(1_001);
      server.said.length = 0;
      await mailbox.getProfile(interactive);
      expect(server.said.filter((line) => line.includes('FETCH'))).toEqual([]);
      // Without the limit it is what it seems.
      server.mailbox.remove([messages[1]!]);
      await changesSince(mailbox, cursor);
      expect((await mailbox.getProfile(interactive)).messagesTotal).toBe(999);
    });

    it('should report nothing as deleted when users hide folders from IMAP', async () => {
      const message = add(1);
      const spam = add(2, { place: 'spam', labels: [] });
      await connect();
      const [all, junk] = ['[Gmail]/All Mail', '[Gmail]/Spam'].map((path) => server.mailbox.hide(path));
      await expect(changesSince(mailbox, cursor)).rejects.toThrow('does not show the folder All Mail');
      server.mailbox.folders.push(all!);
      expect(await changesSince(mailbox, cursor)).toEqual([]);
      expect(await labelsOf(mailbox, idOf(spam))).toEqual(['SPAM', 'UNREAD']);
      const incomplete = await sut.dataSource.query(
        'SELECT path FROM imap_folders WHERE account_id = $1 AND uid_validity > 0 AND NOT is_complete',
        [accountId],
      );
      expect(incomplete).toEqual([{ path: '[Gmail]/Spam' }]);
      server.mailbox.folders.push(junk!);
      expect(await changesSince(mailbox, cursor)).toEqual([]);
      expect(await labelsOf(mailbox, idOf(message))).toEqual(['INBOX', 'UNREAD']);
    });

    it('should lose no label when the server temporarily does not offer them', async () => {
      const message = add(1, { labels: ['\\Inbox', '\\Important'] });
      await connect();
      const { capability } = server;
      server.capability = capability.replace('X-GM-EXT-1 ', '');
      const connections = sut.app.get(ImapConnections);
      await connections.close(accountId);
      await expect(
        mailbox.getProfile({ ...interactive, signal: AbortSignal.timeout(2_000) }),
      ).rejects.toThrow();
      server.capability = capability;
      expect(await labelsOf(mailbox, idOf(message))).toEqual(['IMPORTANT', 'INBOX', 'UNREAD']);
    });
  });
});
