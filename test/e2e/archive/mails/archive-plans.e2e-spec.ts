import { ArchivePlanner } from '../../../../src/archive/mails/archiving/archive-planner';
import { FileDeletionsRepository } from '../../../../src/archive/files/file-deletions.repository';
import { DuplicatesRepository } from '../../../../src/archive/mails/writing/duplicates.repository';
import type { NewArchivedMail } from '../../../../src/archive/mails/writing/mail-to-archive';
import { ArchiveWritesRepository } from '../../../../src/archive/mails/writing/archive-writes.repository';
import type { Transaction } from '../../../../src/platform/database/transactions';
import { startTestApp, TestApp } from '../../../support/app';

const ROWS = 100_000;
const ASKED = 500;
/** Pages read per mail asked for, at most: a few of an index, the mail's, and one to see whether it is held. */
const PAGES_PER_MAIL = 7;

/** A plan that reads all of an account's mails for each batch makes archiving a large mailbox quadratic. */
describe('Looking mails up in a large archive', () => {
  let app: TestApp;
  let userId: string;
  let accountId: string;
  let mailIds: string[];

  beforeAll(async () => {
    app = await startTestApp({ own: true, env: { ROLE: 'api' }, sandbox: { messages: 1 } });
    const user = await app.user();
    userId = user.id;
    accountId = await user.connect('large-1@sandbox.mailroom.test');
  });
  afterAll(() => app?.close());

  const query = (sql: string, parameters: unknown[] = []): Promise<any> =>
    app.dataSource.query(sql, parameters);

  /** Pages each statement of `work` reads. */
  async function pagesOf(work: () => Promise<unknown>): Promise<number[]> {
    const { manager } = app.dataSource;
    const original = manager.query.bind(manager);
    const pages: number[] = [];
    const spy = jest.spyOn(manager, 'query').mockImplementation(async (sql: string, parameters?: any) => {
      const [row] = await original<any[]>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`, parameters);
      const plan = row['QUERY PLAN'][0].Plan;
      pages.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
      return [];
    });
    try {
      await work();
    } finally {
      spy.mockRestore();
    }
    return pages;
  }

  const ids = Array.from({ length: ASKED }, (_, n) => (n * 160 + 2).toString(16));

  const entries = (anonymous: boolean): NewArchivedMail[] =>
    ids.map((messageId, n) => {
      const header = anonymous ? null : `<${n * 160 + 2}@example.com>`;
      const parsed = { messageId: header, sha256: (n * 160 + 1).toString(16).padStart(64, '0') };
      return { mail: { messageId, parsed }, contentMac: `mac${n * 160 + 2}` } as unknown as NewArchivedMail;
    });

  const lookUps: [string, () => Promise<unknown>][] = [
    [
      'what a job has to do',
      () => {
        const options = { startedAt: '2020-01-01', failed: new Set<string>(), differential: true };
        return app.app.get(ArchivePlanner).plan(accountId, new Set(ids), options);
      },
    ],
    ['what a batch replaces', () => app.app.get(ArchiveWritesRepository).findByMessageIds(accountId, ids)],
    [
      'duplicates by Message-ID',
      () => app.app.get(DuplicatesRepository).findSameContent(accountId, entries(false)),
    ],
    [
      'duplicates by content',
      () => app.app.get(DuplicatesRepository).findSameBytes(accountId, entries(true)),
    ],
    [
      'content to be read',
      () => app.app.get(DuplicatesRepository).findUncompared(accountId, entries(false), 10_000),
    ],
    [
      'Message-IDs in use',
      () =>
        app.app.get(DuplicatesRepository).findHeadersInUse(
          accountId,
          ids.map((_, n) => `<${n * 160 + 2}@example.com>`),
        ),
    ],
    ['names in use', () => app.app.get(DuplicatesRepository).findNamesInUse(accountId, ids)],
    [
      'mails to replace',
      async () => {
        const { manager } = app.dataSource;
        const transaction = { manager } as unknown as Transaction;
        return app.app.get(ArchiveWritesRepository).lockReplaceable(accountId, mailIds, transaction);
      },
    ],
    [
      'files of mails',
      () =>
        app.app
          .get(FileDeletionsRepository)
          .findNamed(
            mailIds.map((id) => ({ id, token: id, storage: 'local', storageKey: `a/b/2024/01/${id}.eml` })),
          ),
    ],
  ];

  it('should read few pages, even with statistics from before the archive was filled', async () => {
    await query('ALTER TABLE archived_mails SET (autovacuum_enabled = false)');
    await query('ANALYZE archived_mails');
    await fill();
    const rows: { id: string }[] = await query('SELECT id FROM archived_mails ORDER BY id LIMIT $1', [ASKED]);
    mailIds = rows.map(({ id }) => id);
    const [{ pages: tablePages }] = await query(`SELECT pg_relation_size('archived_mails') / 8192 AS pages`);
    expect(Number(tablePages)).toBeGreaterThan(ASKED * PAGES_PER_MAIL);
    const tooMany: [string, number][] = [];
    for (const [name, lookUp] of lookUps) {
      const [pages, ...others] = await pagesOf(lookUp);
      expect([name, others]).toEqual([name, []]);
      expect(pages).toBeGreaterThan(ASKED);
      if (pages! > ASKED * PAGES_PER_MAIL) tooMany.push([name, pages!]);
    }
    expect(tooMany).toEqual([]);
  });

  async function fill(): Promise<void> {
    await query(
      `INSERT INTO archived_mails (id, user_id, account_id, mailbox_message_id, thread_id, message_id_header, subject,
         sender, recipient, date, size_bytes, has_attachments, label_ids, snippet, storage, storage_key, sha256,
         content_mac)
       SELECT gen_random_uuid(), $1, $2, to_hex(n), to_hex(n), CASE WHEN n % 2 = 0 THEN '<' || n || '@example.com>' END,
              'subject', 'a@example.com', '', now() - make_interval(mins => n), 1000, false, '{INBOX}',
              repeat('A line of the mail as previews show it. ', 5), 'local', 'key/' || to_hex(n),
              lpad(to_hex(n), 64, '0'), 'mac' || n
         FROM generate_series(1, $3::int) n`,
      [userId, accountId, ROWS],
    );
  }
});
