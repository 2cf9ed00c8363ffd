import type { QueryRunner } from 'typeorm';
import { Transaction, Transactions } from '../../../../src/platform/database/transactions';
import { MailboxAccountsService } from '../../../../src/mailbox/accounts/mailbox-accounts.service';
import {
  type ImapAccount,
  ImapAccountsRepository,
} from '../../../../src/providers/imap/login/imap-accounts.repository';
import type { DescribedMessage, ReadHeader } from '../../../../src/providers/imap/session/imap-fetches';
import { ImapFolderReader } from '../../../../src/providers/imap/sync/imap-folder-reader';
import { ImapFoldersRepository } from '../../../../src/providers/imap/store/imap-folders.repository';
import { ImapHeaders } from '../../../../src/providers/imap/messages/imap-headers';
import { ImapHistoryRepository } from '../../../../src/providers/imap/store/imap-history.repository';
import { ImapIndexReset } from '../../../../src/providers/imap/sync/imap-index-reset';
import type { ImapFolderEntity } from '../../../../src/providers/imap/store/imap-index.entity';
import type { ImapSession } from '../../../../src/providers/imap/session/imap-session';
import type { SyncedMailbox } from '../../../../src/providers/imap/sync/synced-mailbox';
import { startTestApp, type TestApp } from '../../../support/app';
import { plainMail } from '../../../support/imap/plain-mail';
import { waitFor } from '../../../support/wait';

/** With so many the history says that it does not know. */
const TOO_MANY = 10_001;

const described = (uid: number): DescribedMessage => ({
  uid,
  flags: [],
  labels: [],
  internalDate: new Date(uid * 60_000),
  size: 100,
});
const numbers = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

/** A connection to a server whose folder has so many messages. */
const sessionWith = (count: number): ImapSession =>
  ({
    isDovecot: false,
    has: () => false,
    open: (path: string) => ({
      folder: { path, uidValidity: 7, uidNext: count + 1, modseq: null, exists: count, permanentFlags: null },
      resync: null,
    }),
    fetches: {
      describeByNumber: (from: number, to: number) => numbers(from, to).map(described),
      describe: (from: number, to: number) => numbers(from, to).map(described),
      fetchMarks: () => new Map(),
      fetchHeaders: () => [],
    },
  }) as unknown as ImapSession;

describe('Concurrent syncs of one mailbox', () => {
  let sut: TestApp;
  let mailbox: SyncedMailbox;
  let folder: ImapFolderEntity;
  let runner: QueryRunner;

  beforeAll(async () => {
    sut = await startTestApp({ own: true });
  });
  afterAll(() => sut?.close());

  beforeEach(async () => {
    const { id: userId } = await sut.user();
    const email = 'locks@imap.test';
    const id = await sut.app.get(MailboxAccountsService).connect(userId, 'imap', {
      email,
      credentials: { kind: 'password', password: 'x' },
      scopes: [],
    });
    const server: ImapAccount = {
      accountId: id,
      host: 'imap.test',
      port: 993,
      security: 'tls',
      username: 'locks',
      certificateSha256: null,
      capabilities: [],
      preset: null,
      maxConnections: 3,
      exactSizes: true,
      gmailLabels: false,
      roles: {},
      oauthIssuer: null,
    };
    await sut.app.get(ImapAccountsRepository).save(server);
    mailbox = { account: { id, userId, email, provider: 'imap' }, server };
    const user = { delimiter: '/', role: 'user', roleSource: 'name', problem: null } as const;
    await sut.app.get(Transactions).run(async (transaction) => {
      await sut.app.get(ImapHistoryRepository).lock(id, transaction);
      await sut.app.get(ImapFoldersRepository).addListed(id, [{ path: 'Bills', ...user }], transaction);
    });
    folder = await currentFolder();
    runner = sut.dataSource.createQueryRunner();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
  });

  const currentFolder = async (): Promise<ImapFolderEntity> => {
    const [found] = await sut.app.get(ImapFoldersRepository).list(mailbox.account.id);
    return found!;
  };
  const readFolder = async (count: number): Promise<void> =>
    sut.app
      .get(ImapFolderReader)
      .read(mailbox, sessionWith(count), await currentFolder(), { status: null }, undefined);

  const LOOKS: Record<string, () => Promise<unknown>> = {
    'reads headers': () => {
      const raw = plainMail(1);
      const read: ReadHeader = {
        uid: 1,
        size: raw.length,
        described: described(1),
        header: raw,
        structure: null,
        gmail: null,
      };
      return sut.app.get(ImapHeaders).store(mailbox, folder, [read]);
    },
    'reads a large folder for the first time': () => readFolder(TOO_MANY),
    'finds many arrivals': () => readFolder(TOO_MANY + 2),
    'begins anew': () =>
      sut.app
        .get(Transactions)
        .run((transaction) => sut.app.get(ImapIndexReset).reset(mailbox.account.id, transaction)),
  };

  it.each(Object.keys(LOOKS))(
    'should not deadlock when one %s and another updates the folders',
    async (look) => {
      if (look === 'finds many arrivals') await readFolder(1);
      jest.spyOn(Transactions.prototype, 'runRepeatable').mockImplementation(function <T>(
        this: Transactions,
        work: (transaction: Transaction) => Promise<T>,
      ) {
        return this.run(work);
      });
      await runner.startTransaction();
      const transaction = new Transaction(runner.manager);
      await sut.app.get(ImapHistoryRepository).lock(mailbox.account.id, transaction);
      const looking = LOOKS[look]!();
      await waitFor('a look that waits', () => isAnotherWaiting(), 10_000);
      const agreeing = sut.app
        .get(ImapFoldersRepository)
        .lockAll(mailbox.account.id, transaction)
        .then(() => runner.commitTransaction());
      await Promise.all([looking, agreeing]);
    },
  );

  it('should continue after a deadlock of two transactions', async () => {
    const transactions = sut.app.get(Transactions);
    const { id } = mailbox.account;
    const [state, folders] = ['imap_sync_states', 'imap_folders'].map(
      (table) => `UPDATE ${table} SET account_id = account_id WHERE account_id = $1`,
    );
    let attempts = 0;
    let meet!: () => void;
    const bothHold = new Promise<void>((resolve) => (meet = resolve));
    const run = (first: string, second: string): Promise<void> =>
      transactions.runRepeatable(async ({ manager }) => {
        await manager.query(first, [id]);
        attempts += 1;
        if (attempts === 2) meet();
        await bothHold;
        await manager.query(second, [id]);
      });
    await Promise.all([run(state!, folders!), run(folders!, state!)]);
    expect(attempts).toBeGreaterThan(2);
  });

  /** Whether another connection waits for the one of the test. */
  async function isAnotherWaiting(): Promise<boolean> {
    const [{ pid }] = await runner.query('SELECT pg_backend_pid() AS pid');
    const waiting: unknown[] = await sut.dataSource.query(
      'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))',
      [pid],
    );
    return waiting.length > 0;
  }
});
