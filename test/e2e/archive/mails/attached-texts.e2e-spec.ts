import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { AttachedTextsCron } from '../../../../src/archive/mails/attached-texts/attached-texts.cron';
import { AttachedTextsService } from '../../../../src/archive/mails/attached-texts/attached-texts.service';
import { DocumentReader } from '../../../../src/archive/mails/attached-texts/document-reader';
import { OutdatedMailsService } from '../../../../src/archive/mails/rereading/outdated-mails.service';
import { ArchiveStores } from '../../../../src/archive/files/archive-store.port';
import { startTestApp, TestApp } from '../../../support/app';
import { sha256 } from '../../../support/archive/archive-fixture';
import { emlWithAttachment } from '../../../support/archive/eml';
import { pdfWith } from '../../../support/archive/pdf-file';
import { EncryptedArchive } from '../../../support/encryption/encrypted-archive';
import { attachedFile, CODEPAGE_1252, tnefFile } from '../../../support/mime/tnef-file';
import type { TestUser } from '../../../support/test-user';

const PDF = pdfWith(['the first page', 'invoice of the plumber']);
const withFile = (subject: string, name: string, content: Buffer, mimeType?: string): Buffer =>
  emlWithAttachment({
    subject,
    text: 'copper pipes',
    disposition: `filename="${name}"`,
    content,
    ...(mimeType === undefined ? {} : { mimeType }),
  });
const MAIL = withFile('Repair', 'bill.pdf', PDF, 'application/pdf');

