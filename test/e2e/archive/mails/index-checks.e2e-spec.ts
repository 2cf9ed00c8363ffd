import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AttachedTextsService } from '../../../../src/archive/mails/attached-texts/attached-texts.service';
import { DocumentReader } from '../../../../src/archive/mails/attached-texts/document-reader';
import { IndexChecksCron } from '../../../../src/archive/mails/index-checks/index-checks.cron';
import { IndexProbesRepository } from '../../../../src/archive/mails/index-checks/index-probes.repository';
import { IndexChecksService } from '../../../../src/archive/mails/index-checks/index-checks.service';
import { OutdatedMailsService } from '../../../../src/archive/mails/rereading/outdated-mails.service';
import { startTestApp, TestApp } from '../../../support/app';
import { eml, emlWithAttachment } from '../../../support/archive/eml';
import { pdfWith } from '../../../support/archive/pdf-file';
import { EncryptedArchive } from '../../../support/encryption/encrypted-archive';
import type { TestUser } from '../../../support/test-user';

const BILL = emlWithAttachment({
  subject: 'Repair',
  text: 'copper pipes for the kitchen',
  disposition: 'filename="bill.pdf"',
  mimeType: 'application/pdf',
  content: pdfWith(['invoice of the plumber']),
});
const LETTER = eml('From: <ada@example.com>', 'Subject: Holidays', '', 'We are rowing on the lake.');
const LONG = eml(
  'From: <reports@example.com>',
  'Subject: Report',
  '',
  Array.from({ length: 30_000 }, (_, index) => `item${index}`).join('\r\n'),
);

