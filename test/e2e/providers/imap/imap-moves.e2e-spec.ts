import { headerFields, messageKey } from '../../../../src/providers/imap/messages/imap-message';
import { ImapSync } from '../../../../src/providers/imap/sync/imap-sync';
import { startTestApp, type TestApp } from '../../../support/app';
import { FickleAccount } from '../../../support/imap/fickle-account';
import type { FickleFolder } from '../../../support/imap/fickle-mailbox';
import { plainMail } from '../../../support/imap/plain-mail';

const keyOf = (raw: Buffer): string =>
  messageKey(headerFields(raw.subarray(0, raw.indexOf('\r\n\r\n'))), raw.length);

/** Folders are read in the order INBOX, Alpha, Beta, and once more in a look that misses a message. */
describe('A sync of an IMAP mailbox while another program moves messages', () => {
  const moved = plainMail(1);
  const deleted = plainMail(2);
  const stays = plainMail(3);
  let sut: TestApp;
  let account: FickleAccount;

  beforeAll(async () => {
    sut = await startTestApp();
  });
  afterAll(() => sut?.close());
  beforeEach(async () => {
    account = await FickleAccount.connect(sut);
    folder('INBOX').add(deleted, stays);
    folder('Alpha');
    folder('Beta').add(moved);
    await account.look();
  });
  afterEach(() => {
    account.mailbox.beforeCommand = () => undefined;
  });

  const folder = (path: string): FickleFolder => account.mailbox.folder(path);
  const move = (raw: Buffer, from: string, to: string): void => {
    remove(raw, from);
    folder(to).add(raw);
  };
  const remove = (raw: Buffer, from: string): void => {
    const [uid] = [...folder(from).messages].find(([, each]) => each === raw)!;
    folder(from).remove(uid);
  };
  /** Lists the changes of a message in the history. */
  const reportedOf = async (raw: Buffer): Promise<string[]> =>
    (await account.told()).filter(({ messageId }) => messageId === keyOf(raw)).map(({ kind }) => kind);

  /** @returns whether the mailbox may count as quiet, and needs no look before something changes */
  const isSettled = (): Promise<boolean> =>
    sut.app
      .get(ImapSync)
      .syncFolders(
        { account: account.account, server: account.server },
        account.mailbox.session(),
        new Set(),
      );

  let arrivals = 10;
  /** Has something happen during the second pass of each look, just before Beta is read, in which a message arrives. */
  const duringSecondPass = (happens: () => void): void => {
    let passes = 0;
    let folders = 0;
    account.mailbox.beforeCommand = (command) => {
      if (command === 'LIST') {
        passes += 1;
        folders = 0;
        if (passes % 2 === 0) {
          arrivals += 1;
          folder('Beta').add(plainMail(arrivals));
        }
      }
      if (command !== 'SELECT' || passes === 0) return;
      folders += 1;
      if (passes % 2 === 0 && folders === 1) happens();
    };
  };

  it('should not report a message as deleted that moves to a folder which has been read twice', async () => {
    remove(deleted, 'INBOX');
    duringSecondPass(() => move(moved, 'Beta', 'Alpha'));
    await account.look();
    expect(folder('Alpha').messages.size).toBe(1);
    expect(await reportedOf(deleted)).toEqual(['deleted']);
    expect(await reportedOf(moved)).toEqual([]);
    account.mailbox.beforeCommand = () => undefined;
    await account.look();
    expect(await reportedOf(moved)).toEqual(['labels']);
    expect((await account.at('Alpha', 1)).map(({ messageId }) => messageId)).toEqual([keyOf(moved)]);
  });

  it('should report a message that is then deleted in the next sync, once', async () => {
    remove(deleted, 'INBOX');
    duringSecondPass(() => remove(moved, 'Beta'));
    account.mailbox.capabilities.add('LIST-STATUS');
    expect(await isSettled()).toBe(false);
    expect(await reportedOf(deleted)).toEqual(['deleted']);
    expect(await reportedOf(moved)).toEqual([]);
    const before = (await account.told()).at(-1)!.seq;
    account.mailbox.beforeCommand = () => undefined;
    expect(await isSettled()).toBe(true);
    await account.look();
    expect(await reportedOf(moved)).toEqual(['deleted']);
    const entry = (await account.told()).find(({ messageId }) => messageId === keyOf(moved))!;
    expect(entry.seq).toBeGreaterThan(before);
    expect(await reportedOf(deleted)).toEqual(['deleted']);
  });

  it('should end, and report deleted messages, even if a message moves in every sync', async () => {
    const gone = [deleted, stays];
    for (const raw of gone) {
      let isThere = false;
      remove(raw, 'INBOX');
      duringSecondPass(() => {
        isThere = [...folder('Beta').messages.values()].includes(moved);
        if (isThere) move(moved, 'Beta', 'Alpha');
        else move(moved, 'Alpha', 'Beta');
      });
      account.mailbox.commands.length = 0;
      await account.look();
      expect(account.mailbox.commands.filter((command) => command === 'LIST')).toHaveLength(2);
      expect(await reportedOf(raw)).toEqual(['deleted']);
      expect(await reportedOf(moved)).not.toContain('deleted');
    }
    account.mailbox.beforeCommand = () => undefined;
    await account.look();
    expect(await reportedOf(moved)).not.toContain('deleted');
    expect(await reportedOf(moved)).not.toContain('added');
  });

  it('should not report the message as gone to a reader', async () => {
    remove(deleted, 'INBOX');
    duringSecondPass(() => move(moved, 'Beta', 'Alpha'));
    // Its place is another one when it is read: the mailbox is looked at.
    account.mailbox.cut = () => null;
    await expect(account.read(keyOf(moved))).rejects.toMatchObject({ code: 'message-incomplete' });
    account.mailbox.cut = (piece) => piece;
    account.mailbox.beforeCommand = () => undefined;
    expect(await reportedOf(moved)).toEqual([]);
    expect((await account.read(keyOf(moved))).bytes.equals(moved)).toBe(true);
    expect(await reportedOf(moved)).toEqual(['labels']);
  });
});
