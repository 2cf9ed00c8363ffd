import {
  MailboxProviders,
  type CallOptions,
  type MailboxProvider,
} from '../../../../src/providers/port/mailbox-provider.port';
import { Transactions } from '../../../../src/platform/database/transactions';
import { ImapHistoryRepository } from '../../../../src/providers/imap/store/imap-history.repository';
import { ImapPlacesRepository } from '../../../../src/providers/imap/store/imap-places.repository';
import { ImapSync } from '../../../../src/providers/imap/sync/imap-sync';
import { ImapWrites } from '../../../../src/providers/imap/writes/imap-writes';
import { startTestApp, type TestApp } from '../../../support/app';
import { connectImap } from '../../../support/imap/connected-account';
import { TestImapServer } from '../../../support/imap/imap-server';
import {
  changesSince,
  labelsOf as messageLabels,
  listedIds,
  listedSubjects,
} from '../../../support/imap/listed-messages';
import { arrivalOf, plainMail } from '../../../support/imap/plain-mail';
import type { TestUser } from '../../../support/test-user';

const interactive: CallOptions = { priority: 'interactive' };

describe('A mailbox on an IMAP server', () => {
  let sut: TestApp;
  let user: TestUser;
  let server: TestImapServer;
  let accountId: string;
  let mailbox: MailboxProvider;

  beforeAll(async () => {
    sut = await startTestApp();
  });
  afterAll(() => sut?.close());

  beforeEach(async () => {
    server = await TestImapServer.start();
    user = await sut.user();
    accountId = await connectImap(sut, user, server);
    mailbox = sut.app
      .get(MailboxProviders)
      .forAccount({ id: accountId, userId: user.id, email: server.user, provider: 'imap' });
  });
  afterEach(async () => {
    await user.api.delete(`/api/mailbox/accounts/${accountId}`);
    await server.stop();
  });

  const fill = (folder: string, numbers: readonly number[], flags: readonly string[] = []): Promise<void> =>
    server.append(
      folder,
      numbers.map((number) => ({ raw: plainMail(number), receivedAt: arrivalOf(number), flags })),
    );
  const numbers = (from: number, to: number): number[] =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const ids = (query = '', labelIds: readonly string[] = []): Promise<string[]> =>
    listedIds(mailbox, query, labelIds);
  const subjects = (query = '', labelIds: readonly string[] = []): Promise<string[]> =>
    listedSubjects(mailbox, query, labelIds);
  const idOf = async (subject: string): Promise<string> =>
    (await ids(`subject:"${subject}" in:anywhere`))[0] ?? '';
  const labelsOf = (id: string): Promise<readonly string[] | undefined> => messageLabels(mailbox, id);
  /** Subjects in a folder, as another client sees it. */
  const inFolder = (folder: string): Promise<string[]> =>
    server.session(async (client) => {
      await client.mailboxOpen(folder, { readOnly: true });
      const found: string[] = [];
      if ((client.mailbox as { exists: number }).exists === 0) return [];
      for await (const { envelope } of client.fetch('1:*', { envelope: true }))
        found.push(envelope?.subject ?? '');
      return found.sort();
    });
  const changes = (cursor: string): Promise<string[]> => changesSince(mailbox, cursor);
  const cursor = async (): Promise<string> => (await mailbox.getProfile(interactive)).historyId;

  describe('reads', () => {
    it('should list the newest messages first, page by page, each once', async () => {
      await fill('INBOX', numbers(1, 130));
      await fill('Archive', numbers(131, 140));
      expect(await subjects()).toEqual(
        numbers(1, 140)
          .reverse()
          .map((number) => `Message ${number}`),
      );
      const profile = await mailbox.getProfile(interactive);
      expect(profile).toMatchObject({ emailAddress: server.user, messagesTotal: 140, threadsTotal: 140 });
    });

    it('should return every byte of messages of any size', async () => {
      const large = plainMail(2, { body: 'x'.repeat(9 * 1024 * 1024) });
      const awkward = Buffer.concat([plainMail(3), Buffer.from([0xff, 0x80, 0x0d, 0x0a])]);
      await server.append('INBOX', [plainMail(1), large, awkward]);
      const found = await ids();
      const raws = await Promise.all(found.map((id) => mailbox.fetchRaw(id, interactive)));
      const sent = [plainMail(1), large, awkward].map((bytes) => bytes.toString('latin1')).sort();
      expect(raws.map(({ bytes }) => bytes.toString('latin1')).sort()).toEqual(sent);
      expect(raws.every(({ labelIds }) => labelIds.includes('INBOX'))).toBe(true);
    });

    it('should return the beginnings of texts, and read each once', async () => {
      await server.append('INBOX', [
        plainMail(1, { body: 'Tea & cake at four, ' + 'and more '.repeat(10_000) }),
        plainMail(2, { body: '' }),
      ]);
      await fill('Projects', [3]);
      const found = await ids();
      const read = async (): Promise<string[]> => {
        const { body } = await user.api.post(`/api/mailbox/${accountId}/messages/batch`, { ids: found });
        return body.map(({ snippet }: { snippet: string }) => snippet.slice(0, 18)).sort();
      };
      const fetches = async (): Promise<number> => {
        const { body } = await user.api.get(`/api/quota/${accountId}`);
        return body.topEndpoints.find(({ endpoint }: { endpoint: string }) => endpoint === 'FETCH').calls;
      };
      expect(await read()).toEqual(['', 'Body 3', 'Tea & cake at four']);
      const before = await fetches();
      expect(await read()).toEqual(['', 'Body 3', 'Tea & cake at four']);
      expect(await fetches()).toBe(before);
    });

    it('should list attachments, and return their content', async () => {
      const content = Buffer.from('%PDF-1.4 facture');
      const raw = Buffer.from(
        'Message-ID: <a@imap.test>\r\nFrom: =?utf-8?q?=C3=89lodie?= <e@x.example>\r\nSubject: Facture\r\nMIME-Version: 1.0\r\n' +
          'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nVoici\r\n--b\r\n' +
          `Content-Type: application/pdf\r\nContent-Disposition: attachment; filename*=utf-8''Re%C3%A7u.pdf\r\n` +
          `Content-Transfer-Encoding: base64\r\n\r\n${content.toString('base64')}\r\n--b--\r\n`,
      );
      await server.append('INBOX', [raw]);
      const [id = ''] = await ids('has:attachment filename:pdf');
      for await (const [message] of mailbox.fetchMetadata([id], interactive)) {
        expect(message).toMatchObject({
          from: 'Élodie <e@x.example>',
          subject: 'Facture',
          hasAttachments: true,
        });
        expect(message!.parts).toMatchObject([
          { partId: '2', filename: 'Reçu.pdf', mimeType: 'application/pdf' },
        ]);
      }
      expect(await mailbox.downloadPart(id, '2', interactive)).toEqual({
        filename: 'Reçu.pdf',
        mimeType: 'application/pdf',
        bytes: content,
      });
      await expect(mailbox.downloadPart(id, '7', interactive)).rejects.toMatchObject({
        code: 'attachment-not-found',
      });
      expect(await mailbox.fetchFull(id, interactive)).toMatchObject({
        id,
        payload: { mimeType: 'multipart/mixed' },
      });
    });

    it('should show labels by folders and flags, with counts', async () => {
      await fill('INBOX', [1, 2], ['\\Seen']);
      await fill('INBOX', [3], ['\\Flagged']);
      await fill('Travel/2024', [4], ['\\Seen']);
      await fill('Sent', [5], ['\\Seen']);
      const labels = await mailbox.listLabels({ ...interactive, withCounts: true });
      const counted = Object.fromEntries(labels.map(({ name, messagesTotal }) => [name, messagesTotal]));
      expect(counted).toMatchObject({ INBOX: 3, SENT: 1, 'Travel/2024': 1, UNREAD: 1, STARRED: 1 });
      const travel = labels.find(({ name }) => name === 'Travel/2024');
      expect(travel).toMatchObject({ type: 'user', id: expect.stringMatching(/^Folder_[\w-]{16}$/) });
      expect(await subjects('', [travel!.id])).toEqual(['Message 4']);
      expect(await mailbox.getLabel('INBOX', interactive)).toMatchObject({
        messagesTotal: 3,
        messagesUnread: 1,
      });
      await expect(mailbox.getLabel('Folder_nowhere', interactive)).rejects.toMatchObject({
        code: 'label-not-found',
      });
    });

    it('should have the same id for a message wherever it is copied or moved', async () => {
      await fill('INBOX', [1]);
      const [id] = await ids();
      await server.session(async (client) => {
        await client.mailboxCreate('Copies');
        await client.mailboxOpen('INBOX');
        await client.messageCopy('1:*', 'Copies');
      });
      expect(await ids()).toEqual([id]);
      await server.session(async (client) => {
        await client.mailboxOpen('INBOX');
        await client.messageMove('1:*', 'Archive').catch(() => undefined);
      });
      expect(await ids()).toEqual([id]);
    });

    it('should distinguish two identical messages', async () => {
      await server.append('INBOX', [plainMail(1), plainMail(1)]);
      const found = await ids();
      expect(found).toHaveLength(2);
      expect(new Set(found.map((id) => id.split('~')[0])).size).toBe(1);
    });
  });

  describe('the history', () => {
    it('should report the changes of another client, and nothing else', async () => {
      await fill('INBOX', [1, 2, 3], ['\\Seen']);
      await ids();
      const before = await cursor();
      expect(await changes(before)).toEqual([]);
      await fill('INBOX', [4]);
      expect(await changes(before)).toEqual(['added']);
      const then = await cursor();
      await server.session(async (client) => {
        await client.mailboxOpen('INBOX');
        await client.messageFlagsAdd('1', ['\\Flagged']);
        await client.messageFlagsRemove('2', ['\\Seen']);
      });
      expect((await changes(then)).sort()).toEqual(['labels +STARRED', 'labels +UNREAD']);
      const later = await cursor();
      await server.session(async (client) => {
        await client.mailboxCreate('Kept');
        await client.mailboxOpen('INBOX');
        await client.messageMove('3', 'Kept');
        await client.messageDelete('1');
      });
      const told = await changes(later);
      const kept = (await mailbox.listLabels(interactive)).find(({ name }) => name === 'Kept')?.id;
      expect(told.sort()).toEqual(['deleted', `labels +${kept} -INBOX`]);
    });

    it('should keep ids and report nothing when UIDs change', async () => {
      await fill('INBOX', numbers(1, 30));
      const before = await ids();
      const then = await cursor();
      await server.halt();
      server.renewUidValidity('INBOX');
      await server.run();
      expect(await ids()).toEqual(before);
      expect(await changes(then)).toEqual([]);
    });

    it('should recognise a folder that was renamed', async () => {
      await fill('Old', numbers(1, 5));
      const labels = await mailbox.listLabels(interactive);
      const id = labels.find(({ name }) => name === 'Old')?.id;
      await ids();
      const then = await cursor();
      await server.session((client) => client.mailboxRename('Old', 'New'));
      const renamed = await mailbox.listLabels(interactive);
      expect(renamed.find(({ name }) => name === 'New')?.id).toBe(id);
      expect(await changes(then)).toEqual([]);
    });

    it('should not accept cursors that it never issued', async () => {
      await ids();
      await expect(mailbox.listChanges('999999', undefined, interactive)).rejects.toMatchObject({
        code: 'cursor-invalid',
      });
    });
  });

  describe('changes', () => {
    it('should mark messages, and report it', async () => {
      await fill('INBOX', [1, 2]);
      const found = await ids();
      const then = await cursor();
      await mailbox.modify(found, { add: ['STARRED'], remove: ['UNREAD'] }, interactive);
      expect(await changes(then)).toEqual(['labels +STARRED -UNREAD', 'labels +STARRED -UNREAD']);
      await mailbox.modify(found, { add: ['UNREAD'], remove: ['STARRED'] }, interactive);
      expect(await labelsOf(found[0]!)).toEqual(['INBOX', 'UNREAD']);
    });

    it('should move messages to the trash and back to where they were', async () => {
      await fill('Travel', [1, 2], ['\\Seen']);
      const [first = '', second = ''] = await ids();
      await mailbox.trash([first], interactive);
      await ids();
      expect(await labelsOf(first)).toEqual(['TRASH']);
      expect(await inFolder('Trash')).toEqual(['Message 2']);
      await mailbox.modify([first], { add: [], remove: ['TRASH'] }, interactive);
      await ids();
      expect(await labelsOf(first)).toEqual(await labelsOf(second));
      expect(await inFolder('Travel')).toEqual(['Message 1', 'Message 2']);
    });

    it('should archive the last copy rather than lose it', async () => {
      await fill('INBOX', [1], ['\\Seen']);
      const [id = ''] = await ids();
      await mailbox.modify([id], { add: [], remove: ['INBOX'] }, interactive);
      expect(await inFolder('INBOX')).toEqual([]);
      expect(await inFolder('Archive')).toEqual(['Message 1']);
      await ids();
      expect(await labelsOf(id)).toEqual([]);
      await mailbox.modify([id], { add: ['INBOX'], remove: [] }, interactive);
      expect(await inFolder('INBOX')).toEqual(['Message 1']);
      expect(await inFolder('Archive')).toEqual([]);
    });

    it('should add and remove labels, and copy nothing twice', async () => {
      await fill('INBOX', [1], ['\\Seen']);
      const [id = ''] = await ids();
      const { id: label } = await mailbox.createLabel('Bills/2024', interactive);
      await mailbox.modify([id], { add: [label], remove: [] }, interactive);
      await mailbox.modify([id], { add: [label], remove: [] }, interactive);
      expect(await inFolder('Bills/2024')).toEqual(['Message 1']);
      await ids();
      expect(await labelsOf(id)).toEqual([label, 'INBOX'].sort());
      await mailbox.modify([id], { add: [], remove: [label] }, interactive);
      expect(await inFolder('Bills/2024')).toEqual([]);
      expect(await inFolder('INBOX')).toEqual(['Message 1']);
    });

    it('should permanently delete only the requested messages, not those that others have marked', async () => {
      await fill('INBOX', [1, 2, 3]);
      await server.session(async (client) => {
        await client.mailboxOpen('INBOX');
        await client.messageFlagsAdd('2', ['\\Deleted']);
      });
      const id = await idOf('Message 1');
      const then = await cursor();
      await mailbox.delete([id, 'i1.unknown'], interactive);
      expect(await inFolder('INBOX')).toEqual(['Message 2', 'Message 3']);
      expect((await changes(then)).map((change) => change.split(' ')[0])).toEqual(['deleted']);
    });

    it('should delete a label and keep its messages', async () => {
      await fill('Old/List', [1, 2]);
      await fill('INBOX', [1]);
      await ids();
      const labels = await mailbox.listLabels(interactive);
      await mailbox.deleteLabel(labels.find(({ name }) => name === 'Old/List')!.id, interactive);
      expect(await inFolder('Archive')).toEqual(['Message 1', 'Message 2']);
      expect(await inFolder('INBOX')).toEqual(['Message 1']);
      expect(await subjects()).toEqual(['Message 2', 'Message 1']);
      await expect(mailbox.deleteLabel('INBOX', interactive)).rejects.toMatchObject({
        code: 'label-protected',
      });
      await expect(mailbox.deleteLabel('Folder_none', interactive)).rejects.toMatchObject({
        code: 'label-not-found',
      });
      await expect(mailbox.createLabel('a*b', interactive)).rejects.toMatchObject({
        code: 'provider-rejected',
      });
    });

    it('should not delete a folder with a message that arrived while it was emptied', async () => {
      await fill('Old', [1, 2]);
      await ids();
      const id = (await mailbox.listLabels(interactive)).find(({ name }) => name === 'Old')!.id;
      const writes = sut.app.get(ImapWrites);
      const leaveFolder = writes.removeFromFolder.bind(writes);
      const emptied = jest.spyOn(writes, 'removeFromFolder').mockImplementation(async (...given) => {
        await leaveFolder(...given);
        await fill('Old', [3]);
      });
      await expect(mailbox.deleteLabel(id, interactive)).rejects.toMatchObject({ code: 'provider-rejected' });
      emptied.mockRestore();
      expect(await inFolder('Old')).toEqual(['Message 3']);
      expect(await inFolder('Archive')).toEqual(['Message 1', 'Message 2']);
    });

    it('should add messages with their labels and their date', async () => {
      const { id: label } = await mailbox.createLabel('Restored', interactive);
      const added = await mailbox.insert({ bytes: plainMail(7), labelIds: [label, 'STARRED'] }, interactive);
      expect(await ids()).toEqual([added.id]);
      expect(await labelsOf(added.id)).toEqual([label, 'STARRED'].sort());
      const { bytes, internalDate } = await mailbox.fetchRaw(added.id, interactive);
      expect(bytes).toEqual(plainMail(7));
      expect(internalDate).toEqual(arrivalOf(7));
    });

    it('should refuse to change messages in Sent', async () => {
      await fill('Sent', [1]);
      const [id = ''] = await ids('in:sent');
      await expect(mailbox.modify([id], { add: [], remove: ['SENT'] }, interactive)).rejects.toMatchObject({
        code: 'provider-rejected',
        status: 400,
      });
    });
  });

  describe('a message in several folders', () => {
    const lie = async (...folders: readonly string[]): Promise<string> => {
      for (const folder of folders) await fill(folder, [1], ['\\Seen']);
      return (await ids('in:anywhere'))[0] ?? '';
    };
    const inAll = async (): Promise<string[]> => {
      const found: string[] = [];
      for (const folder of await server.session((client) => client.list()))
        for (const subject of await inFolder(folder.path)) found.push(`${folder.path}: ${subject}`);
      return found.sort();
    };
    const run = async (path: string, body: object): Promise<string> => {
      const started = await user.api.post(path, body);
      expect(started.status).toBe(202);
      expect(await user.jobEnd(started.body.jobId as string)).toMatchObject({
        status: 'completed',
        failed: 0,
      });
      return started.body.jobId as string;
    };
    const bulk = (action: string, messageIds: readonly string[], labelId?: string): Promise<string> =>
      run(`/api/mailbox/${accountId}/messages/bulk`, { action, messageIds, labelId });

    it.each([
      ['trash', ['INBOX', 'Archive']],
      ['trash', ['INBOX', 'Work']],
      ['trash', ['Play', 'Work']],
      ['archive', ['INBOX', 'Archive']],
      ['archive', ['INBOX', 'Work']],
    ])('should be in all of them again when %s is undone: %s', async (action, folders) => {
      const id = await lie(...folders);
      const before = await inAll();
      const job = await bulk(action, [id]);
      expect(await inAll()).not.toEqual(before);
      await run(`/api/jobs/${job}/undo`, {});
      expect(await inAll()).toEqual(before);
      expect(await ids()).toEqual([id]);
    });

    it('should keep every place when it goes to the trash', async () => {
      const id = await lie('INBOX', 'Work');
      await mailbox.trash([id], interactive);
      expect(await inFolder('Trash')).toEqual(['Message 1', 'Message 1']);
      expect(await labelsOf(id)).toEqual(['TRASH']);
      expect(await ids('in:trash')).toEqual([id]);
    });

    it('should lose what a label has added when it is removed, any number of times', async () => {
      const id = await lie('INBOX');
      const { id: label } = await mailbox.createLabel('Bills', interactive);
      for (let times = 0; times < 3; times += 1) {
        await mailbox.modify([id], { add: [label], remove: [] }, interactive);
        await mailbox.modify([id], { add: [], remove: [label] }, interactive);
      }
      expect(await inAll()).toEqual(['INBOX: Message 1']);
      expect(await labelsOf(id)).toEqual(['INBOX']);
      expect(await ids()).toEqual([id]);
    });

    it('should be read in all of them, since each may contain something else', async () => {
      const one = plainMail(1);
      const other = Buffer.from(one.toString('latin1').replace('Body 1', 'Body 2'), 'latin1');
      await server.append('INBOX', [{ raw: one, receivedAt: arrivalOf(1) }]);
      await server.append('Work', [{ raw: other, receivedAt: arrivalOf(1) }]);
      const [id = ''] = await ids();
      const { bytes, others = [] } = await mailbox.fetchRaw(id, { ...interactive, everyPlace: true });
      expect([bytes, ...others].map(String).sort()).toEqual([one, other].map(String).sort());
      expect((await mailbox.fetchRaw(id, interactive)).others ?? []).toEqual([]);
    });

    it('should not be confused with an identical one when another client moves it', async () => {
      const twin = (number: number): Buffer =>
        Buffer.from(plainMail(1).toString('latin1').replace('Body 1', `Body ${number}`), 'latin1');
      await server.append('INBOX', [
        { raw: twin(1), receivedAt: arrivalOf(1) },
        { raw: twin(2), receivedAt: arrivalOf(2) },
        { raw: twin(3), receivedAt: arrivalOf(2) },
      ]);
      expect(await ids()).toHaveLength(3);
      await server.session(async (client) => {
        await client.mailboxCreate('Work');
        await client.mailboxOpen('INBOX');
        await client.messageMove('should be set aside where it is not known to be a copy', 'Work');
      });
      const found = await ids();
      expect(found).toHaveLength(3);
      const bodies = await Promise.all(found.map((id) => mailbox.fetchRaw(id, interactive)));
      expect(bodies.map(({ bytes }) => String(bytes)).sort()).toEqual([1, 2, 3].map(twin).map(String).sort());
    });

    it('should be set aside where it is not known to be a copy', async () => {
      const id = await lie('INBOX', 'Bills');
      const bills = (await mailbox.listLabels(interactive)).find(({ name }) => name === 'Bills')!.id;
      for (let times = 0; times < 3; times += 1) {
        await mailbox.modify([id], { add: [], remove: [bills] }, interactive);
        expect(await inAll()).toEqual(['Archive: Message 1', 'INBOX: Message 1']);
        expect(await labelsOf(id)).toEqual(['INBOX']);
        await server.session(async (client) => {
          await client.mailboxOpen('Archive');
          await client.messageMove('1', 'Bills');
        });
        await ids();
      }
    });

    it('should stay when its copy has gone before it could be removed', async () => {
      const id = await lie('INBOX');
      const { id: label } = await mailbox.createLabel('Bills', interactive);
      await mailbox.modify([id], { add: [label], remove: [] }, interactive);
      await server.session(async (client) => {
        await client.mailboxOpen('Bills');
        await client.messageDelete('1');
      });
      await mailbox.modify([id], { add: [], remove: ['INBOX'] }, interactive);
      expect(await inAll()).toEqual(['Archive: Message 1']);
    });
  });

  it('should be used by bulk operations, whose outcome the history proves', async () => {
    await fill('INBOX', numbers(1, 40));
    const found = await ids();
    const started = await user.api.post(`/api/mailbox/${accountId}/messages/bulk`, {
      action: 'trash',
      messageIds: [...found.slice(0, 25), 'i1.gone'],
    });
    expect(started.status).toBe(202);
    const job = await user.jobEnd(started.body.jobId as string);
    expect(job).toMatchObject({ status: 'completed', result: { changed: 25, notFound: 1, refused: 0 } });
    expect(await inFolder('Trash')).toHaveLength(25);
    const undone = await user.api.post(`/api/jobs/${started.body.jobId}/undo`, {});
    expect(undone.status).toBe(202);
    expect(await user.jobEnd(undone.body.jobId as string)).toMatchObject({ status: 'completed' });
    expect(await inFolder('INBOX')).toHaveLength(40);
  });

  it('should archive every byte of every message', async () => {
    await fill('INBOX', numbers(1, 60));
    const found = await ids();
    const started = await user.api.post(`/api/archive/${accountId}/archive`, { query: 'in:inbox' });
    expect(started.status).toBe(202);
    expect(await user.jobEnd(started.body.jobId as string)).toMatchObject({ status: 'completed' });
    const { body } = await user.api.get(`/api/archive/${accountId}/mails?limit=100`);
    expect(body.total).toBe(found.length);
  });

  it('should report a change that arrives while an earlier one is being reported', async () => {
    await fill('INBOX', [1]);
    const [id = ''] = await ids();
    const { historyId } = await mailbox.getProfile(interactive);
    const [history, places, transactions] = [
      sut.app.get(ImapHistoryRepository),
      sut.app.get(ImapPlacesRepository),
      sut.app.get(Transactions),
    ];
    const [place] = await places.findOfMessages(accountId, [id]);
    const folder = { id: place!.folderId, accountId };
    const flag = (flags: readonly string[]): Promise<void> =>
      transactions.run((transaction) => places.setFlags(folder, new Map([[place!.uid, flags]]), transaction));
    await flag(['\\Flagged']);
    await transactions.run(async (transaction) => {
      const changed = await history.findChanged(accountId, [], 100, transaction);
      await flag(['\\Flagged', '\\Seen']);
      await history.storeLabels(accountId, changed, transaction);
    });
    expect(await labelsOf(id)).toEqual(['INBOX', 'STARRED', 'UNREAD']);
    await sut.app.get(ImapSync).appendHistory(accountId);
    expect(await labelsOf(id)).toEqual(['INBOX', 'STARRED']);
    expect((await changes(historyId)).at(-1)).toContain('-UNREAD');
  });
});
