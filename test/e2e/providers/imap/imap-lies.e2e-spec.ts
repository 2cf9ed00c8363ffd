import { MailboxAccountsService } from '../../../../src/mailbox/accounts/mailbox-accounts.service';
import {
  type ImapAccount,
  ImapAccountsRepository,
} from '../../../../src/providers/imap/login/imap-accounts.repository';
import { ImapListingRepository } from '../../../../src/providers/imap/store/imap-listing.repository';
import { ImapHistoryRepository } from '../../../../src/providers/imap/store/imap-history.repository';
import type { ImapSession } from '../../../../src/providers/imap/session/imap-session';
import type { DescribedMessage, ReadHeader } from '../../../../src/providers/imap/session/imap-fetches';
import { ImapSync } from '../../../../src/providers/imap/sync/imap-sync';
import { startTestApp, type TestApp } from '../../../support/app';
import { plainMail } from '../../../support/imap/plain-mail';

/** What a server says of its one folder, true or not. */
interface Story {
  uidValidity: number;
  uidNext: number;
  modseq: string;
  exists: number;
  /** Sets in VANISHED. */
  vanished: string[];
  /** The messages it hands out when it is asked. */
  uids: number[];
  /** UIDs whose headers it cannot hand out. */
  unreadable: number[];
  /** Folders it lists. */
  folders: string[];
}

/** What the server hands out of the messages in its folder. */
class ToldFetches {
  constructor(private readonly story: Story) {}

  fetchUidsByNumber = () => this.story.uids;
  fetchMarks = () => new Map();
  describe = (from: number, to: number) => this.described().filter(({ uid }) => uid >= from && uid <= to);
  describeByNumber = () => this.described();
  fetchHeaders = (uids: readonly number[]): ReadHeader[] =>
    uids
      .filter((uid) => this.story.uids.includes(uid) && !this.story.unreadable.includes(uid))
      .map(readHeader);
  fetchHeadersBetween = (from: number, to: number) =>
    this.fetchHeaders(this.story.uids.filter((uid) => uid >= from && uid <= to));
  private described = (): DescribedMessage[] => this.story.uids.map((uid) => readHeader(uid).described);
}

/** A connection to a server that says what a test wants. */
class ToldSession {
  closed = false;
  readonly fetches: ToldFetches;

  constructor(readonly story: Story) {
    this.fetches = new ToldFetches(story);
  }

  has = (capability: string): boolean => ['CONDSTORE', 'QRESYNC'].includes(capability);
  list = () => {
    const { uidValidity, uidNext, modseq, exists, folders } = this.story;
    const status = { messages: exists, uidNext, uidValidity, unseen: exists, modseq };
    return folders.map((path) => ({ path, delimiter: '/', attributes: [], status }));
  };
  open = (path: string, known?: object) => {
    const { uidValidity, uidNext, modseq, exists, vanished } = this.story;
    return {
      folder: { path, uidValidity, uidNext, modseq, exists, permanentFlags: null, isReadOnly: false },
      resync: known ? { vanished, flags: new Map() } : null,
    };
  };
  enter = () => undefined;
  close = () => {
    this.closed = true;
  };
}

