import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestApp, type TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { importMbox } from '../../../support/imports';
import type { TestUser } from '../../../support/test-user';

const ROOT = join(__dirname, '../../../..');
const CASES = join(ROOT, '../shared/cases');
const describeCases = existsSync(CASES) ? describe : describe.skip;

/** Cases that are no files to import, with the spec that has their values. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '18-archive-uploads.json': 'test/e2e/archive/imports/import-archives.e2e-spec.ts',
  '22-imap-search-values.json': 'src/platform/search/search-terms.spec.ts',
  '26-archive-date.json': 'test/e2e/archive/mails/mail-dates.e2e-spec.ts',
  '27-list-unsubscribe.mbox': 'src/cleanup/newsletters/list-unsubscribe.spec.ts',
};

interface Expected {
  /** Subjects of the archived mails; default: one mail. */
  readonly subjects?: readonly string[];
  /** Searches that find so many mails. */
  readonly finds?: Readonly<Record<string, number>>;
  readonly attachments?: readonly string[];
  readonly sender?: string;
  readonly snippet?: RegExp;
  readonly leftOut?: Readonly<Record<string, number>>;
  /** Labels by subject. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  /** Beginnings of `date`, by subject, and what they come from. */
  readonly dates?: Readonly<Record<string, string>>;
}

const INNER = { finds: { innerbodyword: 1, innersubjectword: 1 } };

/**
 * The right values, as the README of the cases has them.
 */
const EXPECTED: Readonly<Record<string, Expected>> = {
  '01-long-list-search.mbox': {
    subjects: ['msg members', 'msg statement', 'msg zh', 'msg long'],
    finds: {
      'person5@club.example': 1,
      'person257@club.example': 1,
      'INV-2024-1258': 1,
      'msg -"INV-2024-1258"': 3,
      wort2399: 1,
      的确可行: 1,
      第299条: 1,
    },
  },
  '02-alternative-html-only-content.eml': {
    finds: { 'QZ7-4417': 1, quietcoach: 1 },
    snippet: /^Your booking QZ7-4417 for Lisbon/,
  },
  '03a-forwarded-as-attachment.eml': { ...INNER, attachments: ['message.eml'] },
  '03b-mailing-list-digest.eml': { finds: { ...INNER.finds, secondbodyword: 1 } },
  '03c-root-is-a-message.eml': INNER,
  '04a-type-no-semicolon.eml': { finds: { semicolonword: 1 }, snippet: /^semicolonword visible$/ },
  '05a-text-enriched.eml': { finds: { enrichedword: 1 }, snippet: /^enrichedword hello$/ },
  '05b-text-markdown.eml': { finds: { markdownword: 1 }, attachments: [] },
  '06-quoted-transfer-encoding.eml': { finds: { ctequoted: 1, grün: 1 } },
  '07a-html-picture-before-text.eml': { finds: { afterpictureword: 1 }, snippet: /^afterpictureword$/ },
  '11-charsets.mbox': {
    subjects: ['iso-2022-kr', 'hz-gb-2312', 'x-mac-cyrillic', 'x-mac-ce', 'x-mac-greek'].map(
      (name) => `msg charset ${name}`,
    ),
    finds: { 안녕하세요: 1, 中文测试: 1, Привет: 1 },
  },
  '14-encoded-words.mbox': { subjects: ['Kommst du? Grüße', '안녕하세요', '中文'] },
  '15-from-wholly-encoded.mbox': { sender: 'Jörg Held <jh@sender.example>' },
  '19-thunderbird-states.mbox': {
    subjects: ['msg read and starred'],
    leftOut: { deleted: 1 },
    labels: { 'msg read and starred': ['STARRED'] },
  },
  '20-folder-internal-data.mbox': { subjects: ['msg 1'], leftOut: { folderData: 1 } },
  '23-smime-opaque-signed.eml': { attachments: ['list.csv'] },
  '25-root-text-attachment.eml': { finds: { rootattachword: 1 }, snippet: /^rootattachword visible$/ },
  '28-word-order.mbox': {
    finds: { 'paid invoice': 1, 'invoices paid': 1, 'invoice* paid': 1, 'invoice paid': 0 },
  },
  '32-html-in-plain-part.eml': { finds: { realword: 1, cssword: 0 }, snippet: /^realword$/ },
  '33-attached-text-and-invite.eml': {
    finds: { inviteword: 1, attachedtextword: 1, '"hi attachedtextword"': 0 },
    snippet: /^hi/,
  },
  '34-dates-absurd.mbox': {
    subjects: ['msg epoch', 'msg far future'],
    dates: { 'msg epoch': '2010-07-05', 'msg far future': '2010-07-05' },
  },
  '36-prose-from-line.mbox': { subjects: ['msg prose', 'msg 2'], finds: { proseword: 1 } },
};

