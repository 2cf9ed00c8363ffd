import { mailFilter } from '../../../../src/archive/mails/mail-filter';
import { MailListsRepository } from '../../../../src/archive/mails/mail-lists.repository';
import { MailsModule } from '../../../../src/archive/mails/mails.module';
import { searchTokens } from '../../../../src/archive/mails/search/fold-text';
import { indexWords, NO_WORDS } from '../../../../src/archive/mails/search/search-vector';
import { PassagesRepository } from '../../../../src/archive/mails/writing/passages.repository';
import { Transactions } from '../../../../src/platform/database/transactions';
import { startFeature, type Feature } from '../../../support/medium/feature';
import { generateArchivedMails } from '../../../support/archive/generated-mails';
import { allowForExamples, fc, holds } from '../../../support/properties';

allowForExamples();

const MAILS = 40;
const VOCABULARY = ['invoice', 'invoices', 'paid', 'café', '東', 'x1', 'acme'];
/** Takes a text beyond what one tsvector holds; its first and last word stand beside others. */
const FILLING = Array.from({ length: 700 }, (_, index) => `f${index % 2}`).join(' ');

/** A term of a search. */
interface Term {
  readonly words: readonly string[];
  readonly kind: 'word' | 'phrase' | 'beginning';
  readonly isExcluded: boolean;
}

const term: fc.Arbitrary<Term> = fc.record({
  words: fc.array(fc.constantFrom(...VOCABULARY, 'f0', 'f1'), { minLength: 1, maxLength: 3 }),
  kind: fc.constantFrom('word', 'phrase', 'beginning'),
  isExcluded: fc.boolean(),
});

const typed = ({ words, kind, isExcluded }: Term): string =>
  (isExcluded ? '-' : '') +
  (kind === 'phrase' ? `"${words.join(' ')}"` : kind === 'beginning' ? `${words[0]}*` : `${words[0]}`);

/** Whether a text has what a term says, by the meaning of the term alone. */
function holdsTerm(text: readonly string[], { words, kind, isExcluded }: Term, isLast: boolean): boolean {
  const wanted = (kind === 'phrase' ? words : words.slice(0, 1)).flatMap(searchTokens);
  const isPrefix = kind === 'beginning' || (kind === 'word' && isLast && !isExcluded);
  const occurs = text.some((_, at) =>
    wanted.every((word, place) => {
      const found = text[at + place] ?? '';
      return isPrefix && place === wanted.length - 1 ? found.startsWith(word) : found === word;
    }),
  );
  return occurs !== isExcluded;
}

describe('Searches of long mails', () => {
  let app: Feature;
  let accountId: string;
  const texts = new Map<string, string[]>();

  const search = async (q: string): Promise<string[]> => {
    const { mails, total } = await app
      .get(MailListsRepository)
      .findPage(accountId, mailFilter({ q }), { limit: 100, offset: 0 });
    expect(total).toBe(mails.length);
    return mails.map(({ id }) => id).sort();
  };

  const store = async (id: string, text: string): Promise<void> => {
    const { vector, passages } = indexWords({
      subject: '',
      sender: '',
      recipients: '',
      attachmentNames: [],
      text,
    });
    await app.dataSource.query('DELETE FROM archived_mail_passages WHERE mail_id = $1', [id]);
    await app.dataSource.query(
      'UPDATE archived_mail_words SET words = $2::tsvector, padding = DEFAULT WHERE mail_id = $1',
      [id, vector],
    );
    await app.dataSource.query(
      `INSERT INTO archived_mail_passages (id, account_id, mail_id, words)
       SELECT gen_random_uuid(), $1, $2, t.words::tsvector FROM unnest($3::text[]) AS t (words)`,
      [accountId, id, passages],
    );
    texts.set(id, searchTokens(text));
  };

  beforeAll(async () => {
    app = await startFeature({ modules: [MailsModule] });
    const user = await app.user();
    accountId = await user.connect('lists-1@sandbox.mailroom.test');
    await generateArchivedMails(app.dataSource, { accountId, userId: user.id, count: MAILS });
    const rows: { id: string }[] = await app.dataSource.query(
      'SELECT id FROM archived_mails WHERE account_id = $1 ORDER BY date',
      [accountId],
    );
    const word = fc.constantFrom(...VOCABULARY);
    const some = fc.array(word, { maxLength: 6 });
    const samples = fc.sample(fc.tuple(some, some, fc.boolean()), { numRuns: rows.length, seed: 35 });
    for (const [index, [first, last, isLong]] of samples.entries())
      await store(rows[index]!.id, [...first, ...(isLong ? [FILLING] : []), ...last].join(' '));
  });
  afterAll(() => app?.close());

  it('should find what the texts say, whatever their length', async () => {
    const [{ long }] = await app.dataSource.query(
      'SELECT count(DISTINCT mail_id)::int AS long FROM archived_mail_passages',
    );
    expect(long).toBeGreaterThan(MAILS / 4);
    await holds(
      300,
      fc.asyncProperty(fc.array(term, { minLength: 1, maxLength: 4 }), async (terms) => {
        const expected = [...texts].filter(([, text]) =>
          terms.every((one, index) => holdsTerm(text, one, index === terms.length - 1)),
        );
        const q = terms.map(typed).join(' ');
        expect([q, await search(q)]).toEqual([q, expected.map(([id]) => id).sort()]);
      }),
    );
  });

  it('should find phrases across the places where passages end', async () => {
    const [id] = [...texts.keys()] as [string];
    const words = Array.from({ length: 40_000 }, (_, index) => `n${index}`);
    await store(id, words.join(' '));
    for (let at = 0; at < words.length - 100; at += 997)
      expect(await search(`"${words.slice(at, at + 100).join(' ')}"`)).toEqual([id]);
    expect(await search('"n16000 n16002"')).toEqual([]);
  });

  it('should find words that are added to a mail, and those that it had', async () => {
    const passages = app.get(PassagesRepository);
    const ids = [...texts.keys()].slice(0, 3) as [string, string, string];
    const common = 'club '.repeat(200);
    await store(ids[0], 'one short');
    await store(ids[1], `two ${common}`);
    await store(ids[2], `three ${common.repeat(2)}`);
    const added = (text: string): typeof NO_WORDS =>
      indexWords({ subject: '', sender: '', recipients: text, attachmentNames: [], text: '' });
    const further = added(`${common}late arrival`);
    await app.get(Transactions).run((transaction) =>
      passages.addFurther(
        accountId,
        ids.map((mailId) => ({ mailId, words: further })),
        transaction,
      ),
    );
    expect(await search('"late arrival"')).toEqual([...ids].sort());
    expect(await search('one "late arrival"')).toEqual([ids[0]]);
    expect(await search('two "late arrival"')).toEqual([ids[1]]);
    expect(await search('"three club" "late arrival"')).toEqual([ids[2]]);
    const long = added(`${common.repeat(3)} very late`);
    await app
      .get(Transactions)
      .run((transaction) => passages.addFurther(accountId, [{ mailId: ids[0], words: long }], transaction));
    expect(await search('"one short" "very late" "late arrival"')).toEqual([ids[0]]);
    await app.get(Transactions).run((transaction) => passages.removeBodies(accountId, [ids[0]], transaction));
    expect(await search('"very late"')).toEqual([ids[0]]);
    expect(await search('"one short"')).toEqual([]);
  });
});
