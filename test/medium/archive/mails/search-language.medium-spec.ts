import { mailFilter } from '../../../../src/archive/mails/mail-filter';
import { MailListsRepository } from '../../../../src/archive/mails/mail-lists.repository';
import { ArchiveFacetsRepository } from '../../../../src/archive/mails/facets/archive-facets.repository';
import { ChosenMailsRepository } from '../../../../src/archive/mails/chosen-mails.repository';
import { MailsModule } from '../../../../src/archive/mails/mails.module';
import { parseForArchive } from '../../../../src/archive/mails/archiving/parse-message.task';
import { ArchiveTermNotSupported } from '../../../../src/archive/mails/archive.errors';
import { compileSearch, type SearchSubject } from '../../../../src/platform/search/search-compiler';
import { phraseOf } from '../../../../src/platform/search/search-terms';
import { searchWords } from '../../../../src/platform/search/search-values';
import { spellingsOf } from '../../../../src/platform/search/spellings';
import { startFeature, type Feature } from '../../../support/medium/feature';
import { generateArchivedMails } from '../../../support/archive/generated-mails';
import { allowForExamples, fc, holds } from '../../../support/properties';

allowForExamples();

const MAILS = 40;
const WORDS = ['invoice', 'invoices', 'copper', 'plumber', 'abrechnung', 'rechnung'];
/** Names in two spellings: in quotes, mailboxes find only the one that is asked for. */
const NAMES = [
  'Müller',
  'Mueller',
  'straße',
  'Strasse',
  "O'Brien",
  'OBrien',
  'e-mail',
  'DE89370400440532013000',
];
const PEOPLE = [
  'Jörg Müller <joerg@mueller.example>',
  'Ada Plumber <ada@copper.example>',
  'Bob <bob@firm.example>',
  'Cleo <cleo@invoice.example>',
  'Me <lists-1@sandbox.mailroom.test>',
];
const LABELS = ['INBOX', 'UNREAD', 'STARRED', 'SENT', 'IMPORTANT', 'Label_1', 'Label_2'];
/** Takes a text beyond what one tsvector holds. */
const FILLING = Array.from({ length: 700 }, (_, index) => `f${index % 2}`).join(' ');
const NOW = Date.UTC(2025, 5, 15);

interface Message {
  readonly from: string;
  readonly to: string;
  readonly cc: string;
  readonly bcc: string;
  readonly replyTo: string;
  readonly deliveredTo: string;
  readonly list: string;
  readonly subject: string;
  readonly text: string;
  readonly attachment: string | null;
  readonly labels: readonly string[];
  readonly days: number;
  readonly size: number;
}

const someWords = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...WORDS, ...NAMES, 'DE89 3704 0044 0532 0130 00'), { maxLength })
    .map((words) => words.join(' '));
const person = fc.constantFrom(...PEOPLE);
const orNone = (text: fc.Arbitrary<string>): fc.Arbitrary<string> => fc.oneof(text, fc.constant(''));

const message: fc.Arbitrary<Message> = fc.record({
  from: person,
  to: person,
  cc: orNone(person),
  bcc: orNone(person),
  replyTo: orNone(person),
  deliveredTo: orNone(fc.constantFrom('ada@copper.example', 'other@firm.example')),
  list: orNone(fc.constantFrom('<plumber.lists.example>', '<copper.lists.example>')),
  subject: someWords(3),
  text: fc
    .tuple(someWords(4), fc.boolean(), someWords(2))
    .map(([first, isLong, last]) => `${first} ${isLong ? FILLING : ''} ${last}`),
  attachment: fc.constantFrom(null, null, 'invoice copper.pdf', 'Abrechnung.png'),
  labels: fc.subarray(LABELS),
  days: fc.integer({ min: 1, max: 900 }),
  size: fc.integer({ min: 1, max: 3000 }),
});