describe('Text of attachments in the archive', () => {
  let app: TestApp;
  let user: TestUser;
  let sut: EncryptedArchive;
  let boxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
  });

  beforeEach(async () => {
    user = await app.user();
    sut = await EncryptedArchive.connect(app, user, `files${(boxes += 1)}-0@sandbox.mailroom.test`);
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app?.close());

  const never = new AbortController().signal;
  const account = (): { id: string; userId: string; provider: string } => ({
    id: sut.accountId,
    userId: user.id,
    provider: 'gmail',
  });
  const read = (signal = never): Promise<string> => app.get(AttachedTextsService).readSome(account(), signal);
  const query = (sql: string, ...parameters: unknown[]): Promise<any[]> =>
    app.dataSource.query(sql, [sut.accountId, ...parameters]);
  const states = (): Promise<any[]> =>
    query(
      `SELECT filename, text_state AS state, text_reason AS reason, text_attempts AS attempts
         FROM archived_attachments WHERE account_id = $1 ORDER BY filename`,
    );
  const pages = (): Promise<any[]> =>
    query(
      `SELECT number, member, kind, name, text FROM archived_attachment_pages WHERE account_id = $1 ORDER BY number, id`,
    );
  const words = async (): Promise<string[]> =>
    (await query('SELECT words::text FROM archived_mail_words WHERE account_id = $1 ORDER BY mail_id')).map(
      (row) => row.words as string,
    );
  const search = async (q: string): Promise<string[]> => {
    const answer = await user.api.get(`${sut.path}/mails?q=${encodeURIComponent(q)}`);
    expect([q, answer.status]).toEqual([q, 200]);
    return answer.body.mails.map(({ subject }: { subject: string }) => subject).sort();
  };

  it('should be found with the words of the mail, by page and by hash', async () => {
    await sut.insertAndArchive(MAIL, withFile('Other', 'logo.png', Buffer.from('\x89PNG\r\n\x1a\n')));
    expect(await search('plumber')).toEqual([]);

    expect(await read()).toBe('done');

    expect(await search('copper plumber')).toEqual(['Repair']);
    expect(await search('file:plumber')).toEqual(['Repair']);
    expect(await search('file:bill')).toEqual(['Repair']);
    for (const q of ['copper plumber', 'file:plumber', 'invoice OR nothing-has-this']) {
      const { body } = await user.api.get(`/api/search?place=archive&q=${encodeURIComponent(q)}`);
      const excerpt = body.results[0].excerpts.find(({ field }: { field: string }) => field === 'file');
      expect([q, excerpt]).toMatchObject([
        q,
        {
          text: 'invoice of the plumber',
          file: { filename: 'bill.pdf', member: null, kind: 'page', name: '2' },
        },
      ]);
    }
    expect(await search('file:"invoice of the plumber"')).toEqual(['Repair']);
    expect(await search('file:copper')).toEqual([]);
    expect(await search('"page invoice"')).toEqual(['Repair']);
    expect(await search('"pipes the first"')).toEqual([]);
    expect(await search(`hash:${sha256(PDF)}`)).toEqual(['Repair']);
    expect(await search(`hash:${sha256(MAIL)}`)).toEqual([]);
    expect(await states()).toEqual([
      { filename: 'bill.pdf', state: 'indexed', reason: null, attempts: 1 },
      { filename: 'logo.png', state: 'nothing', reason: null, attempts: 1 },
    ]);
    expect(await pages()).toEqual([
      { number: 0, member: null, kind: 'page', name: '1', text: 'the first page' },
      { number: 1, member: null, kind: 'page', name: '2', text: 'invoice of the plumber' },
    ]);
    expect((await sut.totals()).kept).toEqual((await sut.totals()).counted);
  });

  it('should not be taken for missing from files that are not read yet', async () => {
    await sut.insertAndArchive(MAIL, withFile('Other', 'a.csv', Buffer.from('a,b\n1,2\n'), 'text/csv'));
    expect(await search('-file:plumber')).toEqual([]);
    expect(await search(`-hash:${sha256(PDF)}`)).toEqual([]);
    await read();
    expect(await search('-file:plumber')).toEqual(['Other']);
    expect(await search(`-hash:${sha256(PDF)}`)).toEqual(['Other']);
    expect(await search('file:plumber OR subject:other')).toEqual(['Other', 'Repair']);
  });

  it('should refuse what is no hash', async () => {
    const { status, body } = await user.api.get(`${sut.path}/mails?q=hash:abc`);
    expect([status, body.code]).toEqual([400, 'search-term-unsupported']);
  });

  it('should say why files cannot be read, and keep them from being read again', async () => {
    await sut.insertAndArchive(
      withFile('Broken', 'broken.pdf', Buffer.from('%PDF-1.7 and nothing else'), 'application/pdf'),
      withFile('Empty', 'empty.pdf', Buffer.alloc(0), 'application/pdf'),
    );
    expect(await read()).toBe('done');
    const found = [
      { filename: 'broken.pdf', state: 'failed', reason: 'damaged', attempts: 1 },
      { filename: 'empty.pdf', state: 'nothing', reason: null, attempts: 1 },
    ];
    expect(await states()).toEqual(found);
    expect(await read()).toBe('done');
    expect(await states()).toEqual(found);
  });

  it('should read files in winmail.dat', async () => {
    const content = tnefFile(CODEPAGE_1252, ...attachedFile('offer.pdf', pdfWith(['a heron'])));
    await sut.insertAndArchive(withFile('Outlook', 'winmail.dat', content, 'application/ms-tnef'));
    expect(await read()).toBe('done');
    expect(await search('file:heron')).toEqual(['Outlook']);
  });

  it('should have long texts in several vectors', async () => {
    const text = Array.from({ length: 40_000 }, (_, index) => `n${index}`).join(' ');
    await sut.insertAndArchive(withFile('Long', 'long.csv', Buffer.from(`${text},\n`), 'text/csv'));
    expect(await read()).toBe('done');
    expect((await pages()).length).toBeGreaterThan(1);
    expect(await search('file:"n39998 n39999"')).toEqual(['Long']);
    expect(await search('copper "n39998 n39999"')).toEqual(['Long']);
  });

  it('should be removed when its mail is encrypted', async () => {
    await sut.insertAndArchive(MAIL);
    await read();
    await sut.setUp();
    await sut.encrypt();
    expect(await search('plumber')).toEqual([]);
    expect(await search('file:plumber')).toEqual([]);
    expect(await search('file:bill')).toEqual(['Repair']);
    expect(await search('-file:plumber')).toEqual([]);
    expect(await search(`hash:${sha256(PDF)}`)).toEqual([]);
    expect(await pages()).toEqual([]);
    expect((await words()).join()).not.toContain('plumber');
    const encrypted = { filename: 'bill.pdf', state: 'encrypted', reason: 'mail' };
    expect(await states()).toMatchObject([encrypted]);
    await query(`UPDATE archived_attachments SET text_state = 'waiting' WHERE account_id = $1`);
    expect(await read()).toBe('done');
    expect(await states()).toMatchObject([encrypted]);
  });

  it('should not be recorded when its mail is encrypted meanwhile', async () => {
    await sut.insertAndArchive(MAIL);
    await sut.setUp();
    const documents = app.get(DocumentReader);
    const { read: readDocument } = documents;
    jest.spyOn(documents, 'read').mockImplementationOnce(async (...parameters) => {
      const outcome = await readDocument.apply(documents, parameters);
      await sut.encrypt();
      return outcome;
    });
    await read();
    expect(await pages()).toEqual([]);
    expect((await words()).join()).not.toContain('plumber');
    expect(await states()).toMatchObject([{ state: 'encrypted', reason: 'mail' }]);
  });

  it('should come back when its mail is read again', async () => {
    await sut.insertAndArchive(MAIL);
    await read();
    const before = [await words(), await pages()];
    await query('UPDATE archived_mails SET reader_version = 0 WHERE account_id = $1');
    expect(await app.get(OutdatedMailsService).rereadSome(account(), never)).toBe('done');
    expect(await states()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    expect(await search('file:plumber')).toEqual(['Repair']);
    await read();
    expect([await words(), await pages()]).toEqual(before);
  });

  it('should lose the text of a part that is another one by now', async () => {
    await sut.insertAndArchive(MAIL);
    await read();
    await query(`UPDATE archived_attachments SET filename = 'x', is_in_words = false WHERE account_id = $1`);
    await query('UPDATE archived_mails SET reader_version = 0 WHERE account_id = $1');
    await app.get(OutdatedMailsService).rereadSome(account(), never);
    expect(await pages()).toEqual([]);
    expect(await states()).toMatchObject([{ filename: 'bill.pdf', state: 'waiting', attempts: 0 }]);
  });

  it('should give up a file that ends its process three times, counted before it is read', async () => {
    await sut.insertAndArchive(MAIL);
    const attempts: number[] = [];
    const crash = jest.spyOn(app.get(DocumentReader), 'read').mockImplementation(async () => {
      attempts.push((await states())[0].attempts);
      return { kind: 'crashed', reason: 'killed' };
    });
    expect([await read(), await read(), await read(), await read()]).toEqual([
      'left-over',
      'left-over',
      'done',
      'done',
    ]);
    expect(attempts).toEqual([1, 2, 3]);
    expect(crash).toHaveBeenCalledTimes(3);
    expect(await states()).toMatchObject([{ state: 'failed', reason: 'crashed' }]);
  });

  it('should give up a file in whose readings the service has ended three times', async () => {
    await sut.insertAndArchive(MAIL);
    await query('UPDATE archived_attachments SET text_attempts = 3 WHERE account_id = $1');
    const readDocument = jest.spyOn(app.get(DocumentReader), 'read');
    expect(await read()).toBe('done');
    expect(readDocument).not.toHaveBeenCalled();
    expect(await states()).toMatchObject([{ state: 'failed', reason: 'crashed' }]);
  });

  it('should not count an interruption as an attempt', async () => {
    await sut.insertAndArchive(MAIL);
    const stop = new AbortController();
    jest.spyOn(app.get(DocumentReader), 'read').mockImplementationOnce(() => {
      stop.abort(new Error('stopped'));
      return Promise.reject(stop.signal.reason as Error);
    });
    await expect(read(stop.signal)).rejects.toThrow('stopped');
    expect(await states()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    expect(await read()).toBe('done');
    expect(await search('file:plumber')).toEqual(['Repair']);
  });

  it('should wait on a machine that cannot read documents', async () => {
    await sut.insertAndArchive(MAIL);
    jest
      .spyOn(app.get(DocumentReader), 'read')
      .mockResolvedValueOnce({ kind: 'missing', reason: 'no python3' });
    expect(await read()).toBe('unreadable');
    expect(await states()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
  });

  it('should wait while its store has no file at all', async () => {
    await sut.insertAndArchive(MAIL);
    const file = join(app.archiveDir, (await sut.files())[0]!);
    await rename(file, `${file}.away`);
    const store = await app.get(ArchiveStores).find('local');
    jest.spyOn(store, 'list').mockImplementation(async function* () {});
    expect(await read()).toBe('left-over');
    expect(await states()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    await rename(`${file}.away`, file);
    expect(await read()).toBe('done');
    expect(await states()).toMatchObject([{ state: 'indexed' }]);
  });

  it.each(['alone', 'with others'])('should give up a file that its store has lost, %s', async (company) => {
    await sut.insertAndArchive(withFile('Kept', 'a.csv', Buffer.from('a,b\n'), 'text/csv'));
    if (company === 'alone') await read();
    const [lost] = await sut.insertAndArchive(MAIL);
    const [{ storage_key: key }] = await query(
      'SELECT storage_key FROM archived_mails WHERE account_id = $1 AND id = $2',
      lost,
    );
    const file = join(app.archiveDir, key);
    await rename(file, `${file}.away`);
    expect(await read()).toBe('done');
    const failed = [{ state: 'indexed' }, { state: 'failed', reason: 'missing' }];
    expect(await states()).toMatchObject(failed);
    expect(await search('file:b')).toEqual(['Kept']);

    const lookAgain = async (): Promise<void> => {
      await query(`DELETE FROM account_chores WHERE account_id = $1 AND chore = 'retry_lost_attachments'`);
      await app.get(AttachedTextsCron).retryLost();
      await read();
    };
    await lookAgain();
    expect(await states()).toMatchObject(failed);
    await rename(`${file}.away`, file);
    await lookAgain();
    expect(await states()).toMatchObject([{ state: 'indexed' }, { state: 'indexed' }]);
    expect(await search('file:plumber')).toEqual(['Repair']);
  });

  it('should not be read by two at a time, and go with its mail', async () => {
    const [id] = await sut.insertAndArchive(MAIL);
    expect(await Promise.all([read(), read()])).toEqual(['done', 'done']);
    expect((await pages()).length).toBe(2);
    const { status, body } = await user.api.post(`${sut.path}/delete`, { mailIds: [id], confirmedCount: 1 });
    expect(status).toBe(202);
    expect(await user.jobEnd(body.jobId as string)).toMatchObject({ status: 'completed' });
    expect(await pages()).toEqual([]);
  });

  it('should end with its account', async () => {
    await sut.insertAndArchive(MAIL);
    jest.spyOn(app.get(DocumentReader), 'read').mockImplementationOnce(async () => {
      await query('DELETE FROM mailbox_accounts WHERE id = $1');
      return { kind: 'read', reading: { pages: [], problem: null, pictures: [], pictureFiles: [] } };
    });
    expect(await read()).toBe('done');
    expect(await states()).toEqual([]);
  });

  it('should be read by the schedule, unless that is turned off', async () => {
    await sut.insertAndArchive(MAIL);
    const cron: any = app.get(AttachedTextsCron);
    const { config } = cron;
    cron.config = { jobs: { readAttachments: false } };
    await cron.readDue();
    expect(await states()).toMatchObject([{ state: 'waiting' }]);
    cron.config = config;
    await query(`DELETE FROM account_chores WHERE account_id = $1 AND chore = 'read_attachments'`);
    await cron.readDue();
    expect(await search('file:plumber')).toEqual(['Repair']);
  });
});
