import { MAIL_SORTS, type MailFilters } from '../../../../src/archive/mails/dto/archive.dto';
import { ArchiveResults } from '../../../../src/archive/mails/archive-results';
import { MAX_SENDERS } from '../../../../src/archive/mails/facets/archive-facets';
import { ArchiveFacetsRepository } from '../../../../src/archive/mails/facets/archive-facets.repository';
import { mailConditions, mailFilter } from '../../../../src/archive/mails/mail-filter';
import { MailListsRepository } from '../../../../src/archive/mails/mail-lists.repository';
import { MailTotals } from '../../../../src/archive/mails/mail-totals';
import { MailOrder, NEWEST_FIRST } from '../../../../src/archive/mails/mail-order';
import { parseSearchQuery } from '../../../../src/archive/mails/search/search-query';
import { tsqueryOf } from '../../../../src/archive/mails/search/word-query';
import { ThreadsRepository } from '../../../../src/archive/mails/threads.repository';
import { SORT_ORDERS } from '../../../../src/platform/validation/sort-order';
import { MailsModule } from '../../../../src/archive/mails/mails.module';
import { startFeature, type Feature } from '../../../support/medium/feature';
import { generateArchivedMails } from '../../../support/archive/generated-mails';
import { allowForExamples, fc, holds } from '../../../support/properties';
import { waitFor } from '../../../support/wait';

allowForExamples();

/** More than are gathered and sorted at once, so that every way to find a page is taken. */
const MAILS = 26_000;
const DAY_MS = 86_400_000;
/** Most mails are archived at the one, hundreds before, and hundreds after it. */
const LATE = '2030-06-01T12:00:00.500Z';
const EARLY = '2030-05-01T12:00:00.500Z';

type Asked = MailFilters;

const day = (ago: number): string => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);

/** Text for `$1::tsquery`: null without a query, empty for one without words. */
function wordsOf(q: string | undefined): string | null {
  if (q === undefined) return null;
  const query = parseSearchQuery(q);
  return query === null ? '' : tsqueryOf(query);
}

const QUERIES = [
  '"w1"', '"w2"', '"w5"', '"w900"', '"mail77"', '"nowhere"', 'w30', 'w3 "w40"', '"w3 w4"', '☕',
  '"w300" -w2', '-w1', '-w2', '-w700', '-w2 -w3', '-"w1 w2"', '-nowhere',
]; // prettier-ignore
const SENDERS = [
  'person1@', 'PERSON 12', 'person4999', 'example.com', 'e', '>', '@', 'zoé', 'ZOÉ', '100%', '_', '\\', 'm'.repeat(40),
  'nobody', 'son 7 <',
]; // prettier-ignore

const asked: fc.Arbitrary<Asked> = fc.record(
  {
    q: fc.constantFrom(...QUERIES),
    sender: fc.constantFrom(...SENDERS),
    from_date: fc.integer({ min: 0, max: 20 }).map(day),
    to_date: fc.integer({ min: 0, max: 20 }).map(day),
    has_attachments: fc.boolean(),
  },
  { requiredKeys: [] },
);
/** Further filters of lists. */
const furtherAsked: fc.Arbitrary<Asked> = fc.record(
  {
    recipient: fc.constantFrom('ME@', 'friend7@', 'example.org', 'nobody', '%'),
    label: fc.constantFrom('INBOX', 'Label_3', 'Label_11', 'Bills, paid', 'inbox'),
    min_size: fc.constantFrom(0, 2_500, 40_000, 77_000),
    max_size: fc.constantFrom(2_500, 40_000, 100_000),
    encrypted: fc.boolean(),
    archived_until: fc.constantFrom(LATE, EARLY, '2035-01-01'),
  },
  { requiredKeys: [] },
);
const orders: fc.Arbitrary<MailOrder> = fc.record({
  sort: fc.constantFrom(...MAIL_SORTS),
  order: fc.constantFrom(...SORT_ORDERS),
});
/** Half of the lists ask for nothing of a kind: everything at once finds nothing. */
const sometimes = (filters: fc.Arbitrary<Asked>): fc.Arbitrary<Asked> => fc.oneof(fc.constant({}), filters);
const all: fc.Arbitrary<Asked> = fc
  .tuple(sometimes(asked), sometimes(furtherAsked))
  .map(([some, further]) => ({ ...some, ...further }));

const limits = fc.constantFrom(1, 50, 100);
/** Beginning of a page as a fraction of the list; beyond 1 it is behind the end. */
const places = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1.1, noNaN: true }));

