import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PiiModule } from '../../../../src/privacy/pii/pii.module';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import { CARD, MAILS, plainMail } from '../../../support/pii/mails-with-pii';

describe('Personal data in the archive', () => {
  let app: Feature;
  let user: FeatureUser;
  let sut: ArchiveFixture;
  let mailId: string;
  let firstScan: any;

  beforeAll(async () => {
    app = await startFeature({ modules: [PiiModule] });
    user = await app.user();
    sut = await ArchiveFixture.connect(app, user, 'pii-1@sandbox.mailroom.test');
    [mailId = ''] = await sut.insertAndArchive(...MAILS);
    firstScan = await scan();
  });

  afterAll(() => app?.close());

  const path = (suffix = ''): string => `/api/privacy/${sut.accountId}/pii${suffix}`;

  async function scan(): Promise<any> {
    const { status, body } = await user.api.post(path('/scan'));
    expect(status).toBe(202);
    return user.jobEnd(body.jobId as string);
  }

  it('should find every type in every part, and count values once', async () => {
    expect(firstScan).toMatchObject({
      status: 'completed',
      total: 4,
      processed: 4,
      failed: 0,
      progress: 100,
    });
    expect(firstScan.result).toEqual({
      scanned: 4,
      skippedEncrypted: 0,
      findings: 7,
      affectedMails: 2,
      byType: { credit_card: 1, iban: 1, french_ssn: 1, password_plain: 1, phone_fr: 3 },
      truncated: 0,
      failures: [],
    });
    const { body } = await user.api.get(path(`?limit=100`));
    expect(body.total).toBe(6);
    const ofMail = body.items.filter((item: any) => item.archived_mail_id === mailId);
    expect(ofMail.map((item: any) => [item.pii_type, item.count, item.snippet]).sort()).toEqual([
      ['credit_card', 1, '**** **** **** 1111'],
      ['french_ssn', 1, '* ** ** ** *** *** **'],
      ['iban', 1, 'FR76 **** **** **** **** **** ***'],
      ['password_plain', 1, '********'],
      ['phone_fr', 2, '** ** ** ** **'],
    ]);
    expect(ofMail[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      archived_mail_id: mailId,
      pii_type: expect.any(String),
      count: expect.any(Number),
      snippet: expect.any(String),
      scanned_at: expect.stringMatching(/^\d{4}-.*Z$/),
      subject: `Ma carte ${CARD}`,
      sender: 'Alice Example <alice@example.com>',
      date: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it('should list newest mail first, in pages, and by type', async () => {
    const all = (await user.api.get(path('?limit=100'))).body.items as any[];
    expect(all.map(({ date }) => date)).toEqual([...all.map(({ date }) => date)].sort().reverse());
    const paged: any[] = [];
    for (const page of [1, 2, 3]) {
      const { body } = await user.api.get(path(`?limit=2&page=${page}`));
      expect(body).toMatchObject({ total: 6, page, limit: 2 });
      paged.push(...body.items);
    }
    expect(paged).toEqual(all);
    expect((await user.api.get(path('?limit=2&page=4'))).body.items).toEqual([]);
    const phones = (await user.api.get(path('?piiType=phone_fr&limit=1000'))).body;
    expect(phones).toMatchObject({ total: 2, limit: 100 });
    expect(phones.items.every((item: any) => item.pii_type === 'phone_fr')).toBe(true);
    expect((await user.api.get(path('?piiType=iban&page=2'))).body).toMatchObject({ items: [], total: 1 });
  });

  it('should add up values in its figures', async () => {
    expect((await user.api.get(path('/stats'))).body).toEqual({
      totalFindings: 7,
      affectedMails: 2,
      byType: [
        { type: 'credit_card', count: 1 },
        { type: 'iban', count: 1 },
        { type: 'french_ssn', count: 1 },
        { type: 'password_plain', count: 1 },
        { type: 'phone_fr', count: 3 },
      ],
    });
  });

  it('should replace findings when the mail is scanned again', async () => {
    const before = (await user.api.get(path('?limit=100'))).body.items as any[];
    const again = await scan();
    expect(again.result.findings).toBe(7);
    const after = (await user.api.get(path('?limit=100'))).body.items as any[];
    const facts = (items: any[]): unknown[] => items.map(({ id, scanned_at, ...rest }) => rest);
    expect(facts(after)).toEqual(facts(before));
    expect(after[0].scanned_at > before[0].scanned_at).toBe(true);
    // Findings that are no longer in the mail are deleted, even when none are left.
    await app.query(
      `INSERT INTO pii_findings (id, account_id, mail_id, mail_date, pii_type, is_first, count, snippet)
       SELECT gen_random_uuid(), account_id, id, date, 'iban', true, 1, 'FR76' FROM archived_mails
        WHERE account_id = $1 AND subject = 'later'`,
      [sut.accountId],
    );
    await scan();
    expect((await user.api.get(path())).body.total).toBe(6);
  });

  it('should skip encrypted mail, keep its findings, and continue past damaged and missing files', async () => {
    const [encrypted, missing, altered] = await sut.insertAndArchive(
      plainMail('encrypted', `card ${CARD}`),
      plainMail('missing', `card ${CARD}`),
      plainMail('altered', `card ${CARD}`),
    );
    await scan();
    const rows = [...(await sut.rows()).values()];
    const keyOf = (id?: string): string => rows.find((row) => row.id === id)!.storage_key as string;
    await app.query('UPDATE archived_mails SET is_encrypted = true WHERE id = $1', [encrypted]);
    await rm(join(app.archiveDir, keyOf(missing)));
    await writeFile(join(app.archiveDir, keyOf(altered)), plainMail('altered', 'card 5555 5555 5555 4444'));
    const job = await scan();
    expect(job).toMatchObject({ status: 'completed', total: 7, processed: 5, failed: 2 });
    expect(job.result).toMatchObject({ scanned: 4, skippedEncrypted: 1, findings: 7, affectedMails: 2 });
    expect(job.result.failures).toEqual(
      expect.arrayContaining([
        { item: missing, code: 'archived-file-missing', reason: 'archived-file-missing' },
        { item: altered, code: 'archived-file-altered', reason: 'archived-file-altered' },
      ]),
    );
    const { body } = await user.api.get(path('?piiType=credit_card'));
    expect(body.items.map((item: any) => item.archived_mail_id)).toContain(encrypted);
    await app.query('DELETE FROM archived_mails WHERE id = ANY ($1)', [[encrypted, missing, altered]]);
    expect((await user.api.get(path('?piiType=credit_card'))).body.total).toBe(1);
  });
});