function rawOf(one: Message, index: number): Buffer {
  const header = [
    `From: ${one.from}`,
    `To: ${one.to}`,
    one.cc && `Cc: ${one.cc}`,
    one.bcc && `Bcc: ${one.bcc}`,
    one.replyTo && `Reply-To: ${one.replyTo}`,
    one.deliveredTo && `Delivered-To: ${one.deliveredTo}`,
    one.list && `List-Id: ${one.list}`,
    `Subject: ${one.subject}`,
    `Message-ID: <m${index}@mail.example>`,
    'MIME-Version: 1.0',
  ].filter((line) => line !== '');
  if (one.attachment === null) return Buffer.from([...header, '', one.text].join('\r\n'));
  const parts = [
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    '',
    one.text,
    '--x',
    `Content-Disposition: attachment; filename="${one.attachment}"`,
    'Content-Type: application/octet-stream',
    '',
    'AAAA',
    '--x--',
  ];
  return Buffer.from([...header, ...parts].join('\r\n'));
}

/** A message as the search of a mailbox sees it. */
const subjectOf = (one: Message, index: number): SearchSubject => ({
  labels: new Set(one.labels),
  internalDate: NOW - one.days * 86_400_000,
  facts: () => ({
    from: one.from,
    to: one.to,
    cc: one.cc,
    bcc: one.bcc,
    subject: one.subject,
    replyTo: one.replyTo,
    deliveredTo: one.deliveredTo,
    list: one.list,
    messageId: `m${index}@mail.example`,
    attachmentNames: one.attachment === null ? [] : [one.attachment],
    hasAttachment: one.attachment !== null,
  }),
  size: () => one.size,
  hasText: (term) => spellingsOf(term).some((spelling) => searchWords(one.text).includes(phraseOf(spelling))),
});

const value = fc.oneof(
  fc.constantFrom(...WORDS, ...NAMES, 'Joerg'),
  fc.constantFrom('inv*', 'cop*', '*rechnung', '*nvoice'),
  fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...WORDS)).map((words) => `"${words.join(' ')}"`),
);
const field = fc.constantFrom('from', 'to', 'cc', 'bcc', 'replyto', 'deliveredto', 'list', 'subject', 'filename', 'body'); // prettier-ignore
const leaf: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: value },
  fc.constant('DE89 3704 0044 0532 0130 00'),
  { weight: 4, arbitrary: fc.tuple(field, value).map(([name, text]) => `${name}:${text}`) },
  fc.tuple(fc.constantFrom('from', 'to', 'replyto'), fc.constantFrom('ada@copper.example', 'firm.example')).map(([name, text]) => `${name}:${text}`), // prettier-ignore
  fc.constantFrom('is:unread', 'is:read', 'is:starred', 'is:inbox', 'in:sent', 'in:inbox', 'in:archive', 'in:anywhere',
    'label:Label_1', 'label:work', 'label:my-trips', 'has:attachment', 'has:userlabels', 'has:nouserlabels', 'has:yellow-star',
    'older_than:1y', 'newer_than:3m', 'after:2024/06/01', 'before:2025-01-01', 'larger:1K', 'smaller:2K', 'size:500',
    'rfc822msgid:m3@mail.example', 'from:me', 'to:me', 'from:ME', 'cc:me', 'bcc:me', 'account:lists-1', 'account:nobody'), // prettier-ignore
);
const tree: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie('node'), { minLength: 2, maxLength: 3 }).map((nodes) => `(${nodes.join(' ')})`),
    fc.array(tie('node'), { minLength: 2, maxLength: 3 }).map((nodes) => `(${nodes.join(' OR ')})`),
    fc.array(tie('node'), { minLength: 2, maxLength: 3 }).map((nodes) => `{${nodes.join(' ')}}`),
    tie('node').map((node) => `-${node}`),
  ),
})).node;