const readHeader = (uid: number): ReadHeader => {
  const raw = plainMail(uid);
  const described = { uid, flags: [], labels: [], internalDate: new Date(uid * 60_000), size: raw.length };
  return { uid, size: raw.length, described, header: raw, structure: null, gmail: null };
};
const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('A sync with an IMAP server that sends false reports', () => {
  let sut: TestApp;
  let sync: ImapSync;
  let server: ImapAccount;
  let account: { id: string; userId: string; email: string; provider: string };

  beforeAll(async () => {
    sut = await startTestApp();
    sync = sut.app.get(ImapSync);
  });
  afterAll(() => sut?.close());
  beforeEach(async () => {
    const user = await sut.user();
    const mailbox = {
      email: 'told@imap.test',
      credentials: { kind: 'password' as const, password: 'x' },
      scopes: [],
    };
    const id = await sut.app.get(MailboxAccountsService).connect(user.id, 'imap', mailbox);
    account = { id, userId: user.id, email: mailbox.email, provider: 'imap' };
    server = {
      ...{
        accountId: id,
        host: 'imap.test',
        port: 993,
        security: 'tls',
        username: 'told',
        certificateSha256: null,
      },
      ...{
        capabilities: [],
        preset: null,
        maxConnections: 3,
        exactSizes: true,
        gmailLabels: false,
        roles: {},
        oauthIssuer: null,
      },
    };
    await sut.app.get(ImapAccountsRepository).save(server);
  });

  const story = (count: number): Story => ({
    uidValidity: 7,
    uidNext: count + 1,
    modseq: String(count),
    exists: count,
    vanished: [],
    uids: numbers(1, count),
    unreadable: [],
    folders: ['INBOX'],
  });
  const hear = async (told: Story): Promise<ToldSession> => {
    const session = new ToldSession(told);
    const mailbox = { account, server };
    await sync.run(mailbox, session as unknown as ImapSession);
    while (await sync.readHeaders(mailbox, session as unknown as ImapSession, 500)) continue;
    return session;
  };
  const known = async (): Promise<number> =>
    (await sut.app.get(ImapListingRepository).countTotals(account.id)).messages;
  const told = async (): Promise<string[]> =>
    (await sut.app.get(ImapHistoryRepository).listSince(account.id, 0, 1_000)).map(({ kind }) => kind);

  it('should not trust VANISHED for a message that the server still lists', async () => {
    await hear(story(30));
    await hear({ ...story(30), modseq: '31', vanished: ['5:6'] });
    expect(await known()).toBe(30);
    expect(await told()).toEqual([]);
  });

  it('should trust VANISHED when the count agrees, even with unknown UIDs', async () => {
    await hear(story(30));
    const uids = numbers(1, 30).filter((uid) => uid !== 5);
    await hear({ ...story(30), modseq: '31', exists: 29, uids, vanished: ['5,1000:4294967295'] });
    expect(await known()).toBe(29);
    expect(await told()).toEqual(['deleted']);
  });

  it('should find missing messages that VANISHED left out', async () => {
    await hear(story(30));
    await hear({ ...story(30), modseq: '31', exists: 28, uids: numbers(1, 28) });
    expect(await known()).toBe(28);
    expect(await told()).toEqual(['deleted', 'deleted']);
  });

  it('should not report messages as gone when the server leaves rows out', async () => {
    await hear(story(30));
    await hear({ ...story(30), modseq: '31', exists: 29, uids: numbers(1, 20) });
    expect(await known()).toBe(30);
    expect(await told()).toEqual([]);
    // A later, whole answer is believed.
    await hear({ ...story(30), modseq: '31', exists: 29, uids: numbers(1, 29) });
    expect(await known()).toBe(29);
  });

  it('should not report messages as gone when EXISTS is wrong', async () => {
    await hear(story(30));
    await hear({ ...story(30), modseq: '31', exists: 3 });
    expect(await known()).toBe(30);
  });

  it('should trust that most of a folder has vanished only if another connection sees the same', async () => {
    await hear(story(60));
    const emptied = { ...story(60), modseq: '61', exists: 2, uids: [59, 60], vanished: ['1:58'] };
    expect((await hear(emptied)).closed).toBe(true);
    expect(await known()).toBe(60);
    expect(await told()).toEqual([]);
    await hear(emptied);
    expect(await known()).toBe(2);
    expect((await told()).length).toBe(58);
  });

  it('should discard its doubt when the next connection sees all messages', async () => {
    await hear(story(60));
    await hear({ ...story(60), modseq: '61', exists: 0, uids: [], vanished: ['1:60'] });
    await hear({ ...story(60), modseq: '62' });
    await hear({ ...story(60), modseq: '63', exists: 0, uids: [], vanished: ['1:60'] });
    expect(await known()).toBe(60);
  });

  it('should find messages that the server left out at first', async () => {
    await hear({ ...story(30), uids: numbers(1, 10) });
    expect(await known()).toBe(10);
    await hear(story(30));
    expect(await known()).toBe(30);
  });

  it('should keep the data of a folder that one listing lacks', async () => {
    await hear({ ...story(5), folders: ['INBOX', 'Bills'] });
    expect(await known()).toBe(5);
    let listings = 0;
    const session = new ToldSession({ ...story(5), folders: ['INBOX', 'Bills'] });
    const { list } = session;
    session.list = () => list().filter(({ path }) => (listings += 1) > 2 || path !== 'Bills');
    await sync.run({ account, server }, session as unknown as ImapSession);
    const folders: unknown[] = await sut.dataSource.query(
      'SELECT 1 FROM imap_folders WHERE account_id = $1',
      [account.id],
    );
    expect(folders).toHaveLength(2);
  });

  it('should continue beside messages with unreadable headers', async () => {
    await hear({ ...story(30), unreadable: [7] });
    expect(await known()).toBe(29);
  });

  it('should not report a message as gone that may be the one with the unreadable header', async () => {
    await hear(story(9));
    await hear({ ...story(9), uidValidity: 8, unreadable: [7] });
    await hear({ ...story(9), uidValidity: 8, unreadable: [7] });
    expect(await known()).toBe(9);
    expect(await told()).toEqual([]);
  });

  it('should give the same ids when UIDs change, and report only real changes', async () => {
    await hear(story(30));
    const ids = async (): Promise<unknown[]> =>
      sut.dataSource.query('SELECT message_id FROM imap_messages WHERE account_id = $1 ORDER BY 1', [
        account.id,
      ]);
    const before = await ids();
    // The same mail under the same numbers, but for one that is gone.
    await hear({ ...story(30), uidValidity: 8, exists: 29, uids: numbers(2, 30) });
    expect(await ids()).toHaveLength(29);
    expect(before).toEqual(expect.arrayContaining(await ids()));
    expect(await told()).toEqual(['deleted']);
  });
});
