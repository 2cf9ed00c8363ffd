import type { Socket } from 'node:net';
import {
  OutcomeUnknown,
  ProviderRejected,
  ProviderUnavailable,
} from '../../../../src/providers/port/mail-provider.errors';
import {
  type CallOptions,
  type MailboxProvider,
  MailboxProviders,
} from '../../../../src/providers/port/mailbox-provider.port';
import { startTestApp, type TestApp } from '../../../support/app';
import { GmailImapServer } from '../../../support/imap/gmail/gmail-imap-server';
import type { GmailMessage } from '../../../support/imap/gmail/gmail-mailbox';
import { changesSince, labelsOf, listedIds } from '../../../support/imap/listed-messages';
import { arrivalOf, plainMail } from '../../../support/imap/plain-mail';
import { nightly } from '../../../support/nightly';
import { connectGmailImap } from '../../../support/peers/gmail-imap-peer';
import type { TestUser } from '../../../support/test-user';

const interactive: CallOptions = { priority: 'interactive' };
const MESSAGES = 6;

/** What a server answers after the login that no decent one does. */
describe('A mailbox on an unreliable IMAP server', () => {
  let sut: TestApp;
  let server: GmailImapServer;
  let user: TestUser;
  let mailbox: MailboxProvider;
  let messages: GmailMessage[];
  let ids: string[];
  let cursor: string;
  let accountId: string;

  beforeAll(async () => {
    sut = await startTestApp();
  });
  afterAll(() => sut?.close());
  beforeEach(async () => {
    server = await GmailImapServer.start();
    messages = Array.from({ length: MESSAGES }, (_, index) =>
      server.mailbox.add({ raw: plainMail(index + 1), receivedAt: arrivalOf(index + 1), flags: ['\\Seen'] }),
    );
    ids = messages.map(({ id }) => id.toString(16));
    user = await sut.user();
    accountId = await connectGmailImap(user, server);
    mailbox = sut.app
      .get(MailboxProviders)
      .forAccount({ id: accountId, userId: user.id, email: server.user, provider: 'imap' });
    expect((await listedIds(mailbox)).toSorted()).toEqual(ids.toSorted());
    cursor = (await mailbox.getProfile(interactive)).historyId;
  });
  afterEach(() => server.stop());

  const placesOf = (): string[] => messages.map(({ place }) => place);
  /** Answers the next command that matches in the test's way. */
  const once = (pattern: RegExp, answer: (socket: Socket, tag: string) => void): void => {
    let isOver = false;
    server.misbehave = (command, socket, tag) => {
      if (isOver || !pattern.test(command)) return undefined;
      isOver = true;
      answer(socket, tag);
      return true;
    };
  };

  it.each(['missing', 'wrong'] as const)(
    'should find out what has moved when COPYUID is %s',
    async (copyUid) => {
      server.copyUid = copyUid;
      await mailbox.trash(ids.slice(0, 3), interactive);
      expect(placesOf()).toEqual(['trash', 'trash', 'trash', 'all', 'all', 'all']);
      expect((await changesSince(mailbox, cursor)).toSorted()).toEqual(Array(3).fill('labels +TRASH -INBOX'));
      expect((await listedIds(mailbox)).toSorted()).toEqual(ids.slice(3).toSorted());
    },
  );

  it('should finish an interrupted MOVE, each message once', async () => {
    server.movesBeforeCut = 2;
    await mailbox.trash(ids.slice(0, 4), interactive);
    expect(placesOf()).toEqual(['trash', 'trash', 'trash', 'trash', 'all', 'all']);
    expect(server.mailbox.messages.size).toBe(MESSAGES);
    expect((await changesSince(mailbox, cursor)).toSorted()).toEqual(Array(4).fill('labels +TRASH -INBOX'));
  });

  it('should report that it is full', async () => {
    once(/^APPEND/, (socket, tag) => socket.write(`${tag} NO [OVERQUOTA] The mailbox is full\r\n`));
    const refused = mailbox.insert({ bytes: plainMail(9), labelIds: ['INBOX'] }, interactive);
    await expect(refused).rejects.toMatchObject({ reason: 'mailboxFull' });
    await expect(refused).rejects.toBeInstanceOf(ProviderRejected);
  });

  it('should not append a message twice when the answer was lost', async () => {
    const inserted = { bytes: plainMail(9), labelIds: ['INBOX'] };
    server.misbehave = (command, socket) => {
      if (!command.startsWith('APPEND')) return undefined;
      server.mailbox.add({ raw: inserted.bytes, receivedAt: arrivalOf(9), labels: [] });
      socket.destroy();
      return true;
    };
    await expect(mailbox.insert(inserted, interactive)).rejects.toBeInstanceOf(OutcomeUnknown);
    server.misbehave = () => undefined;
    await mailbox.insert(inserted, interactive);
    expect(server.mailbox.messages.size).toBe(MESSAGES + 1);
  });

  it('should abandon a literal larger than any message, and continue on another connection', async () => {
    once(/^UID FETCH.*BODY\.PEEK\[\]/, (socket) =>
      socket.write('* 1 FETCH (UID 1 BODY[]<0> {4000000000}\r\nshort'),
    );
    expect((await mailbox.fetchRaw(ids[0]!, interactive)).bytes.equals(plainMail(1))).toBe(true);
  });

  it('should archive nothing of a message with a missing piece', async () => {
    const raw = plainMail(50, {
      body: Buffer.alloc(10 * 1024 * 1024, 'a line of it\r\n').toString('latin1'),
    });
    const message = server.mailbox.add({ raw, receivedAt: arrivalOf(50), flags: [] });
    server.misbehave = (command, socket, tag) => {
      if (!/^UID FETCH.*BODY\.PEEK\[\]<4194304/.test(command)) return undefined;
      socket.write(`${tag} OK done\r\n`);
      return true;
    };
    const id = message.id.toString(16);
    await listedIds(mailbox);
    const { body } = await user.api.post(`/api/archive/${accountId}/archive`, { messageIds: [id] });
    expect((await user.jobEnd(body.jobId as string)).result).toMatchObject({
      ...{ archived: 0, failed: 1 },
      failures: [{ item: id, code: 'message-incomplete', reason: 'message-incomplete' }],
    });
    server.misbehave = () => undefined;
    expect((await mailbox.fetchRaw(id, interactive)).bytes.equals(raw)).toBe(true);
  });

  it('should abandon an endless line', async () => {
    once(/^LIST/, (socket) => {
      const piece = Buffer.alloc(1024 * 1024, 'x');
      for (let sent = 0; sent < 24; sent += 1) socket.write(piece);
    });
    expect((await mailbox.getProfile(interactive)).messagesTotal).toBe(MESSAGES);
  });

  it('should ignore unsolicited and repeated rows', async () => {
    const { raw } = messages[1]!;
    once(/^UID FETCH.*BODY\.PEEK\[\]/, (socket, tag) => {
      const row = (uid: number, bytes: Buffer): string =>
        `* ${uid} FETCH (UID ${uid} BODY[]<0> {${bytes.length}}\r\n${bytes.toString('latin1')})\r\n`;
      socket.write(row(2, raw) + row(1, plainMail(1)) + row(1, Buffer.from('something else')) + row(77, raw));
      socket.write(`${tag} OK done\r\n`);
    });
    expect((await mailbox.fetchRaw(ids[0]!, interactive)).bytes.equals(plainMail(1))).toBe(true);
  });

  it('should change nothing under UIDs that were reassigned to other messages', async () => {
    const all = server.mailbox.find('[Gmail]/All Mail')!;
    // In the reverse order under other numbers.
    all.uidValidity = 4_711;
    const again = [...all.uids.keys()].reverse();
    again.forEach((message, index) => all.uids.set(message, index + 1));
    server.mailbox.changed(messages);
    server.hangUp();
    await mailbox.modify([ids[0]!], { add: ['STARRED'], remove: [] }, interactive);
    expect(messages.map(({ flags }) => flags.has('\\Flagged'))).toEqual([true, ...Array(5).fill(false)]);
    expect((await listedIds(mailbox)).toSorted()).toEqual(ids.toSorted());
    expect(await labelsOf(mailbox, ids[0]!)).toEqual(['INBOX', 'STARRED']);
  });

  it('should report nothing as deleted while a folder cannot be opened', async () => {
    server.misbehave = (command, socket, tag) => {
      if (!/^SELECT.*All Mail/.test(command)) return undefined;
      socket.write(`${tag} NO Temporary failure\r\n`);
      return true;
    };
    server.mailbox.remove([messages[0]!]);
    expect(await changesSince(mailbox, cursor)).toEqual([]);
    server.misbehave = () => undefined;
    expect(await changesSince(mailbox, cursor)).toEqual(['deleted']);
  });

  nightly(
    'should be reported as unavailable when the server breaks off at every command, and lose nothing',
    async () => {
      server.misbehave = (_command, socket) => {
        socket.destroy();
        return true;
      };
      const failing = mailbox.trash([ids[0]!], { ...interactive, signal: AbortSignal.timeout(30_000) });
      await expect(failing).rejects.toBeInstanceOf(ProviderUnavailable);
      server.misbehave = () => undefined;
      expect(placesOf()).toEqual(Array(MESSAGES).fill('all'));
      expect((await listedIds(mailbox)).toSorted()).toEqual(ids.toSorted());
    },
  );
});
