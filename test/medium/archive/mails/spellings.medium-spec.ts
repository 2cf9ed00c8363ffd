import { mailFilter } from '../../../../src/archive/mails/mail-filter';
import { MailListsRepository } from '../../../../src/archive/mails/mail-lists.repository';
import { MailsModule } from '../../../../src/archive/mails/mails.module';
import { indexWords } from '../../../../src/archive/mails/search/search-vector';
import { startFeature, type Feature } from '../../../support/medium/feature';
import { generateArchivedMails } from '../../../support/archive/generated-mails';

/** Takes a text beyond what one tsvector holds. */
const FILLING = Array.from({ length: 700 }, (_, index) => `f${index % 2}`).join(' ');

const GROUPS: readonly (readonly string[])[] = [
  ['Müller', 'Mueller', 'Muller', 'MÜLLER'],
  ['Jörg', 'Joerg', 'Jorg'],
  ['Straße', 'Strasse', 'STRASSE'],
  ['Sørensen', 'Soerensen', 'Sorensen'],
  ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000', 'de89-3704-0044-0532-0130-00'],
  ['GB82 WEST 1234 5698 7654 32', 'GB82WEST12345698765432'],
  ['+33 6 12 34 56 78', '0612345678', '06 12 34 56 78', '06.12.34.56.78', '+33612345678', '0033 6 12345678'],
  ['(030) 901 8200', '+49 30 9018200', '+49 (0)30/9018200', '0309018200'],
  ['71450/36214', '7145036214', '71450-36214'],
  ['ACME-2024-17', 'acme-2024-17', 'Acme 2024 17'],
  ['2024-03-17', '20240317'],
  ["O'Brien", 'O’Brien', 'OBrien', 'obrien'],
  ['e-mail', 'E-Mail'],
  ['الكتاب', 'كتاب', 'والكتاب', 'للكتاب'],
  ['第299条', '第２９９条'],
  ['ข้อมูลส่วนตัว', 'ข้อมูลส่วนตัว'],
];

const ENDS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['*rechnung', ['Rechnung', 'Handwerkerrechnung', 'Abrechnung'], ['Rechnungen', 'Rechnungshof']],
  ['*straße', ['Hauptstraße', 'Bahnhofstrasse', 'STRASSE'], ['Straßenbahn']],
  ['hand*', ['Handwerkerrechnung', 'hand'], ['Vorhand']],
];

describe('Spellings in searches', () => {
  let app: Feature;
  let accountId: string;
  let id: string;

  const store = async (text: string): Promise<void> => {
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
  };

  const isFound = async (q: string): Promise<boolean> => {
    const { total } = await app
      .get(MailListsRepository)
      .findPage(accountId, mailFilter({ q }), { limit: 10, offset: 0 });
    return total === 1;
  };

  beforeAll(async () => {
    app = await startFeature({ modules: [MailsModule] });
    const user = await app.user();
    accountId = await user.connect('lists-1@sandbox.mailroom.test');
    await generateArchivedMails(app.dataSource, { accountId, userId: user.id, count: 1 });
    [{ id }] = await app.dataSource.query('SELECT id FROM archived_mails WHERE account_id = $1', [accountId]);
  });
  afterAll(() => app?.close());

  describe.each([
    ['an ordinary mail', ''],
    ['a long mail', FILLING],
  ])('of %s', (_, filling) => {
    it.each(GROUPS)('should find %s in each of its spellings', async (...spellings: string[]) => {
      const missed: string[] = [];
      for (const written of spellings) {
        await store(`Dear all, ${written} - as agreed. ${filling}`);
        for (const typed of spellings)
          for (const q of [typed, `${typed} agreed`, `"${typed}" agreed`])
            if (!(await isFound(q))) missed.push(`${q} in ${written}`);
      }
      expect(missed).toEqual([]);
    });

    it.each(ENDS)('should find words by %s', async (q, ending, others) => {
      const wrong: string[] = [];
      for (const word of [...ending, ...others]) {
        await store(`the ${word} of ${filling}`);
        if ((await isFound(`${q} the`)) !== ending.includes(word)) wrong.push(word);
      }
      expect(wrong).toEqual([]);
    });

    it.each([
      ['Muller', 'Miller'],
      ['0612345678', '+33 6 12 34 56 79'],
      ['DE89370400440532013000', 'DE89 3704 0044 0532 0130 01'],
      ['71450/36214', '71450/36215'],
      ['كتاب', 'مكتبة'],
    ])('should not find %s in %s', async (q, written) => {
      await store(`Dear all, ${written} - as agreed. ${filling}`);
      expect(await isFound(`${q} agreed`)).toBe(false);
    });
  });
});
