import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AttachedTextIndexer } from '../../../../src/archive/mails/attached-texts/attached-text-indexer';
import { AttachedTextsCron } from '../../../../src/archive/mails/attached-texts/attached-texts.cron';
import { AttachedTextsService } from '../../../../src/archive/mails/attached-texts/attached-texts.service';
import { PictureRecognizer } from '../../../../src/archive/mails/attached-texts/picture-recognizer';
import type { RecognitionOutcome } from '../../../../src/platform/documents/pictures/text-recognition';
import { startTestApp, TestApp } from '../../../support/app';
import { zipOf } from '../../../support/archive/built-archives';
import { emlWithAttachment } from '../../../support/archive/eml';
import { pdfWithPages } from '../../../support/archive/pdf-file';
import { EncryptedArchive } from '../../../support/encryption/encrypted-archive';
import type { TestUser } from '../../../support/test-user';

const fixture = (name: string): Buffer =>
  readFileSync(join(__dirname, '../../../fixtures/documents/pictures', name));
const RECEIPT = fixture('receipt.png');
const WARRANTY = fixture('warranty.jpg');
const withFile = (subject: string, name: string, content: Buffer): Buffer =>
  emlWithAttachment({ subject, text: 'see attached', disposition: `filename="${name}"`, content });

describe('Text of pictures in attachments', () => {
  let app: TestApp;
  let user: TestUser;
  let sut: EncryptedArchive;
  let boxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 }, env: { OCR_LANGUAGES: 'eng+fra' } });
  });

  beforeEach(async () => {
    user = await app.user();
    sut = await EncryptedArchive.connect(app, user, `scans${(boxes += 1)}-0@sandbox.mailroom.test`);
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app?.close());

  const never = new AbortController().signal;
  const account = (): { id: string; userId: string } => ({ id: sut.accountId, userId: user.id });
  const read = (): Promise<string> => app.get(AttachedTextsService).readSome(account(), never);
  const recognize = (signal = never): Promise<string> =>
    app.get(AttachedTextsService).recognizeSome(account(), signal);
  const query = (sql: string, ...parameters: unknown[]): Promise<any[]> =>
    app.dataSource.query(sql, [sut.accountId, ...parameters]);
  const states = (): Promise<any[]> =>
    query(
      `SELECT filename, text_state AS state, text_reason AS reason, text_attempts AS attempts
         FROM archived_attachments WHERE account_id = $1 ORDER BY filename`,
    );
  const pages = (): Promise<any[]> =>
    query(
      'SELECT member, kind, name, text FROM archived_attachment_pages WHERE account_id = $1 ORDER BY attachment_id, number, id',
    );
  const words = async (): Promise<string> =>
    (await query('SELECT words::text FROM archived_mail_words WHERE account_id = $1'))
      .map((row) => row.words as string)
      .join();
  const search = async (q: string): Promise<string[]> => {
    const answer = await user.api.get(`${sut.path}/mails?q=${encodeURIComponent(q)}`);
    expect([q, answer.status]).toEqual([q, 200]);
    return answer.body.mails.map(({ subject }: { subject: string }) => subject).sort();
  };
  /** Runs work while recognition is turned off. */
  const withoutRecognition = async <T>(work: () => Promise<T>): Promise<T> => {
    const holders: any[] = [app.get(AttachedTextsService), app.get(AttachedTextIndexer)];
    const [{ config }] = holders;
    const jobs = { ...config.jobs, ocrLanguages: null };
    for (const holder of holders) holder.config = { jobs };
    try {
      return await work();
    } finally {
      for (const holder of holders) holder.config = config;
    }
  };

  it('should be found by page, also in archives', async () => {
    await sut.insertAndArchive(
      withFile('Scan', 'scan.pdf', pdfWithPages([{ text: 'cover letter' }, { jpeg: WARRANTY }])),
      withFile('Picture', 'receipt.png', RECEIPT),
      withFile('Fax', 'fax.tif', fixture('receipt.tif')),
      withFile('Parcel', 'all.zip', await zipOf({ 'notes.txt': 'herons', 'scans/receipt.png': RECEIPT })),
    );
    expect(await read()).toBe('done');
    expect(await states()).toMatchObject(
      ['all.zip', 'fax.tif', 'receipt.png', 'scan.pdf'].map((filename) => ({
        filename,
        state: 'waiting',
        reason: 'pictures',
        attempts: 0,
      })),
    );
    expect(await search('file:cover')).toEqual(['Scan']);
    expect(await search('-file:nothing-has-this')).toEqual([]);

    expect(await recognize()).toBe('done');

    expect(await search('file:copper')).toEqual(['Fax', 'Parcel', 'Picture']);
    expect(await search('file:warranty cover')).toEqual(['Scan']);
    expect(await search('chaudière file:receipt')).toEqual(['Fax', 'Parcel', 'Picture']);
    expect(await search('-file:nothing-has-this')).toEqual(['Fax', 'Parcel', 'Picture', 'Scan']);
    const { body } = await user.api.get('/api/search?place=archive&q=file:insurance');
    const files = body.results.map((result: any) => [
      result.subject,
      result.excerpts.find(({ field }: any) => field === 'file')?.file,
    ]);
    expect(files.sort()).toMatchObject([
      ['Fax', { filename: 'fax.tif', kind: 'page', name: '2' }],
      ['Scan', { filename: 'scan.pdf', kind: 'page', name: '2' }],
    ]);
    expect(await pages()).toContainEqual({
      member: 'scans/receipt.png',
      kind: null,
      name: null,
      text: expect.stringContaining('copper pipe'),
    });
    expect((await states()).map(({ state, reason }) => [state, reason])).toEqual(
      Array(4).fill(['indexed', null]),
    );
  });

  it('should follow the stamp on a scanned page', async () => {
    const scan = pdfWithPages([{ jpeg: WARRANTY, text: 'Scanned 0417' }]);
    await sut.insertAndArchive(withFile('Stamp', 'scan.pdf', scan));
    await read();
    await recognize();
    expect(await pages()).toMatchObject([
      { kind: 'page', name: '1', text: expect.stringMatching(/^Scanned 0417\n[^]*warranty/) },
    ]);
    const found = (await words()).match(/'(?:scanned|warranty)':[^ ]*/g)!;
    expect(found).toHaveLength(2);
  });

  it('should stay unread while recognition is off, and be read once it is on', async () => {
    await sut.insertAndArchive(
      withFile('Picture', 'receipt.png', RECEIPT),
      withFile('Scan', 'scan.pdf', pdfWithPages([{ text: 'cover letter' }, { jpeg: WARRANTY }])),
      withFile('Icon', 'icon.png', Buffer.from('89504e470d0a1a0a0000000d494844520000001000000010', 'hex')),
    );
    const unread = [
      { filename: 'icon.png', state: 'nothing', reason: null },
      { filename: 'receipt.png', state: 'nothing', reason: 'pictures' },
      { filename: 'scan.pdf', state: 'indexed', reason: 'pictures' },
    ];
    await withoutRecognition(async () => {
      expect(await read()).toBe('done');
      expect(await states()).toMatchObject(unread);
      expect(await recognize()).toBe('done');
    });
    expect(await search('file:warranty')).toEqual([]);
    await read();
    expect(await states()).toMatchObject([
      { state: 'nothing', reason: null },
      { state: 'waiting', reason: 'pictures', attempts: 0 },
      { state: 'waiting', reason: 'pictures', attempts: 0 },
    ]);
    await withoutRecognition(read);
    expect(await states()).toMatchObject(unread);
    await read();
    expect(await recognize()).toBe('done');
    expect(await search('file:warranty')).toEqual(['Scan']);
    expect(await search('copper')).toEqual(['Picture']);
    expect(await search('cover warranty')).toEqual(['Scan']);
  });

  it('should say that a picture has no text, or is broken', async () => {
    const white = pdfWithPages([{}]);
    await sut.insertAndArchive(
      withFile('White', 'white.pdf', white),
      withFile('Broken', 'broken.png', RECEIPT.subarray(0, 2_000)),
    );
    await read();
    expect(await recognize()).toBe('done');
    expect(await states()).toMatchObject([
      { filename: 'broken.png', state: 'failed', reason: 'picture-damaged' },
      { filename: 'white.pdf', state: 'nothing', reason: null },
    ]);
  });

  it('should give up a picture that ends its process three times, counted before it is read, and keep the others', async () => {
    const scan = pdfWithPages([{ jpeg: WARRANTY }, { jpeg: WARRANTY }]);
    await sut.insertAndArchive(withFile('Hostile', 'scan.pdf', scan));
    await read();
    const attempts: number[] = [];
    const recognizer = app.get(PictureRecognizer);
    const { recognize: original } = recognizer;
    jest
      .spyOn(recognizer, 'recognize')
      .mockImplementation(async (page, signal): Promise<RecognitionOutcome> => {
        if (page.page === 2) return original.call(recognizer, page, signal);
        attempts.push((await states())[0].attempts);
        return { kind: 'crashed', reason: 'killed' };
      });
    expect([await recognize(), await recognize(), await recognize(), await recognize()]).toEqual([
      'left-over',
      'left-over',
      'done',
      'done',
    ]);
    expect(attempts).toEqual([1, 2, 3]);
    expect(await states()).toMatchObject([{ state: 'failed', reason: 'crashed' }]);
    expect(await pages()).toMatchObject([{ kind: 'page', name: '2' }]);
  });

  it('should go on in the next step where the time of one was over', async () => {
    const scan = pdfWithPages(Array(3).fill({ jpeg: WARRANTY }));
    await sut.insertAndArchive(withFile('Long', 'scan.pdf', scan));
    await read();
    const recognizer = app.get(PictureRecognizer);
    const { recognize: original } = recognizer;
    const now = Date.now.bind(Date);
    let late = 0;
    const pagesRead: number[] = [];
    jest.spyOn(Date, 'now').mockImplementation(() => now() + late);
    jest.spyOn(recognizer, 'recognize').mockImplementation(async (page, signal) => {
      const outcome = await original.call(recognizer, page, signal);
      pagesRead.push(page.page);
      late += 60_000;
      return outcome;
    });
    expect([await recognize(), await recognize(), await recognize()]).toEqual(['more', 'more', 'done']);
    expect(pagesRead).toEqual([1, 2, 3]);
    expect(await states()).toMatchObject([{ state: 'indexed', attempts: 1 }]);
    expect(await pages()).toHaveLength(3);
  });

  it('should not count an interruption, and be read afterwards', async () => {
    await sut.insertAndArchive(withFile('Picture', 'receipt.png', RECEIPT));
    await read();
    const stop = new AbortController();
    jest.spyOn(app.get(PictureRecognizer), 'recognize').mockImplementationOnce(() => {
      stop.abort(new Error('stopped'));
      return Promise.reject(stop.signal.reason as Error);
    });
    await expect(recognize(stop.signal)).rejects.toThrow('stopped');
    expect(await states()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    expect(await recognize()).toBe('done');
    expect(await search('file:copper')).toEqual(['Picture']);
  });

  it('should wait on a machine without the programs', async () => {
    await sut.insertAndArchive(withFile('Picture', 'receipt.png', RECEIPT));
    await read();
    const recognizer: any = app.get(PictureRecognizer);
    jest.spyOn(recognizer.recognition, 'findMissing').mockResolvedValueOnce('tesseract');
    recognizer.isComplete = false;
    expect(await recognize()).toBe('unreadable');
    expect(await states()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    expect(await recognize()).toBe('done');
  });

  it('should go when its mail is encrypted', async () => {
    await sut.insertAndArchive(withFile('Picture', 'receipt.png', RECEIPT));
    await read();
    await recognize();
    await sut.setUp();
    await sut.encrypt();
    expect(await search('file:copper')).toEqual([]);
    expect(await words()).not.toContain('copper');
    expect(await states()).toMatchObject([{ state: 'encrypted', reason: 'mail' }]);
  });

  it('should be read by the schedule, unless that is turned off', async () => {
    await sut.insertAndArchive(withFile('Picture', 'receipt.png', RECEIPT));
    await read();
    const cron: any = app.get(AttachedTextsCron);
    const { config } = cron;
    cron.config = { jobs: { readAttachments: true, ocrLanguages: null } };
    await cron.recognizeDue();
    expect(await states()).toMatchObject([{ state: 'waiting' }]);
    cron.config = config;
    await query(`DELETE FROM account_chores WHERE account_id = $1 AND chore = 'recognize_pictures'`);
    await cron.recognizeDue();
    expect(await search('file:copper')).toEqual(['Picture']);
  });
});
