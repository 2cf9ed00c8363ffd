import { AttachedTextsService } from '../../../../src/archive/mails/attached-texts/attached-texts.service';
import { AttachedTextsRepository } from '../../../../src/archive/mails/attached-texts/attached-texts.repository';
import { DocumentReader } from '../../../../src/archive/mails/attached-texts/document-reader';
import { MessageParser } from '../../../../src/archive/mails/archiving/message-parser';
import { OutdatedMailsService } from '../../../../src/archive/mails/rereading/outdated-mails.service';
import { READER_VERSION } from '../../../../src/archive/mails/rereading/reader-version';
import { startTestApp, TestApp } from '../../../support/app';
import { eml, emlWithAttachment } from '../../../support/archive/eml';
import { pdfWith } from '../../../support/archive/pdf-file';
import { EncryptedArchive } from '../../../support/encryption/encrypted-archive';
import type { TestUser } from '../../../support/test-user';

const withFile = (subject: string, name: string, content: Buffer, mimeType?: string): Buffer =>
  emlWithAttachment({
    subject,
    disposition: `filename="${name}"`,
    content,
    ...(mimeType === undefined ? {} : { mimeType }),
  });
const GOOD = withFile('Repair', 'bill.pdf', pdfWith(['invoice of the plumber']), 'application/pdf');
const BROKEN = withFile('Broken', 'broken.pdf', Buffer.from('%PDF-1.7 and nothing else'), 'application/pdf');
const PHOTO = withFile('Photo', 'photo.png', Buffer.from('\x89PNG\r\n\x1a\n'));
const LONG = eml(
  'From: <reports@example.com>',
  'Subject: Report',
  '',
  'lorem ipsum dolor sit amet\r\n'.repeat(200_000),
);
const WORDLESS = eml('Message-ID: <wordless@example.com>', '', '');
const CLASSES = ['indexed', 'nothing', 'encrypted', 'too_large', 'failed', 'waiting'] as const;