/** The facts about a mail that facets are counted from. */
interface ReadMail {
  readonly id: string;
  readonly label_ids: readonly string[];
  readonly month: string;
  readonly address: string;
  readonly bytes: number;
  readonly has_attachments: boolean;
  readonly is_encrypted: boolean;
}

interface Explained {
  readonly 'QUERY PLAN': readonly [
    { readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number } },
  ];
}

/** Private members of the totals: the tests watch how often they count. */
interface InsideOfTotals {
  count(): Promise<number>;
  readonly results: Pick<ArchiveResults, 'getOrCompute'>;
}

const insideOf = (totals: MailTotals): InsideOfTotals => totals as unknown as InsideOfTotals;

describe('Lists of a large archive', () => {
  let app: Feature;
  let accountId: string;

  const query = <Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> =>
    app.dataSource.query<Row[]>(sql, parameters);

  beforeAll(async () => {
    app = await startFeature({ modules: [MailsModule] });
    const user = await app.user();
    accountId = await user.connect('lists-1@sandbox.mailroom.test');
    const other = await user.connect('others-1@sandbox.mailroom.test');
    await generateArchivedMails(app.dataSource, { accountId, userId: user.id, count: MAILS });
    await generateArchivedMails(app.dataSource, { accountId: other, userId: user.id, count: 500 });
    const awkward = [
      'Zoé <z@example.org>',
      '100% \\_ <p@x.test>',
      '',
      'µ'.repeat(998),
      `${'m'.repeat(997)}é`,
    ];
    for (const [index, sender] of awkward.entries()) {
      await query(
        `UPDATE archived_mails SET sender = $2
          WHERE account_id = $1 AND id IN (
            SELECT id FROM archived_mails WHERE account_id = $1 ORDER BY date DESC LIMIT 20 OFFSET $3)`,
        [accountId, sender, index * 5_000],
      );
    }
    await query(
      `UPDATE archived_mails SET
         label_ids = CASE n % 4 WHEN 0 THEN '{INBOX,UNREAD}' WHEN 1 THEN ARRAY['Label_' || n % 50]
                                WHEN 2 THEN ARRAY['Bills, paid', 'INBOX'] ELSE '{}' END,
         recipient = CASE WHEN n % 9 = 0 THEN 'Friend <friend' || n % 300 || '@example.org>' ELSE recipient END,
         is_encrypted = n % 7 = 0,
         archived_at = $1::timestamptz + CASE n % 60 WHEN 0 THEN interval '-90 days' WHEN 1 THEN interval '2 days'
                                                    ELSE interval '0.4 milliseconds' END,
         subject = CASE WHEN n % 3 = 0 THEN upper(subject) WHEN n % 100 = 1 THEN repeat('Same ', 20) || n ELSE subject END
       FROM (SELECT id, row_number() OVER (ORDER BY date)::int AS n FROM archived_mails) numbered
       WHERE numbered.id = archived_mails.id`,
      [LATE],
    );
    await query(
      `DELETE FROM archived_mails
        WHERE account_id = $1 AND (sender LIKE 'Person 31 %' OR right(mailbox_message_id, 1) = 'b')`,
      [accountId],
    );
  }, 120_000);
  afterAll(() => app?.close());

  /** The same by reading everything: mails with their threads. */
  async function plain(
    { q, sender, ...others }: Asked,
    { sort, order }: MailOrder = NEWEST_FIRST,
  ): Promise<{ id: string; thread_id: string }[]> {
    const { from, until, archivedUntil } = mailFilter(others);
    const keys = {
      date: '',
      size: `m.size_bytes ${order},`,
      sender: `lower(m.sender) COLLATE "C" ${order},`,
      subject: `lower(left(m.subject, 60)) COLLATE "C" ${order},`,
    };
    return query<{ id: string; thread_id: string }>(
      `SELECT m.id, m.thread_id FROM archived_mails m JOIN archived_mail_words w ON w.mail_id = m.id
        WHERE m.account_id = $1
          AND ($2::text IS NULL OR w.words @@ $2::tsquery)
          AND ($3::text IS NULL OR position(lower($3) IN lower(m.sender)) > 0)
          AND ($4::timestamptz IS NULL OR m.date >= $4) AND ($5::timestamptz IS NULL OR m.date < $5)
          AND ($6::boolean IS NULL OR m.has_attachments = $6)
          AND ($7::text IS NULL OR position(lower($7) IN lower(m.recipient)) > 0)
          AND ($8::text IS NULL OR $8 = ANY (m.label_ids))
          AND m.size_bytes BETWEEN $9 AND $10
          AND ($11::boolean IS NULL OR m.is_encrypted = $11)
          AND ($12::timestamptz IS NULL OR m.archived_at < $12)
        ORDER BY ${keys[sort]} m.date ${order}, m.id ${order}`,
      [
        accountId,
        wordsOf(q),
        sender ?? null,
        from,
        until,
        others.has_attachments ?? null,
        others.recipient ?? null,
        others.label ?? null,
        others.min_size ?? 0,
        others.max_size ?? 1_000_000_000,
        others.encrypted ?? null,
        archivedUntil,
      ],
    );
  }

  it('should match a full read of mails and totals, for any query', async () => {
    const lists = app.get(MailListsRepository);
    await holds(
      200,
      fc.asyncProperty(asked, limits, places, async (filters, limit, place) => {
        const expected = await plain(filters);
        const offset = Math.floor(place * expected.length);
        const filter = mailFilter(filters);
        const { mails, total } = await lists.findPage(accountId, filter, { limit, offset });
        expect({ total, ids: mails.map(({ id }) => id) }).toEqual({
          total: expected.length,
          ids: expected.slice(offset, offset + limit).map(({ id }) => id),
        });
      }),
    );
  }, 120_000);

  it('should match in every order, and for every filter', async () => {
    const lists = app.get(MailListsRepository);
    await holds(
      200,
      fc.asyncProperty(all, orders, limits, places, async (filters, order, limit, place) => {
        const expected = await plain(filters, order);
        const offset = Math.floor(place * expected.length);
        const range = { limit, offset };
        const { mails, total } = await lists.findPage(accountId, mailFilter(filters), range, order);
        expect({ total, ids: mails.map(({ id }) => id) }).toEqual({
          total: expected.length,
          ids: expected.slice(offset, offset + limit).map(({ id }) => id),
        });
      }),
    );
  }, 120_000);

  it('should match a full read of the facets', async () => {
    const repository = app.get(ArchiveFacetsRepository);
    const rows = await query<ReadMail>(
      `SELECT id, label_ids, to_char(date AT TIME ZONE 'UTC', 'YYYY-MM') AS month, archived_sender_address(sender) AS address,
              size_bytes::float8 AS bytes, has_attachments, is_encrypted
         FROM archived_mails WHERE account_id = $1`,
      [accountId],
    );
    const mails = new Map(rows.map((row) => [row.id, row]));
    await holds(
      40,
      fc.asyncProperty(all, async (filters) => {
        const found = (await plain(filters)).map(({ id }) => mails.get(id)!);
        const counted = (valuesOf: (mail: ReadMail) => readonly string[]): [string, number][] => {
          const counts = new Map<string, number>();
          for (const value of found.flatMap(valuesOf)) counts.set(value, (counts.get(value) ?? 0) + 1);
          return [...counts].sort();
        };
        const facets = await repository.countFacets(accountId, mailFilter(filters));
        expect(facets).toMatchObject({
          total: found.length,
          total_size: found.reduce((sum, { bytes }) => sum + bytes, 0),
          with_attachments: found.filter(({ has_attachments: has }) => has).length,
          encrypted: found.filter(({ is_encrypted: is }) => is).length,
        });
        expect(facets.labels.map(({ id, count }) => [id, count]).sort()).toEqual(
          counted((mail) => mail.label_ids),
        );
        expect(facets.months.map(({ month, count }) => [month, count]).sort()).toEqual(
          counted((mail) => [mail.month]),
        );
        const senders = new Map(counted((mail) => [mail.address]));
        const most = [...senders.values()].sort((a, b) => b - a).slice(0, MAX_SENDERS);
        expect(facets.senders.map(({ count }) => count)).toEqual(most);
        for (const { address, count } of facets.senders) expect(senders.get(address)).toBe(count);
      }),
    );
  }, 120_000);

  it('should count a repeated query again only when the archive has changed', async () => {
    const lists = app.get(MailListsRepository);
    const counts = jest.spyOn(insideOf(app.get(MailTotals)), 'count');
    const filter = mailFilter({ q: '-w2' });
    const found = async (page: number): Promise<{ total: number; counted: boolean }> => {
      counts.mockClear();
      const { total } = await lists.findPage(accountId, filter, { limit: 5, offset: 5 * page });
      return { total, counted: counts.mock.calls.length > 0 };
    };
    const first = await found(0);
    expect(first).toEqual({ total: (await plain({ q: '-w2' })).length, counted: true });
    expect(await found(1)).toEqual({ ...first, counted: false });
    const [newest, second] = await plain({ q: '-w2' });
    await query('DELETE FROM archived_mails WHERE id = $1', [newest!.id]);
    expect(await found(0)).toEqual({ total: first.total - 1, counted: true });
    await query(`UPDATE archived_mails SET snippet = 'other' WHERE account_id = $1`, [accountId]);
    expect(await found(0)).toEqual({ total: first.total - 1, counted: false });
    await query(`UPDATE archived_mails SET label_ids = label_ids || '{TRASH}' WHERE id = $1`, [second!.id]);
    expect(await found(0)).toEqual({ total: first.total - 1, counted: true });
    counts.mockRestore();
  });

  it('should count on its own when the request that was counting is cancelled', async () => {
    const lists = app.get(MailListsRepository);
    const filter = mailFilter({ q: '-w3' });
    const totals = app.get(MailTotals);
    const inside = insideOf(totals);
    const original = inside.count.bind(totals);
    let fail: (error: Error) => void = () => undefined;
    const counts = jest
      .spyOn(inside, 'count')
      .mockImplementationOnce(() => new Promise((_, reject) => (fail = reject)))
      .mockImplementation(original);
    const page = (): Promise<{ total: number }> => lists.findPage(accountId, filter, { limit: 5, offset: 0 });
    const cancelled = page();
    await waitFor('the first to count', () => counts.mock.calls.length > 0);
    const shared = jest.spyOn(inside.results, 'getOrCompute');
    const other = page();
    await waitFor('the other request', () => shared.mock.calls.length > 0);
    fail(new Error('cancelled'));
    await expect(cancelled).rejects.toThrow('cancelled');
    expect((await other).total).toBe((await plain({ q: '-w3' })).length);
    shared.mockRestore();
    counts.mockRestore();
  });

  it('should match a full read of the threads', async () => {
    const threads = app.get(ThreadsRepository);
    const latest = await query<{ thread_id: string; position: number }>(
      `SELECT thread_id, row_number() OVER (ORDER BY max(date) DESC, thread_id DESC)::int AS position
         FROM archived_mails WHERE account_id = $1 GROUP BY thread_id`,
      [accountId],
    );
    const positions = new Map(latest.map(({ thread_id, position }) => [thread_id, position]));
    await holds(
      60,
      fc.asyncProperty(all, places, async (filters, place) => {
        const matching = new Set((await plain(filters)).map(({ thread_id }) => thread_id));
        const expected = [...matching].sort((a, b) => positions.get(a)! - positions.get(b)!);
        const offset = Math.floor(place * expected.length);
        const filter = mailFilter(filters);
        const { threads: page, total } = await threads.findPage(accountId, filter, { limit: 20, offset });
        expect({ total, ids: page.map(({ thread_id }) => thread_id) }).toEqual({
          total: expected.length,
          ids: expected.slice(offset, offset + 20),
        });
      }),
    );
  }, 120_000);

  it('should count the mails of every From line', async () => {
    const kept = 'SELECT account_id, sender_key, sender, mails FROM archived_sender_names';
    const counted = `SELECT account_id, archived_sender_key(sender), sender, count(*)::int FROM archived_mails
                      GROUP BY account_id, sender`;
    expect(await query(`(${kept}) EXCEPT (${counted})`)).toEqual([]);
    expect(await query(`(${counted}) EXCEPT (${kept})`)).toEqual([]);
    const [row] = await query<{ emptied: number }>(
      `SELECT count(*)::int AS emptied FROM archived_sender_names
        WHERE account_id = $1 AND sender LIKE 'Person 31 %'`,
      [accountId],
    );
    expect(row).toEqual({ emptied: 0 });
  });

  it('should read few pages for the mails of a sender', async () => {
    const filter = mailFilter({ sender: 'person77@' });
    const { where, parameters } = mailConditions(accountId, filter);
    const [row] = await query<Explained>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT count(*) FROM archived_mails m WHERE ${where}`,
      [...parameters],
    );
    const plan = row!['QUERY PLAN'][0].Plan;
    const [size] = await query<{ pages: string }>(
      `SELECT pg_relation_size('archived_mails') / 8192 AS pages`,
    );
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(Number(size!.pages) / 5);
  });
});