describe('The search language in the archive', () => {
  let app: Feature;
  let accountId: string;
  const messages = new Map<string, SearchSubject>();

  const search = async (q: string): Promise<string[]> => {
    const filter = mailFilter({ q }, NOW);
    const { mails, total } = await app
      .get(MailListsRepository)
      .findPage(accountId, filter, { limit: 100, offset: 0 });
    expect([q, total]).toEqual([q, mails.length]);
    return mails.map(({ id }) => id).sort();
  };

  /** The same query by the translation for mailboxes. */
  const expected = (q: string): string[] => {
    const { matches } = compileSearch(q, {
      now: NOW,
      email: 'lists-1@sandbox.mailroom.test',
      accountId,
      labelId: (name) =>
        ({ inbox: 'INBOX', sent: 'SENT', label_1: 'Label_1', work: 'Label_1', 'my-trips': 'Label_2' })[
          name.toLowerCase()
        ],
      isUserLabel: (id) => id.startsWith('Label_'),
      isSpelled: true,
      unreadable: 'refused',
    });
    return [...messages].filter(([, one]) => matches(one)).map(([id]) => id).sort(); // prettier-ignore
  };

  beforeAll(async () => {
    app = await startFeature({ modules: [MailsModule] });
    const user = await app.user();
    accountId = await user.connect('lists-1@sandbox.mailroom.test');
    await generateArchivedMails(app.dataSource, { accountId, userId: user.id, count: MAILS });
    await app.dataSource.query(
      `INSERT INTO label_names (account_id, label_id, name, type)
       VALUES ($1, 'Label_1', 'Work', 'user'), ($1, 'Label_2', 'My trips', 'user')`,
      [accountId],
    );
    const rows: { id: string }[] = await app.dataSource.query(
      'SELECT id FROM archived_mails WHERE account_id = $1 ORDER BY date',
      [accountId],
    );
    const samples = fc.sample(message, { numRuns: rows.length, seed: 35 });
    for (const [index, one] of samples.entries()) await store(rows[index]!.id, one, index);
  });
  afterAll(() => app?.close());

  async function store(id: string, one: Message, index: number): Promise<void> {
    const { words, sender, recipient, subject } = parseForArchive({ raw: rawOf(one, index) });
    const date = new Date(NOW - one.days * 86_400_000);
    await app.dataSource.query(
      `UPDATE archived_mails SET subject = $2, sender = $3, recipient = $4, date = $5, size_bytes = $6, label_ids = $7,
         has_attachments = $8, message_id_header = $9 WHERE id = $1`,
      [id, subject, sender, recipient, date, one.size, one.labels, one.attachment !== null, `<m${index}@mail.example>`],
    ); // prettier-ignore
    await app.dataSource.query(
      `UPDATE archived_mail_words SET words = $2::tsvector, date = $3, has_attachments = $4, padding = DEFAULT WHERE mail_id = $1`,
      [id, words.vector, date, one.attachment !== null],
    );
    await app.dataSource.query(
      `INSERT INTO archived_mail_passages (id, account_id, mail_id, words)
       SELECT gen_random_uuid(), $1, $2, t.words::tsvector FROM unnest($3::text[]) AS t (words)`,
      [accountId, id, words.passages],
    );
    messages.set(id, subjectOf(one, index));
  }

  it('should find the same messages as the search of a mailbox', async () => {
    await holds(
      500,
      fc.asyncProperty(tree, async (written) => {
        // A last word is also the beginning of one that is still being typed: brackets close it for neither, a term behind it does.
        const q = `${written} in:anywhere`;
        expect([q, await search(q)]).toEqual([q, expected(q)]);
      }),
    );
  });

  it('should choose and count the same mails as it lists', async () => {
    await holds(
      60,
      fc.asyncProperty(tree, async (written) => {
        const q = `${written} in:anywhere`;
        const filter = mailFilter({ q }, NOW);
        const listed = await search(q);
        const chosen = await app.get(ChosenMailsRepository).findMatching(accountId, filter, 100);
        expect([q, chosen.toSorted()]).toEqual([q, listed]);
        const facets = await app.get(ArchiveFacetsRepository).countFacets(accountId, filter);
        expect([q, facets.total]).toEqual([q, listed.length]);
      }),
    );
  });

  it('should combine with the other filters', async () => {
    const filter = mailFilter(
      { q: 'has:attachment larger:1', sender: 'ada', min_size: 500, has_attachments: false },
      NOW,
    );
    const { total } = await app.get(MailListsRepository).findPage(accountId, filter, { limit: 1, offset: 0 });
    expect(total).toBe(0);
  });

  it.each(['hash:abc', 'is:unraed', 'a OR', 'subject:*ing', '*ing', '-form:boss', 'in:chats', 'from:'])(
    'should refuse %j by name',
    (q) => {
      expect(() => mailFilter({ q })).toThrow(ArchiveTermNotSupported);
    },
  );

  it.each([
    're: invoice',
    'http://copper.example',
    'copper "plumber',
    'a - b',
    '(030) 901 8200',
    'it | ! ( :*',
    'OR',
    '...',
  ])('should take %j for words, as before', async (q) => {
    expect(mailFilter({ q })).toMatchObject({ conditions: null });
    await search(q);
  });
});