describe('Index ledger', () => {
  let app: TestApp;
  let user: TestUser;
  let sut: EncryptedArchive;
  let boxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
  });

  beforeEach(async () => {
    user = await app.user();
    sut = await EncryptedArchive.connect(app, user, `ledger${(boxes += 1)}-0@sandbox.mailroom.test`);
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app?.close());

  const never = new AbortController().signal;
  const account = (): { id: string; userId: string; provider: string } => ({
    id: sut.accountId,
    userId: user.id,
    provider: 'gmail',
  });
  const readFiles = (): Promise<string> => app.get(AttachedTextsService).readSome(account(), never);
  const rereadMails = (): Promise<string> => app.get(OutdatedMailsService).rereadSome(account(), never);
  const query = (sql: string, ...parameters: unknown[]): Promise<any[]> =>
    app.dataSource.query(sql, [sut.accountId, ...parameters]);
  const ledger = async (): Promise<any> => {
    const { status, body } = await user.api.get(`${sut.path}/index`);
    expect(status).toBe(200);
    return body;
  };
  const items = async (search: string): Promise<any> => {
    const { status, body } = await user.api.get(`${sut.path}/index/items?${search}`);
    expect([search, status]).toEqual([search, 200]);
    return body;
  };
  const retry = async (body: object): Promise<number> => {
    const answer = await user.api.post(`${sut.path}/index/retry`, body);
    expect(answer.status).toBe(200);
    return answer.body.retried as number;
  };
  const search = async (q: string): Promise<string[]> => {
    const { body } = await user.api.get(`${sut.path}/mails?q=${encodeURIComponent(q)}`);
    return body.mails.map(({ subject }: { subject: string }) => subject).sort();
  };

  /** Archives a message that the parser gives up. */
  async function archiveUnparsed(): Promise<void> {
    const parser: any = app.get(MessageParser);
    const broken = jest.spyOn(parser, 'parseInWorker').mockRejectedValue(new Error('timed out'));
    await sut.insertAndArchive(eml('Subject: Odd', '', 'odd'));
    broken.mockRestore();
  }

  /** Classes as the rows say, counted one by one. */
  async function counted(): Promise<Record<'mails' | 'attachments', Record<string, number>>> {
    const mails: any[] = await query(
      'SELECT is_encrypted, reader_version, reader_problem, text_state FROM archived_mails WHERE account_id = $1',
    );
    const files: any[] = await query('SELECT text_state FROM archived_attachments WHERE account_id = $1');
    const count = (classes: string[]): Record<string, number> => ({
      total: classes.length,
      ...Object.fromEntries(CLASSES.map((name) => [name, classes.filter((one) => one === name).length])),
    });
    const named = (state: string): string => state.replace('-', '_');
    return {
      mails: count(
        mails.map((mail) => {
          if (mail.is_encrypted) return 'encrypted';
          if (mail.reader_version < READER_VERSION) return 'waiting';
          return mail.reader_problem ? 'failed' : named(mail.text_state as string);
        }),
      ),
      attachments: count(files.map(({ text_state }) => named(text_state as string))),
    };
  }

  async function makeMixedArchive(): Promise<void> {
    await sut.insertAndArchive(GOOD, BROKEN, PHOTO, LONG);
    await sut.setUp();
    await sut.encrypt();
    await sut.insertAndArchive(
      withFile('Repair 2', 'bill.pdf', pdfWith(['the second invoice']), 'application/pdf'),
      withFile('Broken 2', 'broken.pdf', Buffer.from('%PDF-1.7 nothing'), 'application/pdf'),
      withFile('Photo 2', 'photo.png', Buffer.from('\x89PNG\r\n\x1a\n\0')),
      eml('From: <r@example.com>', 'Subject: Report 2', '', 'dolor sit amet\r\n'.repeat(400_000)),
      WORDLESS,
    );
    await archiveUnparsed();
    expect(await readFiles()).toBe('done');
    await sut.insertAndArchive(
      withFile('New', 'new.pdf', pdfWith(['new']), 'application/pdf'),
      eml('From: <a@example.com>', 'Subject: Old', '', 'old'),
    );
    await query(`UPDATE archived_mails SET reader_version = 0 WHERE account_id = $1 AND subject = 'Old'`);
  }

  it('should have each mail and attachment of a mixed archive in one of six classes, which add up', async () => {
    await makeMixedArchive();
    const { mails, attachments } = await ledger();
    expect(mails).toMatchObject({
      total: 12,
      indexed: 4,
      nothing: 1,
      encrypted: 4,
      too_large: 1,
      failed: 1,
      waiting: 1,
    });
    expect(mails.reasons).toEqual([
      { class: 'too-large', reason: 'text-limit', count: 1 },
      { class: 'failed', reason: 'unparsed', count: 1 },
    ]);
    expect(attachments).toMatchObject({
      total: 7,
      indexed: 1,
      nothing: 1,
      encrypted: 3,
      too_large: 0,
      failed: 1,
      waiting: 1,
    });
    expect(attachments.reasons).toEqual([{ class: 'failed', reason: 'damaged', count: 1 }]);
    expect({ mails, attachments }).toMatchObject(await counted());
    for (const counts of [mails, attachments])
      expect(CLASSES.reduce((sum, name) => sum + counts[name], 0)).toBe(counts.total);

    for (const [kind, counts] of Object.entries({ mail: mails, attachment: attachments }))
      for (const name of CLASSES) {
        const page = await items(`kind=${kind}&class=${name.replace('_', '-')}`);
        expect([kind, name, page.total, page.items.length]).toEqual([kind, name, counts[name], counts[name]]);
      }
  });

  it('should count nothing in an empty archive', async () => {
    const none = { total: 0, ...Object.fromEntries(CLASSES.map((name) => [name, 0])), reasons: [] };
    expect(await ledger()).toMatchObject({ mails: none, attachments: none });
    expect(await items('kind=mail&class=indexed')).toEqual({ items: [], total: 0, page: 1, limit: 50 });
  });

  it('should list items with their mail, by reason and page', async () => {
    const [id] = await sut.insertAndArchive(BROKEN, GOOD);
    await sut.insertAndArchive(withFile('Broken 2', 'b.pdf', Buffer.from('%PDF-1.7 x'), 'application/pdf'));
    await readFiles();
    const { items: all, total } = await items('kind=attachment&class=failed&reason=damaged');
    expect([all.length, total]).toEqual([2, 2]);
    const listed = all.find(({ mail_id }: any) => mail_id === id);
    const { body: mail } = await user.api.get(`${sut.path}/mails/${id}`);
    expect(listed).toEqual({
      kind: 'attachment',
      class: 'failed',
      reason: 'damaged',
      mail_id: id,
      attachment_id: mail.attachments[0].id,
      subject: 'Broken',
      sender: mail.sender,
      date: mail.date,
      filename: 'broken.pdf',
      size_bytes: mail.attachments[0].size_bytes,
    });
    expect(await items('kind=attachment&class=failed&reason=crashed')).toMatchObject({ items: [], total: 0 });
    const second = await items('kind=attachment&class=failed&limit=1&page=2');
    expect(second).toMatchObject({ items: [all[1]], total: 2, page: 2, limit: 1 });
    expect(await items('kind=attachment&class=failed&page=3&limit=1')).toMatchObject({ items: [], total: 2 });
    const mails = await items('kind=mail&class=indexed');
    expect(mails.items[0]).toMatchObject({ kind: 'mail', attachment_id: null, filename: null, reason: null });
  });

  it('should read failed attachments again, whose files can be read by now', async () => {
    await sut.insertAndArchive(GOOD, BROKEN);
    jest.spyOn(app.get(DocumentReader), 'read').mockResolvedValue({ kind: 'crashed', reason: 'killed' });
    await readFiles();
    await readFiles();
    await readFiles();
    jest.restoreAllMocks();
    expect((await ledger()).attachments).toMatchObject({ failed: 2 });
    expect(await search('plumber')).toEqual([]);
    await query(
      `UPDATE account_chores SET due_at = now() + interval '1 hour' WHERE account_id = $1 AND chore = 'read_attachments'`,
    );

    expect(await retry({ class: 'failed' })).toBe(2);
    expect((await ledger()).attachments).toMatchObject({ failed: 0, waiting: 2, reasons: [] });
    const [{ attempts }] = await query(
      'SELECT max(text_attempts) AS attempts FROM archived_attachments WHERE account_id = $1',
    );
    expect(attempts).toBe(0);
    expect(
      await query(
        `SELECT FROM account_chores WHERE account_id = $1 AND chore = 'read_attachments' AND due_at > now()`,
      ),
    ).toEqual([]);

    await readFiles();
    expect(await search('plumber')).toEqual(['Repair']);
    expect((await ledger()).attachments).toMatchObject({ indexed: 1, failed: 1 });
    expect(await retry({ class: 'too-large' })).toBe(0);
  });

  it('should read only the items named again', async () => {
    await sut.insertAndArchive(BROKEN, withFile('B', 'b.pdf', Buffer.from('%PDF-1.7 x'), 'application/pdf'));
    await readFiles();
    const [one] = (await items('kind=attachment&class=failed')).items;
    expect(await retry({ class: 'too-large', ids: [one.attachment_id] })).toBe(0);
    expect(await retry({ class: 'failed', ids: [one.attachment_id, one.attachment_id, sut.accountId] })).toBe(
      1,
    );
    expect((await ledger()).attachments).toMatchObject({ failed: 1, waiting: 1 });
  });

  it('should keep the words of a part that was read, and add them once', async () => {
    await sut.insertAndArchive(GOOD);
    await readFiles();
    await query(
      `UPDATE archived_attachments SET text_state = 'too-large', text_reason = 'text-limit' WHERE account_id = $1`,
    );
    const words = (): Promise<any[]> =>
      query('SELECT words::text FROM archived_mail_words WHERE account_id = $1');
    const before = await words();
    expect(await retry({ class: 'too-large' })).toBe(1);
    expect(await search('plumber')).toEqual(['Repair']);
    expect(await search('file:plumber')).toEqual(['Repair']);
    await readFiles();
    expect(await words()).toEqual(before);
    expect(await ledger()).toMatchObject({ attachments: { indexed: 1 }, mails: { indexed: 1, waiting: 0 } });
  });

  it('should find what a further reading finds besides', async () => {
    await sut.insertAndArchive(GOOD);
    await readFiles();
    const complete = await query('SELECT words::text FROM archived_mail_words WHERE account_id = $1');
    await query(
      `UPDATE archived_attachment_pages SET text = 'invoice of', words = 'invoice:1 of:2' WHERE account_id = $1`,
    );
    await query(
      `UPDATE archived_mail_words SET words = ts_delete(words, 'plumber'), padding = DEFAULT WHERE account_id = $1`,
    );
    await query(
      `UPDATE archived_attachments SET text_state = 'too-large', text_reason = 'text-limit' WHERE account_id = $1`,
    );
    await retry({ class: 'too-large' });
    await readFiles();
    expect(await search('file:plumber')).toEqual(['Repair']);
    expect((await ledger()).mails).toMatchObject({ indexed: 0, waiting: 1 });
    expect(await rereadMails()).toBe('done');
    await readFiles();
    expect(await search('copper OR plumber')).toEqual(['Repair']);
    expect(await query('SELECT words::text FROM archived_mail_words WHERE account_id = $1')).toEqual(
      complete,
    );
    expect(await ledger()).toMatchObject({ attachments: { indexed: 1 }, mails: { indexed: 1, waiting: 0 } });
  });

  it('should keep the text of an attachment that cannot be read any more', async () => {
    await sut.insertAndArchive(GOOD);
    await readFiles();
    await query(
      `UPDATE archived_attachments SET text_state = 'too-large', text_reason = 'text-limit', text_attempts = 3
        WHERE account_id = $1`,
    );
    await retry({ class: 'too-large' });
    await query('UPDATE archived_attachments SET text_attempts = 3 WHERE account_id = $1');
    await readFiles();
    expect((await ledger()).attachments).toMatchObject({ failed: 1, indexed: 0 });
    expect(await search('file:plumber')).toEqual(['Repair']);
    expect(await search('plumber')).toEqual(['Repair']);
  });

  it('should read mails again that the parser gave up', async () => {
    await archiveUnparsed();
    expect(await search('odd')).toEqual([]);
    const [failed] = (await items('kind=mail&class=failed&reason=unparsed')).items;
    expect(await retry({ class: 'failed', ids: [failed.mail_id] })).toBe(1);
    expect((await ledger()).mails).toMatchObject({ failed: 0, waiting: 1, reasons: [] });
    expect(await rereadMails()).toBe('done');
    expect(await search('odd')).toEqual(['Odd']);
    expect((await ledger()).mails).toMatchObject({ total: 1, indexed: 1 });
  });

  it('should leave encrypted mail alone', async () => {
    await sut.insertAndArchive(BROKEN);
    await readFiles();
    await sut.setUp();
    await sut.encrypt();
    await query(`UPDATE archived_attachments SET text_state = 'failed' WHERE account_id = $1`);
    expect(await retry({ class: 'failed' })).toBe(0);
  });

  it('should say in answers how many mails a search may miss', async () => {
    await makeMixedArchive();
    const inArchive = { mails: 5, waiting: 2, is_exact: true, total: 12 };
    const inArchives = { ...inArchive, accounts: [{ account_id: sut.accountId, mails: 5 }] };
    const notIndexed = async (path: string): Promise<any> => {
      const { status, body } = await user.api.get(path);
      expect([path, status]).toEqual([path, 200]);
      return body.not_indexed;
    };
    expect(await notIndexed(`${sut.path}/mails?q=invoice`)).toEqual(inArchive);
    expect(await notIndexed(`${sut.path}/mails?limit=1`)).toBeNull();
    expect(await notIndexed(`${sut.path}/threads?q=invoice`)).toEqual(inArchive);
    expect(await notIndexed(`${sut.path}/threads`)).toBeNull();
    expect(await notIndexed('/api/archive/search?q=invoice')).toEqual(inArchives);
    expect(await notIndexed('/api/archive/search')).toBeNull();
    expect(await notIndexed('/api/search?q=invoice&place=archive')).toEqual(inArchives);
    expect(await notIndexed('/api/search?q=invoice')).toEqual(inArchives);
    expect(await notIndexed('/api/search?q=invoice&place=mailbox')).toBeNull();

    await readFiles();
    await rereadMails();
    expect(await notIndexed(`${sut.path}/mails?q=invoice`)).toEqual({ ...inArchive, mails: 3, waiting: 0 });
  });

  it('should not count a mail twice, nor beyond 10,000', async () => {
    await sut.insertAndArchive(BROKEN);
    await query(
      `INSERT INTO archived_attachments (account_id, id, mail_id, part_id, filename, mime_type, size_bytes, body_start, body_end, encoding)
       SELECT $1, gen_random_uuid(), id, '3', '', '', 0, 0, 0, '' FROM archived_mails, generate_series(1, 3) WHERE account_id = $1`,
    );
    const gaps = async (): Promise<any> => (await user.api.get(`${sut.path}/mails?q=x`)).body.not_indexed;
    expect(await gaps()).toEqual({ mails: 1, waiting: 1, is_exact: true, total: 1 });
    await query(
      `INSERT INTO archived_mails (user_id, account_id, id, mailbox_message_id, thread_id, subject, sender, recipient, date, size_bytes,
         has_attachments, label_ids, snippet, storage, storage_key, sha256)
       SELECT user_id, account_id, gen_random_uuid(), n::text, n::text, '', '', '', date, 1, false, '{}', '', 'local', n::text, sha256
         FROM archived_mails, generate_series(1, 10000) n WHERE account_id = $1`,
    );
    expect(await gaps()).toEqual({ mails: 10_000, waiting: 10_000, is_exact: false, total: 10_001 });
    expect((await ledger()).mails).toMatchObject({ total: 10_001, indexed: 1, waiting: 10_000 });
  });

  it('should count what waits in all accounts', async () => {
    const before = await app.get(AttachedTextsRepository).countWaiting(null);
    await sut.insertAndArchive(GOOD, BROKEN);
    expect(await app.get(AttachedTextsRepository).countWaiting(null)).toBe(before + 2);
  });

  it.each([
    ['class=failed', 'kind'],
    ['kind=mail', 'class'],
    ['kind=mail&class=lost', 'class'],
    ['kind=file&class=failed', 'kind'],
    [`kind=mail&class=failed&reason=${'x'.repeat(17)}`, 'reason'],
    ['kind=mail&class=failed&page=0', 'page'],
    ['kind=mail&class=failed&page=101&limit=100', 'page'],
  ])('should refuse a list with ?%s', async (search, field) => {
    const { status, body } = await user.api.get(`${sut.path}/index/items?${search}`);
    expect([status, body.errors[0].field]).toEqual([400, field]);
  });

  it.each([
    [{}, 'class'],
    [{ class: 'indexed' }, 'class'],
    [{ class: 'failed', ids: [] }, 'ids'],
    [{ class: 'failed', ids: ['x'] }, 'ids'],
  ])('should refuse to read %j again', async (body, field) => {
    const answer = await user.api.post(`${sut.path}/index/retry`, body);
    expect([answer.status, answer.body.errors[0].field]).toEqual([400, field]);
  });

  it('should not be accessible to others', async () => {
    const stranger = await app.user();
    for (const path of ['index', 'index/items?kind=mail&class=failed']) {
      expect((await stranger.api.get(`${sut.path}/${path}`)).body.code).toBe('account-not-owned');
      expect((await app.anonymous.get(`${sut.path}/${path}`)).status).toBe(401);
    }
    const body = { class: 'failed' };
    expect((await stranger.api.post(`${sut.path}/index/retry`, body)).body.code).toBe('account-not-owned');
    expect((await app.anonymous.post(`${sut.path}/index/retry`, body)).status).toBe(401);
  });
});
