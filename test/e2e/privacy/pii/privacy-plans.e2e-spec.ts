import { PiiFindingsRepository } from '../../../../src/privacy/pii/pii-findings.repository';
import { TrackingScansRepository } from '../../../../src/privacy/tracking/tracking-scans.repository';
import { startTestApp, TestApp } from '../../../support/app';
import { waitFor } from '../../../support/wait';

const MAILS = 4_000;
const TYPES = ['credit_card', 'iban', 'french_ssn', 'password_plain', 'phone_fr'];
const MESSAGES = 20_000;
const LIMIT = 100;
/** Pages read for each row shown: a few of the indexes, and the rows. */
const PAGES_PER_ROW = 15;

/** A list that reads every row it passes over takes seconds for the pages in its middle. */
describe('Pages of long lists of findings', () => {
  let app: TestApp;
  let accountId: string;

  beforeAll(async () => {
    app = await startTestApp({ own: true, env: { ROLE: 'api' }, sandbox: { messages: 1 } });
    const user = await app.user();
    accountId = await user.connect('large-1@sandbox.mailroom.test');
    await fill(user.id);
    for (const table of ['pii_findings', 'tracking_scans']) await vacuum(table);
  }, 120_000);
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app?.close());

  /** Repeats VACUUM until no older transaction keeps the rows from being marked as visible to all. */
  const vacuum = (table: string): Promise<unknown> =>
    waitFor(`the rows of ${table} to be visible to all`, async () => {
      await app.dataSource.query(`VACUUM ANALYZE ${table}`);
      const [state] = await app.dataSource.query(
        'SELECT relallvisible = relpages AS visible FROM pg_class WHERE oid = $1::regclass',
        [table],
      );
      return state.visible as boolean;
    });

  async function fill(userId: string): Promise<void> {
    await app.dataSource.query(
      `INSERT INTO archived_mails (id, user_id, account_id, mailbox_message_id, thread_id, subject, sender, recipient,
         date, size_bytes, has_attachments, label_ids, snippet, storage, storage_key, sha256)
       SELECT gen_random_uuid(), $1, $2, to_hex(n), to_hex(n), 'subject', 'a@example.com', '',
              now() - make_interval(mins => (n * 7919) % $3::int), 1000, false, '{INBOX}', '', 'local',
              'key/' || to_hex(n), lpad(to_hex(n), 64, '0')
         FROM generate_series(1, $3::int) n`,
      [userId, accountId, MAILS],
    );
    await app.dataSource.query(
      `INSERT INTO pii_findings (id, account_id, mail_id, mail_date, pii_type, is_first, count, snippet)
       SELECT gen_random_uuid(), account_id, id, date, type, type = 'iban', 2, '**** **** **** 4242'
         FROM archived_mails CROSS JOIN unnest($1::text[]) AS type`,
      [TYPES],
    );
    await app.dataSource.query(
      `INSERT INTO tracking_scans (id, account_id, mailbox_message_id, subject, sender, date, trackers, tracker_count,
         rules_version)
       SELECT gen_random_uuid(), $1, to_hex(n), 'subject', 'a@example.com',
              now() - make_interval(mins => (n * 7919) % $2::int), '[]', 1, 1
         FROM generate_series(1, $2::int) n`,
      [accountId, MESSAGES],
    );
  }

  /** Answers as the list does, and counts the pages its statements read but for the one that counts its rows. */
  async function pagesOf<T>(list: () => Promise<T>): Promise<{ answer: T; pages: number }> {
    const { dataSource } = app;
    let pages = 0;
    const query = async (sql: string, parameters: unknown[]): Promise<unknown> => {
      const [row] = await dataSource.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`, parameters);
      const plan = row['QUERY PLAN'][0].Plan;
      if (!sql.includes('count(*)')) pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      return dataSource.query(sql, parameters);
    };
    const manager = { query, getRepository: dataSource.getRepository.bind(dataSource) };
    jest
      .spyOn(dataSource, 'transaction')
      .mockImplementation(((_level: string, work: (its: unknown) => unknown) => work(manager)) as never);
    return { answer: await list(), pages };
  }

  const PLACES = ['first', 'middle', 'last'] as const;
  const offsetIn = (place: (typeof PLACES)[number], rows: number): number =>
    ({ first: 0, middle: rows / 2 - LIMIT, last: rows - LIMIT })[place];

  it.each(PLACES.flatMap((place) => [null, 'iban' as const].map((type) => ({ place, type }))))(
    'should read few pages for the $place one of personal data (type: $type)',
    async ({ place, type }) => {
      const rows = type === null ? MAILS * TYPES.length : MAILS;
      const { answer, pages } = await pagesOf(() =>
        app.app
          .get(PiiFindingsRepository)
          .findPage(accountId, type, { limit: LIMIT, offset: offsetIn(place, rows) }),
      );
      expect(answer.total).toBe(rows);
      expect(answer.findings).toHaveLength(LIMIT);
      expect(pages).toBeGreaterThan(0);
      expect(pages).toBeLessThan(LIMIT * PAGES_PER_ROW);
    },
  );

  it.each(PLACES)('should read few pages for the %s one of trackers, in the list’s order', async (place) => {
    const offset = offsetIn(place, MESSAGES);
    const { answer, pages } = await pagesOf(() =>
      app.app.get(TrackingScansRepository).findPage(accountId, { limit: LIMIT, offset }),
    );
    const expected = await app.dataSource.query(
      'SELECT id FROM tracking_scans WHERE account_id = $1 ORDER BY date DESC, id DESC LIMIT $2 OFFSET $3',
      [accountId, LIMIT, offset],
    );
    expect(answer.total).toBe(MESSAGES);
    expect(answer.scans.map(({ id }) => id)).toEqual(expected.map(({ id }: { id: string }) => id));
    expect(pages).toBeGreaterThan(0);
    expect(pages).toBeLessThan(LIMIT * PAGES_PER_ROW);
  });
});
