import { pickWords } from '../../../../src/archive/mails/index-checks/picked-words';
import { IndexSearch } from '../../../../src/archive/mails/index-checks/index-search';
import { IndexProbesRepository } from '../../../../src/archive/mails/index-checks/index-probes.repository';
import { MailsModule } from '../../../../src/archive/mails/mails.module';
import { indexWords } from '../../../../src/archive/mails/search/search-vector';
import { generateArchivedMails } from '../../../support/archive/generated-mails';
import { startFeature, type Feature } from '../../../support/medium/feature';
import { allowForExamples, anyText, anyUtf16, fc, holds } from '../../../support/properties';

allowForExamples();

describe('Words by which an index is checked', () => {
  let app: Feature;
  let mail: any;

  beforeAll(async () => {
    app = await startFeature({ modules: [MailsModule] });
    const user = await app.user();
    const accountId = await user.connect('picked-1@sandbox.mailroom.test');
    await generateArchivedMails(app.dataSource, { accountId, userId: user.id, count: 3 });
    const [{ id }] = await app.dataSource.query(
      'SELECT id FROM archived_mails WHERE account_id = $1 LIMIT 1',
      [accountId],
    );
    mail = { id, accountId };
  });
  afterAll(() => app?.close());

  it('should be found in whatever text they come from', async () => {
    const any = fc.oneof(anyText(200), anyUtf16(200));
    let searched = 0;
    await holds(
      600,
      fc.asyncProperty(any, any, async (subject, text) => {
        const { vector } = indexWords({ subject, sender: '', recipients: '', attachmentNames: [], text });
        await app.dataSource.query(
          'UPDATE archived_mail_words SET words = $2::tsvector, padding = DEFAULT WHERE mail_id = $1',
          [mail.id, vector.replaceAll('\0', '')],
        );
        const words = [
          ...pickWords(subject, 1).map((word) => `subject:"${word}"`),
          ...pickWords(text, 3).map((word) => `"${word}"`),
        ];
        if (words.length === 0) return;
        searched += 1;
        const q = words.join(' ');
        expect([q, await app.get(IndexSearch).misses(mail, q)]).toEqual([q, false]);
      }),
    );
    expect(searched).toBeGreaterThan(50);
  });

  it('should be looked up in the index, and not in the row of the mail', async () => {
    const { queryRows } = IndexProbesRepository.prototype as any;
    let plan = '';
    const probes: any = app.get(IndexProbesRepository);
    jest.spyOn(probes, 'queryRows').mockImplementation(async (...all: unknown[]) => {
      const [shape, sql, parameters, transaction] = all as [any, string, unknown[], any];
      const rows: object[] = await transaction.manager.query(`EXPLAIN ${sql}`, parameters);
      plan = rows.map((row) => String(Object.values(row)[0])).join('\n');
      return queryRows.call(probes, shape, sql, parameters, transaction);
    });
    await app.get(IndexSearch).misses(mail, '"copper" "pipes"');
    expect(plan).toContain('archived_mail_words_search_idx');
  });
});