/** Its messages say themselves which dates are right. */
const DATES = '09-dates.mbox';

describeCases('The cases of mail that is misread', () => {
  let app: TestApp;
  let user: TestUser;
  let accounts = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });
  afterAll(() => app?.close());

  const imported = async (
    name: string,
  ): Promise<{ sut: ArchiveFixture; result: any; rows: Map<string, any> }> => {
    const sut = await ArchiveFixture.connect(app, user, `case${(accounts += 1)}-0@sandbox.mailroom.test`);
    const { result } = await importMbox(user, sut.accountId, readFileSync(join(CASES, name)));
    const rows = [...(await sut.rows()).values()].map((row) => [row.subject as string, row] as const);
    return { sut, result, rows: new Map(rows) };
  };

  it('should each have a test', () => {
    const tested = [...Object.keys(EXPECTED), ...Object.keys(ELSEWHERE), DATES];
    const files = readdirSync(CASES).filter((name) => name !== 'README.md');
    expect(files.filter((name) => !tested.includes(name))).toEqual([]);
    for (const spec of Object.values(ELSEWHERE))
      expect([spec, existsSync(join(ROOT, spec))]).toEqual([spec, true]);
  });

  it.each(Object.entries(EXPECTED))('should be read right: %s', async (name, expected) => {
    const { sut, result, rows } = await imported(name);
    const { subjects, finds = {}, attachments, sender, snippet, leftOut, labels = {}, dates = {} } = expected;
    expect(rows.size).toBe(subjects?.length ?? 1);
    if (subjects) expect([...rows.keys()].sort()).toEqual([...subjects].sort());
    for (const [q, count] of Object.entries(finds)) {
      const { body } = await user.api.get(`${sut.path}/mails?q=${encodeURIComponent(q)}`);
      expect([q, body.total]).toEqual([q, count]);
    }
    if (leftOut) expect(result.leftOut).toMatchObject(leftOut);
    for (const [subject, ids] of Object.entries(labels))
      expect(rows.get(subject).label_ids).toEqual(expect.arrayContaining([...ids]));
    for (const [subject, day] of Object.entries(dates))
      expect(rows.get(subject).date.toISOString().slice(0, 10)).toBe(day);
    const [first] = rows.values();
    if (sender) expect(first.sender).toBe(sender);
    if (snippet) expect(first.snippet).toMatch(snippet);
    if (attachments) {
      const { body } = await user.api.get(`${sut.path}/mails/${first.id}`);
      expect(body.attachments.map(({ filename }: { filename: string }) => filename)).toEqual(attachments);
    }
  });

  it('should have the dates that they name', async () => {
    const { sut } = await imported(DATES);
    const { mails } = (await user.api.get(`${sut.path}/mails?limit=50`)).body;
    expect(mails.length).toBe(12);
    for (const { id, date } of mails) {
      const { emlContent } = (await user.api.get(`${sut.path}/mails/${id}`)).body;
      const [, wanted, isDay] = /^want (\S+)( \(day\))?/m.exec(emlContent)!;
      expect([wanted, isDay ? date.slice(0, 10) : date.replace('.000', '')]).toEqual([wanted, wanted]);
    }
  });
});
