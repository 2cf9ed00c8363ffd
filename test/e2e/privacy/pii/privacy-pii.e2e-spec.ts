import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import type { TestUser } from '../../../support/test-user';

const CARD = '4111 1111 1111 1111';
const IBAN = 'FR76 3000 6000 0112 3456 7890 189';
const SSN = '2 95 10 99 126 111 93';
const PHONE = '06 12 34 56 78';
const PASSWORD = 'Tr0ub4dor&3';
const CLEAR = [CARD, IBAN, SSN, PHONE, PASSWORD].flatMap((value) => [value, value.replaceAll(' ', '')]);

const base64 = (text: string, encoding: BufferEncoding): string =>
  Buffer.from(text, encoding).toString('base64');

/** A mail with every type, each in a separate part: encodings, charsets, HTML, an attachment, an embedded message. */
const everything = eml(
  'From: Alice Example <alice@example.com>',
  'To: Bob Example <bob@example.com>',
  `Subject: =?utf-8?B?${base64(`Ma carte ${CARD}`, 'utf8')}?=`,
  'Message-ID: <everything@example.com>',
  'Date: Mon, 01 Jan 2024 10:00:00 +0000',
  'Content-Type: multipart/mixed; boundary="cut"',
  '',
  '--cut',
  'Content-Type: multipart/alternative; boundary="alt"',
  '',
  '--alt',
  'Content-Type: text/plain; charset=utf-16le',
  'Content-Transfer-Encoding: base64',
  '',
  base64(`IBAN : ${IBAN}`, 'utf16le'),
  '--alt',
  'Content-Type: text/html; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  `<p>IBAN : ${IBAN.replace('3000', '<b>30</b>00')}</p><p>N=B0 de s=E9curit=E9 sociale&nbsp;: ${SSN.replaceAll(' ', '&nbsp;')}</p>`,
  '--alt--',
  '--cut',
  'Content-Type: text/csv; charset=utf-8',
  'Content-Disposition: attachment; filename="contacts.csv"',
  'Content-Transfer-Encoding: base64',
  '',
  base64(`name;phone\r\nBob;${PHONE}\r\nEve;${PHONE.replaceAll(' ', '')}\r\nZoe;07 98 76 54 32\r\n`, 'utf8'),
  '--cut',
  'Content-Type: message/rfc822',
  '',
  'Subject: forwarded',
  '',
  `Votre mot de passe est ${PASSWORD}`,
  '--cut--',
  '',
);

const mail = (subject: string, text: string): Buffer =>
  eml(
    'From: Carol Example <carol@example.com>',
    'To: bob@example.com',
    `Subject: ${subject}`,
    `Message-ID: <${subject}@example.com>`,
    '',
    text,
    '',
  );

describe('Personal data in the archive', () => {
  let app: TestApp;
  let user: TestUser;
  let sut: ArchiveFixture;
  let mailId: string;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    sut = await ArchiveFixture.connect(app, user, 'pii-1@sandbox.mailroom.test');
    [mailId = ''] = await sut.insertAndArchive(
      everything,
      mail('hard', 'Order 4111111111111111, SIRET 732 829 320 00074. Password: ********'),
      mail('phone', `Call ${PHONE}`),
      mail('later', 'nothing yet'),
    );
  });

  afterAll(() => app?.close());

  const path = (suffix = ''): string => `/api/privacy/${sut.accountId}/pii${suffix}`;

  async function scan(): Promise<any> {
    const { status, body } = await user.api.post(path('/scan'));
    expect(status).toBe(202);
    expect(body).toEqual({ jobId: expect.stringMatching(/^scan_pii-\d+$/), message: expect.any(String) });
    return user.jobEnd(body.jobId as string);
  }

  it('should have no findings before the first scan', async () => {
    const { status, body } = await user.api.get(path('/stats'));
    expect(status).toBe(200);
    expect(body).toEqual({
      totalFindings: 0,
      affectedMails: 0,
      byType: ['credit_card', 'iban', 'french_ssn', 'password_plain', 'phone_fr'].map((type) => ({
        type,
        count: 0,
      })),
    });
    expect((await user.api.get(path())).body).toEqual({ items: [], total: 0, page: 1, limit: 50 });
  });

  it('should find every type in every part, and count values once', async () => {
    const job = await scan();
    expect(job).toMatchObject({ status: 'completed', total: 4, processed: 4, failed: 0, progress: 100 });
    expect(job.result).toEqual({
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

  it.each(['piiType=passport', 'piiType=', 'page=0', 'limit=0', 'page=x'])(
    'should refuse ?%s',
    async (query) => {
      const { status, body } = await user.api.get(path(`?${query}`));
      expect(status).toBe(400);
      expect(body).toMatchObject({ status: 400, errors: [{ field: query.split('=')[0] }] });
    },
  );

  it.each([
    ['GET', '/stats'],
    ['GET', ''],
    ['POST', '/scan'],
  ])('should return %s pii%s to the owner only', async (method, suffix) => {
    const stranger = await app.user();
    expect((await app.anonymous.fetch(method, path(suffix))).status).toBe(401);
    const foreign = await stranger.api.fetch(method, path(suffix));
    expect([foreign.status, ((await foreign.json()) as any).code]).toEqual([403, 'account-not-owned']);
    expect((await user.api.fetch(method, path(suffix).replace(sut.accountId, 'x'))).status).toBe(400);
  });

  /** Apart from the archive's own rows, which have the subject and the words of the mail. */
  it('should not store values anywhere', async () => {
    const tables: { name: string }[] = await app.dataSource.query(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'
        AND tablename NOT IN ('archived_mails', 'archived_mail_words', 'mailbox_messages', 'archived_threads', 'archived_attachments')`,
    );
    expect(tables.map(({ name }) => name)).toContain('pii_findings');
    for (const { name } of tables) {
      const rows: { row: string }[] = await app.dataSource.query(`SELECT t::text AS row FROM ${name} t`);
      for (const { row } of rows) expect(CLEAR.filter((value) => row.includes(value))).toEqual([]);
    }
    const { bytes } = await user.api.get('/api/jobs');
    expect(CLEAR.filter((value) => bytes.toString().includes(value))).toEqual([]);
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
    await app.dataSource.query(
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
      mail('encrypted', `card ${CARD}`),
      mail('missing', `card ${CARD}`),
      mail('altered', `card ${CARD}`),
    );
    await scan();
    const rows = [...(await sut.rows()).values()];
    const keyOf = (id?: string): string => rows.find((row) => row.id === id)!.storage_key as string;
    await app.dataSource.query('UPDATE archived_mails SET is_encrypted = true WHERE id = $1', [encrypted]);
    await rm(join(app.archiveDir, keyOf(missing)));
    await writeFile(join(app.archiveDir, keyOf(altered)), mail('altered', 'card 5555 5555 5555 4444'));
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
    await app.dataSource.query('DELETE FROM archived_mails WHERE id = ANY ($1)', [
      [encrypted, missing, altered],
    ]);
    expect((await user.api.get(path('?piiType=credit_card'))).body.total).toBe(1);
  });

  it('should work for a disconnected account', async () => {
    expect((await user.api.delete(`/api/auth/mailbox/${sut.accountId}`)).status).toBe(204);
    expect((await scan()).result.findings).toBe(7);
    expect((await user.api.get(path('/stats'))).body.totalFindings).toBe(7);
  });
});
