import { MailboxAccountsService } from '../../../../src/mailbox/accounts/mailbox-accounts.service';
import {
  type ImapAccount,
  ImapAccountsRepository,
} from '../../../../src/providers/imap/login/imap-accounts.repository';
import { ImapBodies } from '../../../../src/providers/imap/messages/imap-bodies';
import { PIECE_BYTES } from '../../../../src/providers/imap/session/imap-fetches';
import { ImapFolderChecks } from '../../../../src/providers/imap/imap-folder-checks';
import { ImapFoldersRepository } from '../../../../src/providers/imap/store/imap-folders.repository';
import { ImapHistoryRepository } from '../../../../src/providers/imap/store/imap-history.repository';
import { ImapIndexReset } from '../../../../src/providers/imap/sync/imap-index-reset';
import { ImapListingRepository } from '../../../../src/providers/imap/store/imap-listing.repository';
import { headerFields, messageKey } from '../../../../src/providers/imap/messages/imap-message';
import { ImapPlacesRepository } from '../../../../src/providers/imap/store/imap-places.repository';
import { GmailLabelWrites } from '../../../../src/providers/imap/writes/gmail-label-writes';
import { ImapSync } from '../../../../src/providers/imap/sync/imap-sync';
import { ImapWrites } from '../../../../src/providers/imap/writes/imap-writes';
import { Transactions } from '../../../../src/platform/database/transactions';
import {
  MessageNotFound,
  MessageUnreadable,
  ProviderUnavailable,
} from '../../../../src/providers/port/mail-provider.errors';
import type { CallOptions } from '../../../../src/providers/port/mailbox-provider.port';
import { startTestApp, type TestApp } from '../../../support/app';
import { FickleMailbox } from '../../../support/imap/fickle-mailbox';
import { plainMail } from '../../../support/imap/plain-mail';
import { allowForExamples, fc, holds } from '../../../support/properties';

allowForExamples();

const interactive: CallOptions = { priority: 'interactive' };
const headerEndOf = (raw: Buffer): number => raw.indexOf('\r\n\r\n');
const keyOf = (raw: Buffer, size: number | null = raw.length): string =>
  messageKey(headerFields(raw.subarray(0, headerEndOf(raw))), size);
const largeMail = (number: number, length: number): Buffer =>
  plainMail(number, { body: Buffer.alloc(length, `line ${number} of it\r\n`).toString('latin1') });