describe('Checks of the search index', () => {
  let app: TestApp;
  let user: TestUser;
  let sut: EncryptedArchive;
  let boxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
  });

  beforeEach(async () => {
    user = await app.user();
    sut = await EncryptedArchive.connect(app, user, `checks${(boxes += 1)}-0@sandbox.mailroom.test`);
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app?.close());

  const never = new AbortController().signal;
  const account = (): { id: string; userId: string; provider: string } => ({
    id: sut.accountId,
    userId: user.id,
    provider: 'gmail',
  });
  const check = (signal = never): Promise<string> => app.get(IndexChecksService).checkSome(account(), signal);
  const readFiles = (): Promise<string> => app.get(AttachedTextsService).readSome(account(), never);
  const rereadMails = (): Promise<string> => app.get(OutdatedMailsService).rereadSome(account(), never);
  const query = (sql: string, ...parameters: unknown[]): Promise<any[]> =>
    app.dataSource.query(sql, [sut.accountId, ...parameters]);
  const ledger = async (): Promise<any> => (await user.api.get(`${sut.path}/index`)).body;
  const latest = async (): Promise<any> => (await ledger()).check;
  const search = async (q: string): Promise<string[]> => {
    const { body } = await user.api.get(`${sut.path}/mails?q=${encodeURIComponent(q)}`);
    return body.mails.map(({ subject }: { subject: string }) => subject).sort();
  };
  const index = (): Promise<any[]> =>
    Promise.all([
      query('SELECT mail_id, words::text FROM archived_mail_words WHERE account_id = $1 ORDER BY mail_id'),
      query(
        `SELECT mail_id, text, words::text FROM archived_attachment_pages WHERE account_id = $1 ORDER BY mail_id, number`,
      ),
      query('SELECT mail_id, words::text FROM archived_mail_passages WHERE account_id = $1 ORDER BY 1, 2'),
    ]);
  /** Heals what a check has found. */
  async function readAgain(): Promise<void> {
    expect(await rereadMails()).toBe('done');
    expect(await readFiles()).toBe('done');
  }

  it('should find all of a sound archive, however long its mails are', async () => {
    expect(await latest()).toBeNull();
    await sut.insertAndArchive(BILL, LETTER, LONG);
    await readFiles();
    const before = await index();
    for (let repeated = 0; repeated < 5; repeated++) expect(await check()).toBe('done');
    expect(await latest()).toEqual({
      started_at: expect.any(String),
      ended_at: expect.any(String),
      mails: 3,
      attachments: 1,
      mismatches: 0,
      unreadable: 0,
    });
    expect(await index()).toEqual(before);
    expect((await ledger()).mails).toMatchObject({ indexed: 3, waiting: 0 });
  });

  it.each([
    ['lost', `UPDATE archived_mail_words SET words = '', padding = DEFAULT WHERE account_id = $1`],
    [
      'of another mail',
      `UPDATE archived_mail_words SET words = 'other:1A', padding = DEFAULT WHERE account_id = $1`,
    ],
    ['gone with their row', 'DELETE FROM archived_mail_words WHERE account_id = $1'],
  ])('should find and heal a mail whose words are %s', async (_, damage) => {
    await sut.insertAndArchive(LETTER);
    const before = await index();
    await query(damage);
    expect(await search('rowing')).toEqual([]);

    expect(await check()).toBe('done');

    expect(await latest()).toMatchObject({ mails: 1, mismatches: 1 });
    expect((await ledger()).mails).toMatchObject({ indexed: 0, waiting: 1 });
    await readAgain();
    expect(await search('rowing')).toEqual(['Holidays']);
    expect(await index()).toEqual(before);
    expect(await check()).toBe('done');
    expect(await latest()).toMatchObject({ mails: 1, mismatches: 0 });
  });

  it('should find and heal a long mail whose passages are lost', async () => {
    await sut.insertAndArchive(LONG);
    await query('DELETE FROM archived_mail_passages WHERE account_id = $1');
    await check();
    expect(await latest()).toMatchObject({ mismatches: 1 });
    await readAgain();
    expect(await search('item29999')).toEqual(['Report']);
  });

  it.each([
    ['page', `UPDATE archived_attachment_pages SET words = '' WHERE account_id = $1`],
    ['pages are gone', 'DELETE FROM archived_attachment_pages WHERE account_id = $1'],
    [
      'words are not in those of its mail',
      `UPDATE archived_mail_words SET words = ts_delete(words, ARRAY['invoice', 'of', 'plumber']), padding = DEFAULT
        WHERE account_id = $1`,
    ],
  ])('should find and heal an attachment whose %s', async (_, damage) => {
    await sut.insertAndArchive(BILL);
    await readFiles();
    await query(damage);
    expect(await check()).toBe('done');
    expect(await latest()).toMatchObject({ mails: 1, attachments: 1, mismatches: 1 });
    expect((await ledger()).attachments).toMatchObject({ waiting: 1 });
    await readAgain();
    expect(await search('file:plumber copper')).toEqual(['Repair']);
    expect(await search('plumber copper')).toEqual(['Repair']);
    await check();
    expect(await latest()).toMatchObject({ mismatches: 0, attachments: 1 });
  });

  it('should remove what is left of the text of encrypted mail', async () => {
    await sut.insertAndArchive(BILL, LETTER);
    await readFiles();
    await sut.setUp();
    await sut.encrypt();
    const sound = await index();
    await check();
    expect(await latest()).toMatchObject({ mails: 2, mismatches: 0 });
    await query(
      `UPDATE archived_mail_words SET words = words || 'rowing:9000'::tsvector, padding = DEFAULT WHERE account_id = $1`,
    );
    await query(`UPDATE archived_mails SET snippet = 'We are rowing' WHERE account_id = $1`);
    expect(await search('rowing')).toEqual(['Holidays', 'Repair']);

    await check();

    expect(await latest()).toMatchObject({ mails: 2, mismatches: 2 });
    expect(await search('rowing')).toEqual([]);
    expect(await index()).toEqual(sound);
    expect(await query(`SELECT FROM archived_mails WHERE account_id = $1 AND snippet <> ''`)).toEqual([]);
    await query(`UPDATE archived_attachments SET content_sha256 = 'x' WHERE account_id = $1`);
    await check();
    expect(await latest()).toMatchObject({ mismatches: 1 });
    await check();
    expect(await latest()).toMatchObject({ mismatches: 0 });
  });

  it('should leave mails to the integrity check whose files are lost or altered', async () => {
    await sut.insertAndArchive(LETTER, BILL);
    const [first, second] = (await sut.files()).map((key) => join(app.archiveDir, key)) as [string, string];
    await rename(first, `${first}.away`);
    const bytes = await readFile(second);
    bytes[bytes.length - 3] = 0x21;
    await writeFile(second, bytes);
    expect(await check()).toBe('done');
    expect(await latest()).toMatchObject({ mails: 0, mismatches: 0, unreadable: 2 });
    expect((await ledger()).mails).toMatchObject({ indexed: 2 });
  });

  it('should pass over mails that wait to be read anyway', async () => {
    await sut.insertAndArchive(LETTER);
    await query('UPDATE archived_mails SET reader_version = 0 WHERE account_id = $1');
    await check();
    expect(await latest()).toMatchObject({ mails: 0, mismatches: 0 });
  });

  it('should not take for a mismatch a mail that is read again meanwhile', async () => {
    await sut.insertAndArchive(LETTER);
    await query(`UPDATE archived_mail_words SET words = '', padding = DEFAULT WHERE account_id = $1`);
    const service: any = app.get(IndexChecksService);
    const { healer } = service.checker;
    const { healPlain } = healer;
    jest.spyOn(healer, 'healPlain').mockImplementationOnce(async (...parameters) => {
      await query('UPDATE archived_mails SET reader_version = 0 WHERE account_id = $1');
      await rereadMails();
      return healPlain.apply(healer, parameters);
    });
    await check();
    expect(await latest()).toMatchObject({ mails: 1, mismatches: 0 });
    expect((await ledger()).mails).toMatchObject({ indexed: 1 });
  });

  it('should not take a search for a mismatch that takes too long', async () => {
    await sut.insertAndArchive(LETTER);
    const tooLong = Object.assign(new Error('canceling statement due to statement timeout'), {
      code: '57014',
    });
    jest.spyOn(app.get(IndexProbesRepository), 'isFound').mockRejectedValueOnce(tooLong);
    expect(await check()).toBe('done');
    expect(await latest()).toMatchObject({ mails: 1, mismatches: 0 });
  });

  it('should resume after an interruption', async () => {
    await sut.insertAndArchive(LETTER, BILL, LONG);
    const stop = new AbortController();
    const service: any = app.get(IndexChecksService);
    const checkOne = service.checker.check.bind(service.checker);
    let checked = 0;
    jest.spyOn(service.checker, 'check').mockImplementation(async (...parameters) => {
      if ((checked += 1) === 3) stop.abort(new Error('stopped'));
      stop.signal.throwIfAborted();
      return checkOne(...parameters);
    });
    await expect(check(stop.signal)).rejects.toThrow('stopped');
    const interrupted = await latest();
    expect(interrupted).toMatchObject({ ended_at: null, mails: 2 });
    jest.restoreAllMocks();
    await query('UPDATE archive_index_checks SET wanted = 3 WHERE account_id = $1');
    expect(await check()).toBe('done');
    expect(await latest()).toMatchObject({
      started_at: interrupted.started_at,
      ended_at: expect.any(String),
      mails: 3,
    });
  });

  it('should leave attachments out where documents cannot be read', async () => {
    await sut.insertAndArchive(BILL);
    await readFiles();
    jest.spyOn(app.get(DocumentReader), 'read').mockResolvedValue({ kind: 'missing', reason: 'no python3' });
    expect(await check()).toBe('done');
    expect(await latest()).toMatchObject({ mails: 1, attachments: 0, mismatches: 0 });
  });

  it('should be made by the schedule, unless that is turned off', async () => {
    await sut.insertAndArchive(LETTER);
    const cron: any = app.get(IndexChecksCron);
    const { config } = cron;
    cron.config = { jobs: { indexCheckMails: 0 } };
    await cron.checkDue();
    expect(await latest()).toBeNull();
    cron.config = config;
    await cron.checkDue();
    expect(await latest()).toMatchObject({ mails: 1, mismatches: 0 });
    await query(`UPDATE archived_mail_words SET words = '', padding = DEFAULT WHERE account_id = $1`);
    await cron.checkDue();
    expect(await latest()).toMatchObject({ mismatches: 0 });
  });
});