describe('Reading a message from an IMAP server', () => {
  let sut: TestApp;
  let account: { id: string; userId: string; email: string; provider: string };
  let server: ImapAccount;
  let mailbox: FickleMailbox;

  beforeAll(async () => {
    sut = await startTestApp();
  });
  afterAll(() => sut?.close());
  beforeEach(async () => {
    mailbox = new FickleMailbox();
    await connect();
  });

  async function connect(exactSizes = true): Promise<void> {
    const user = await sut.user();
    const connected = {
      email: 'fickle@imap.test',
      credentials: { kind: 'password' as const, password: 'x' },
      scopes: [],
    };
    const id = await sut.app.get(MailboxAccountsService).connect(user.id, 'imap', connected);
    account = { id, userId: user.id, email: connected.email, provider: 'imap' };
    server = {
      ...{ accountId: id, host: 'imap.test', port: 993, security: 'tls', username: 'fickle' },
      ...{ certificateSha256: null, capabilities: [], preset: null, maxConnections: 3, exactSizes },
      ...{ gmailLabels: false, roles: {}, oauthIssuer: null },
    };
    await sut.app.get(ImapAccountsRepository).save(server);
  }

  async function look(): Promise<void> {
    const sync = sut.app.get(ImapSync);
    const session = mailbox.session();
    await sync.run({ account, server }, session);
    while (await sync.readHeaders({ account, server }, session, 500)) continue;
  }

  /** A look whose connection breaks at one of its FETCH commands. */
  async function lookBreakingOffAt(number: number): Promise<void> {
    mailbox.commands.length = 0;
    mailbox.beforeCommand = () => {
      if (mailbox.commands.filter((each) => each === 'FETCH').length === number)
        throw new ProviderUnavailable();
    };
    await expect(sut.app.get(ImapSync).run({ account, server }, mailbox.session())).rejects.toBeInstanceOf(
      ProviderUnavailable,
    );
    mailbox.beforeCommand = () => undefined;
  }

  /** Forgets all UIDs, as with another password or server: the next sync leaves the headers for later. */
  const readAnew = (): Promise<void> =>
    sut.app
      .get(Transactions)
      .run((transaction) => sut.app.get(ImapIndexReset).reset(account.id, transaction));

  const bodies = (): ImapBodies =>
    new ImapBodies(
      mailbox.calls(server),
      sut.app.get(ImapFoldersRepository),
      sut.app.get(ImapPlacesRepository),
      sut.app.get(ImapListingRepository),
      sut.app.get(ImapSync),
    );
  const read = (id: string) => bodies().readRaw(account, id, interactive);
  const writes = (): ImapWrites =>
    new ImapWrites(
      mailbox.calls(server),
      sut.app.get(ImapFoldersRepository),
      sut.app.get(ImapPlacesRepository),
      sut.app.get(ImapSync),
      sut.app.get(GmailLabelWrites),
      sut.app.get(Transactions),
      sut.app.get(ImapFolderChecks),
    );
  const inbox = () => mailbox.folder('INBOX');
  const onCommand = (number: number, change: () => void): void => {
    const from = mailbox.commands.length;
    mailbox.beforeCommand = () => {
      if (mailbox.commands.length - from === number) change();
    };
  };

  it('should take two commands for a small message', async () => {
    inbox().add(plainMail(1));
    await look();
    mailbox.commands.length = 0;
    expect((await read(keyOf(plainMail(1)))).bytes.equals(plainMail(1))).toBe(true);
    expect(mailbox.commands).toEqual(['SELECT', 'FETCH']);
  });

  it('should take one command per piece for a large message', async () => {
    const raw = largeMail(1, 2 * PIECE_BYTES);
    inbox().add(raw);
    await look();
    mailbox.commands.length = 0;
    const { bytes, notes } = await read(keyOf(raw));
    expect(bytes.equals(raw)).toBe(true);
    expect(notes).toEqual([]);
    expect(mailbox.commands).toEqual(['SELECT', 'FETCH', 'FETCH', 'FETCH']);
  });

  it('should read a message from its new place when it is moved between two pieces', async () => {
    const raw = largeMail(1, 2 * PIECE_BYTES);
    inbox().add(raw);
    await look();
    onCommand(3, () => mailbox.folder('Work').add(inbox().remove(1)!));
    expect((await read(keyOf(raw))).bytes.equals(raw)).toBe(true);
  });

  it('should report a message as gone when it is deleted between two pieces', async () => {
    const raw = largeMail(1, 2 * PIECE_BYTES);
    inbox().add(raw);
    await look();
    onCommand(3, () => inbox().remove(1));
    await expect(read(keyOf(raw))).rejects.toBeInstanceOf(MessageNotFound);
  });

  it('should not report a message as deleted when the server withholds a piece', async () => {
    const raw = largeMail(1, 2 * PIECE_BYTES);
    inbox().add(raw);
    await look();
    mailbox.cut = (piece, start) => (start > 0 ? null : piece);
    await expect(read(keyOf(raw))).rejects.toMatchObject({ code: 'message-incomplete' });
  });

  it('should use another place when the first one returns only a part of the message', async () => {
    const raw = plainMail(1);
    inbox().add(raw);
    mailbox.folder('Work').add(raw);
    await look();
    let isFirst = true;
    mailbox.cut = (piece) => {
      if (!isFirst) return piece;
      isFirst = false;
      return piece.subarray(0, 60);
    };
    expect((await read(keyOf(raw))).bytes.equals(raw)).toBe(true);
  });

  it.each([0, 60, 200])('should refuse a message when %i bytes arrive every time', async (length) => {
    const raw = plainMail(1);
    inbox().add(raw);
    await look();
    mailbox.cut = (piece, start) => piece.subarray(0, Math.max(0, length - start));
    await expect(read(keyOf(raw))).rejects.toMatchObject({
      code: expect.stringMatching(/^message-(inc|mis)/),
    });
  });

  it('should refuse a message larger than 256 MiB instead of cutting it', async () => {
    const raw = plainMail(1);
    inbox().add(raw);
    inbox().announced.set(1, 256 * 1024 * 1024 + 1);
    await look();
    await expect(read(keyOf(raw, 256 * 1024 * 1024 + 1))).rejects.toMatchObject({
      code: 'message-too-large',
    });
  });

  it('should find the message again when its folder has other UIDs under another UIDVALIDITY', async () => {
    inbox().add(...[1, 2, 3].map((number) => plainMail(number)));
    await look();
    inbox().renumber(8);
    expect((await read(keyOf(plainMail(1)))).bytes.equals(plainMail(1))).toBe(true);
  });

  it.each([
    ['the list of its folder', 'connection'],
    ['a part of the headers', 'headers'],
  ])('should also find it when the sync that learnt the new UIDs broke off after %s', async (_when, what) => {
    const mails = Array.from({ length: what === 'headers' ? 600 : 3 }, (_, index) => plainMail(index + 1));
    inbox().add(...mails);
    await look();
    inbox().renumber(8);
    // The first FETCH lists the folder, each further one reads 500 headers.
    await lookBreakingOffAt(what === 'headers' ? 3 : 2);
    for (const mail of [mails[0]!, mails.at(-1)!])
      expect((await read(keyOf(mail))).bytes.equals(mail)).toBe(true);
  });

  it('should read the headers of new mail that one sync did not reach in the next one, and report all of it', async () => {
    await look();
    const mails = Array.from({ length: 600 }, (_, index) => plainMail(index + 1));
    inbox().add(...mails);
    // The first two FETCH commands read sizes and flags, each further one 500 headers.
    await lookBreakingOffAt(4);
    const added = async (): Promise<number> =>
      (await sut.app.get(ImapHistoryRepository).listSince(account.id, 0, 1_000)).length;
    expect(await added()).toBe(0);
    mailbox.commands.length = 0;
    await sut.app.get(ImapSync).run({ account, server }, mailbox.session());
    expect(mailbox.commands).toEqual(['LIST', 'SELECT', 'FETCH']);
    expect(await added()).toBe(600);
    mailbox.commands.length = 0;
    await sut.app.get(ImapSync).run({ account, server }, mailbox.session());
    expect(mailbox.commands).toEqual(['LIST']);
  });

  it.each([true, false])(
    'should find a message whose header has not been read since the mailbox was re-read (exact sizes: %s)',
    async (exactSizes) => {
      await connect(exactSizes);
      const mails = [1, 2, 3].map((number) => plainMail(number));
      inbox().add(...mails);
      await look();
      await readAnew();
      if (!exactSizes) for (const uid of inbox().uids) inbox().announced.set(uid, 9_000 + uid);
      const id = keyOf(mails[0]!, exactSizes ? mails[0]!.length : null);
      expect((await read(id)).bytes.equals(mails[0]!)).toBe(true);
    },
  );

  it('should not report a message as gone while it may be among unread headers, and read some at a time', async () => {
    await connect(false);
    const mails = Array.from({ length: 1_201 }, (_, index) => plainMail(index + 1));
    inbox().add(...mails);
    await look();
    const id = keyOf(mails[1_200]!, null);
    inbox().remove(1_201);
    for (const uid of inbox().uids) inbox().announced.set(uid, 9_000);
    await readAnew();
    const fetches = (): number => mailbox.commands.filter((command) => command === 'FETCH').length;
    mailbox.commands.length = 0;
    await expect(read(id)).rejects.toMatchObject({ code: 'message-incomplete' });
    // One lists the folder, and each of the others reads 500 headers.
    expect(fetches()).toBe(3);
    const history = sut.app.get(ImapHistoryRepository);
    const { lastSeq } = await history.getState(account.id);
    mailbox.commands.length = 0;
    await expect(read(id)).rejects.toBeInstanceOf(MessageNotFound);
    expect(fetches()).toBe(1);
    const told = await history.listSince(account.id, lastSeq, 10);
    expect(told.map(({ kind, messageId }) => [kind, messageId])).toEqual([['deleted', id]]);
  });

  it.each(['delete', 'mark as read'])(
    'should sync first when it is to %s a message that an interrupted sync has lost',
    async (change) => {
      inbox().add(...[1, 2, 3].map((number) => plainMail(number)));
      await look();
      inbox().renumber(8);
      await lookBreakingOffAt(2);
      const id = keyOf(plainMail(1));
      const stored: number[] = [];
      const session = mailbox.session.bind(mailbox);
      mailbox.session = () =>
        Object.assign(session(), {
          keeps: () => true,
          store: (uids: readonly number[]) => {
            stored.push(...uids);
            return new Map(uids.map((uid) => [uid, ['\\Seen']]));
          },
        });
      if (change === 'delete') {
        await writes().delete(account, [id], interactive);
        expect(inbox().uids).toEqual([1, 2]);
      } else {
        await writes().modify(account, [id], { add: [], remove: ['UNREAD'] }, interactive);
        expect(stored).toEqual([3]);
      }
    },
  );

  it('should not sync before it changes messages whose places are known', async () => {
    inbox().add(plainMail(1));
    await look();
    mailbox.commands.length = 0;
    await writes().delete(account, [keyOf(plainMail(1))], interactive);
    expect(mailbox.commands).toEqual(['SELECT', 'FETCH', 'EXPUNGE', 'FETCH']);
  });

  it('should not use a UID under the UIDVALIDITY that another sync has found meanwhile', async () => {
    inbox().add(...[1, 2, 3].map((number) => plainMail(number)));
    await look();
    const places = sut.app.get(ImapPlacesRepository);
    const [place] = await places.findOfMessages(account.id, [keyOf(plainMail(1))]);
    inbox().renumber(8);
    await look();
    const late = {
      findOfMessages: jest.fn(() => Promise.resolve([place])),
    } as unknown as ImapPlacesRepository;
    const sutBodies = new ImapBodies(
      mailbox.calls(server),
      sut.app.get(ImapFoldersRepository),
      late,
      sut.app.get(ImapListingRepository),
      sut.app.get(ImapSync),
    );
    mailbox.commands.length = 0;
    await expect(sutBodies.readRaw(account, keyOf(plainMail(1)), interactive)).rejects.toMatchObject({
      code: 'message-incomplete',
    });
    // It was opened, and nothing was fetched by the old number.
    expect(mailbox.commands.filter((command) => command === 'FETCH')).toEqual([]);
  });

  it('should read a folder again when a UID belongs to another message, and find the right one', async () => {
    inbox().add(...[1, 2, 3].map((number) => plainMail(number)));
    await look();
    // Neither UIDVALIDITY nor UIDNEXT says so.
    inbox().renumber(7);
    inbox().modseq = 4;
    expect((await read(keyOf(plainMail(1)))).bytes.equals(plainMail(1))).toBe(true);
    expect((await read(keyOf(plainMail(3)))).bytes.equals(plainMail(3))).toBe(true);
  });

  it('should accept a message with a wrong stated size when it arrives identical twice, and report that', async () => {
    const raw = plainMail(1);
    inbox().add(raw);
    inbox().announced.set(1, raw.length - 5);
    await look();
    const { bytes, notes } = await read(keyOf(raw, raw.length - 5));
    expect(bytes.equals(raw)).toBe(true);
    expect(notes).toEqual([expect.stringContaining(`announced ${raw.length - 5} bytes`)]);
  });

  it('should accept a message that its server has changed since, with its current size', async () => {
    const raw = plainMail(1, { extra: 'Status: RO\r\n' });
    inbox().add(raw);
    await look();
    const changed = plainMail(1);
    inbox().messages.set(1, changed);
    expect((await read(keyOf(raw))).bytes.equals(changed)).toBe(true);
  });

  it('should accept fewer bytes than announced only for a multipart that ends with its boundary', async () => {
    const multipart = (end: string): Buffer =>
      plainMail(1, {
        extra: 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n',
        body: `--b\r\nContent-Type: text/plain\r\n\r\nText\r\n${end}`,
      });
    inbox().add(multipart('--b--'), multipart('--b'));
    for (const uid of [1, 2]) inbox().announced.set(uid, 5_000 + uid);
    await look();
    expect((await read(keyOf(multipart('--b--'), 5_001))).notes).toHaveLength(1);
    await expect(read(keyOf(multipart('--b'), 5_002))).rejects.toMatchObject({ code: 'message-incomplete' });
  });

  it('should read messages to their end from a server that estimates sizes', async () => {
    await connect(false);
    const [small, large] = [plainMail(1), largeMail(2, PIECE_BYTES)];
    inbox().add(small, large);
    inbox()
      .announced.set(1, small.length + 7)
      .set(2, large.length + 900);
    await look();
    expect((await read(keyOf(small, null))).bytes.equals(small)).toBe(true);
    expect((await read(keyOf(large, null))).bytes.equals(large)).toBe(true);
  });

  it('should not mistake an empty piece for the end of a deleted message, where sizes are estimates', async () => {
    await connect(false);
    const raw = largeMail(1, PIECE_BYTES);
    inbox().add(raw);
    await look();
    // RFC 2180, section 4.1: a server may answer so about a message that another client has expunged.
    mailbox.cut = (piece, start) => {
      if (start === 0) return piece;
      inbox().remove(1);
      return Buffer.alloc(0);
    };
    await expect(read(keyOf(raw, null))).rejects.toBeInstanceOf(MessageNotFound);
  });

  it('should not return the beginning of another message', async () => {
    inbox().add(...[1, 2, 3].map((number) => plainMail(number)));
    await look();
    const ids = [1, 2, 3].map((number) => keyOf(plainMail(number)));
    inbox().renumber(7);
    const found = await bodies().readBeginnings(account, ids, 16_384, interactive);
    expect([...found.keys()]).toEqual([ids[1]]);
  });

  it('should refuse anything but the message, whatever the server does between two commands', async () => {
    type Trick =
      | 'move'
      | 'expunge'
      | 'renew'
      | 'renumber'
      | 'deliver'
      | 'rollBack'
      | 'cut'
      | 'lose'
      | 'nothing';
    const trick = fc.constantFrom<Trick[]>(
      ...(['move', 'expunge', 'renew', 'renumber', 'deliver', 'rollBack', 'cut', 'lose'] as const),
      'nothing',
      'nothing',
    );
    await holds(
      60,
      fc.asyncProperty(
        fc.array(trick, { minLength: 4, maxLength: 14 }),
        fc.boolean(),
        async (tricks, isLarge) => {
          mailbox = new FickleMailbox();
          await connect();
          const raws = [1, 2, 3, 4].map((number) => plainMail(number));
          if (isLarge) raws[0] = largeMail(1, PIECE_BYTES);
          inbox().add(...raws);
          await look();
          let delivered = 10;
          const play: Record<Trick, () => void> = {
            move: () => {
              const [uid] = inbox().uids;
              if (uid) mailbox.folder('Work').add(inbox().remove(uid)!);
            },
            expunge: () => void inbox().remove(inbox().uids.at(-1) ?? 0),
            renew: () => inbox().renumber(inbox().uidValidity + 1),
            renumber: () => inbox().renumber(inbox().uidValidity),
            deliver: () => inbox().add(plainMail((delivered += 1))),
            rollBack: () => {
              const last = inbox().uids.at(-1);
              if (!last) return;
              inbox().remove(last);
              inbox().uidNext = last;
              inbox().modseq = 1;
              inbox().add(plainMail((delivered += 1)));
            },
            cut: () => {
              mailbox.cut = (piece) => piece.subarray(0, piece.length >> 1);
            },
            lose: () => {
              mailbox.cut = (_piece, start) => (start > 0 ? null : _piece);
            },
            nothing: () => {
              mailbox.cut = (piece) => piece;
            },
          };
          const left = [...tricks];
          mailbox.beforeCommand = () => play[left.shift() ?? 'nothing']();
          for (const raw of raws) {
            const id = keyOf(raw);
            try {
              const { bytes } = await read(id);
              expect(bytes.length).toBe(raw.length);
              expect(keyOf(bytes)).toBe(id);
            } catch (error) {
              if (error instanceof MessageNotFound || error instanceof MessageUnreadable) continue;
              if ((error as { code?: string }).code !== 'provider-unavailable') throw error;
            }
          }
        },
      ),
    );
  });

  it('should lose no history entry that an incomplete list leaves out', async () => {
    inbox().add(...[1, 2, 3].map((number) => plainMail(number)));
    await look();
    inbox().renumber(8);
    inbox().hidden.add(2);
    await look();
    const kinds = async (): Promise<string[]> =>
      (await sut.app.get(ImapHistoryRepository).listSince(account.id, 0, 100)).map(({ kind }) => kind);
    expect(await kinds()).toEqual([]);
    inbox().hidden.clear();
    inbox().modseq += 1;
    await look();
    expect(await kinds()).toEqual([]);
    inbox().remove(2);
    await look();
    expect(await kinds()).toEqual(['deleted']);
  });

  it('should notice that known UIDs belong to other messages when new mail arrives, with the same commands', async () => {
    inbox().add(...[1, 2, 3].map((number) => plainMail(number)));
    await look();
    inbox().add(plainMail(4));
    mailbox.commands.length = 0;
    await look();
    expect(mailbox.commands.filter((command) => command === 'FETCH')).toHaveLength(2);
    inbox().renumber(7);
    inbox().uidNext = 5;
    inbox().modseq = 50;
    inbox().add(plainMail(5));
    await look();
    const places = await sut.app.get(ImapPlacesRepository).findOfMessages(account.id, [keyOf(plainMail(1))]);
    expect(places.map(({ uid }) => uid)).toEqual([4]);
  });

  it('should expunge no other message when UIDs were reassigned under the same UIDVALIDITY', async () => {
    inbox().add(...[1, 2, 3].map((number) => plainMail(number)));
    await look();
    inbox().renumber(7);
    const id = keyOf(plainMail(1));
    await expect(writes().delete(account, [id], interactive)).rejects.toMatchObject({
      code: 'provider-unavailable',
    });
    expect(inbox().messages.size).toBe(3);
    await look();
    await writes().delete(account, [id], interactive);
    expect([...inbox().messages.values()].map((raw) => keyOf(raw)).toSorted()).toEqual(
      [2, 3].map((number) => keyOf(plainMail(number))).toSorted(),
    );
    const told = await sut.app.get(ImapHistoryRepository).listSince(account.id, 0, 100);
    expect(told.map(({ kind, messageId }) => [kind, messageId])).toEqual([['deleted', id]]);
  });

  it('should not report a message as deleted that another program has moved', async () => {
    mailbox.folder('Work');
    inbox().add(...[1, 2].map((number) => plainMail(number)));
    await look();
    mailbox.folder('Work').add(inbox().remove(1)!);
    await writes().delete(
      account,
      [1, 2].map((number) => keyOf(plainMail(number))),
      interactive,
    );
    const told = await sut.app.get(ImapHistoryRepository).listSince(account.id, 0, 100);
    expect(told.map(({ kind, messageId }) => [kind, messageId])).toEqual([['deleted', keyOf(plainMail(2))]]);
    expect(mailbox.folder('Work').messages.size).toBe(1);
  });

  it('should read a folder again that has gone back to an earlier state', async () => {
    inbox().add(...[1, 2, 3, 4, 5].map((number) => plainMail(number)));
    await look();
    // Restored with the first three messages, then one has come that has the UID of the fourth.
    for (const uid of [4, 5]) inbox().remove(uid);
    inbox().uidNext = 4;
    inbox().modseq = 4;
    inbox().add(plainMail(9));
    await look();
    const { messages } = await sut.app.get(ImapListingRepository).countTotals(account.id);
    expect(messages).toBe(4);
    expect((await read(keyOf(plainMail(9)))).bytes.equals(plainMail(9))).toBe(true);
    await expect(read(keyOf(plainMail(4)))).rejects.toBeInstanceOf(MessageNotFound);
    const told = await sut.app.get(ImapHistoryRepository).listSince(account.id, 0, 100);
    expect(told.map(({ kind }) => kind).toSorted()).toEqual(['added', 'deleted', 'deleted']);
  });
});
