import { readFileSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MessageParser } from '../../../../src/archive/mails/archiving/message-parser';
import { OutdatedMailsService } from '../../../../src/archive/mails/rereading/outdated-mails.service';
import { READER_VERSION } from '../../../../src/archive/mails/rereading/reader-version';
import { RereadMailsCron } from '../../../../src/archive/mails/rereading/reread-mails.cron';
import { startTestApp, TestApp } from '../../../support/app';
import { eml, emlWithAttachment } from '../../../support/archive/eml';
import { EncryptedArchive } from '../../../support/encryption/encrypted-archive';
import { importMbox, inMbox } from '../../../support/imports';
import { attachedFile, CODEPAGE_1252, tnefFile } from '../../../support/mime/tnef-file';
import type { TestUser } from '../../../support/test-user';

const SIGNED = readFileSync(join(__dirname, '../../../fixtures/smime/opaque.eml'));
const WINMAIL = emlWithAttachment({
  subject: 'From Outlook',
  disposition: 'filename="winmail.dat"',
  mimeType: 'application/ms-tnef',
  content: tnefFile(CODEPAGE_1252, ...attachedFile('green.txt', Buffer.alloc(3_000, 'green '))),
});
const INVITATION = eml(
  'From: "J\xc3\xbcrgen" <jurgen@sender.example>',
  'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=',
  'Message-ID: <invitation@sender.example>',
  'Content-Type: text/calendar; method=REQUEST',
  '',
  'BEGIN:VCALENDAR',
  'BEGIN:VEVENT',
  'SUMMARY:Rowing on the lake',
  'DTSTART:20261201T100000Z',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
);
const MESSAGES = [SIGNED, WINMAIL, INVITATION];

/** Mail whose rows say what an earlier version of the reader found. */
describe('Archived mail of an earlier reader', () => {
  let app: TestApp;
  let user: TestUser;
  let sut: EncryptedArchive;
  let boxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
  });

  beforeEach(async () => {
    user = await app.user();
    sut = await EncryptedArchive.connect(app, user, `reread${(boxes += 1)}-0@sandbox.mailroom.test`);
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app?.close());

  const account = (): { id: string; userId: string; provider: string } => ({
    id: sut.accountId,
    userId: user.id,
    provider: 'gmail',
  });
  const reread = (signal = new AbortController().signal): Promise<string> =>
    app.get(OutdatedMailsService).rereadSome(account(), signal);
  const query = (sql: string, ...parameters: unknown[]): Promise<any[]> =>
    app.dataSource.query(sql, [sut.accountId, ...parameters]);

  /** Everything that is derived from the bytes of an archive's mail. */
  const facts = async (): Promise<unknown> => [
    [...(await sut.rows()).values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    await query(`SELECT * FROM archived_mail_words WHERE account_id = $1 ORDER BY mail_id`),
    await query(
      `SELECT mail_id, part_id, filename, mime_type, size_bytes, body_start, body_end, encoding, content_id, is_inline,
              is_contained, search_text
         FROM archived_attachments WHERE account_id = $1 ORDER BY mail_id, part_id`,
    ),
    await query('SELECT * FROM archived_senders WHERE account_id = $1 ORDER BY address'),
    await query('SELECT sender, mails FROM archived_sender_names WHERE account_id = $1 ORDER BY sender'),
    await query('SELECT * FROM archived_threads WHERE account_id = $1 ORDER BY thread_id'),
    (await sut.totals()).kept,
  ];

  /** Makes rows what a reader without the present abilities wrote. */
  async function asRead(version = 0, where = 'true'): Promise<void> {
    await query(
      `UPDATE archived_mails SET subject = '?', sender = '"J?rgen" <jurgen@sender.example>', recipient = '', snippet = '',
              defects = '{}', has_attachments = NOT has_attachments, content_mac = NULL, message_id_header = NULL,
              in_reply_to = 'x', references_header = 'x', reader_version = ${version}
        WHERE account_id = $1 AND ${where}`,
    );
    const ids = `(SELECT id FROM archived_mails WHERE account_id = $1 AND ${where})`;
    await query(
      `UPDATE archived_mail_words SET words = 'winmail:1', padding = DEFAULT WHERE account_id = $1 AND mail_id IN ${ids}`,
    );
    await query(
      `UPDATE archived_attachments SET filename = 'winmail.dat', is_contained = false, size_bytes = 1, search_text = ''
        WHERE account_id = $1 AND mail_id IN ${ids}`,
    );
  }

  const problems = async (): Promise<Record<string, string | null>> =>
    Object.fromEntries(
      [...(await sut.rows()).values()].map(({ subject, reader_problem }) => [subject, reader_problem]),
    );

  it('should have every fact of the present reader, under the same ids and without a change of its files', async () => {
    await sut.insertAndArchive(...MESSAGES);
    const before = await facts();
    const files = await contents();
    const links = await query('SELECT id FROM archived_attachments WHERE account_id = $1 ORDER BY id');
    await asRead();
    expect(await facts()).not.toEqual(before);

    expect(await reread()).toBe('done');

    expect(await facts()).toEqual(before);
    expect(await query('SELECT id FROM archived_attachments WHERE account_id = $1 ORDER BY id')).toEqual(
      links,
    );
    expect(await contents()).toEqual(files);
    const { kept, counted } = await sut.totals();
    expect(kept).toEqual(counted);
    const found = await user.api.get(`${sut.path}/mails?q=green`);
    expect(found.body.mails.map(({ subject }: any) => subject)).toEqual(['From Outlook']);
  });

  const contents = async (): Promise<Buffer[]> =>
    Promise.all((await sut.files()).map((key) => readFile(join(app.archiveDir, key))));

  it('should lose attachments that are none, and get those that were not seen', async () => {
    await sut.insertAndArchive(...MESSAGES);
    const before = await facts();
    await query(`UPDATE archived_attachments SET part_id = part_id || '.9' WHERE account_id = $1`);
    await query('UPDATE archived_mails SET reader_version = 0 WHERE account_id = $1');
    expect(await reread()).toBe('done');
    expect(await facts()).toEqual(before);
  });

  it('should keep the preview of the provider, and get one of imported mail', async () => {
    await sut.insertAndArchive(INVITATION);
    await importMbox(
      user,
      sut.accountId,
      inMbox('Subject: imported\nMessage-ID: <i@x.example>\n\nits text\n'),
    );
    await query(`UPDATE archived_mails SET snippet = 'earlier', reader_version = 0 WHERE account_id = $1`);
    await reread();
    const rows = [...(await sut.rows()).values()];
    expect(rows.map(({ snippet }) => snippet).sort()).toEqual(['earlier', 'its text']);
  });

  it('should be read once, however often the work is interrupted', async () => {
    await sut.insertAndArchive(
      ...Array.from({ length: 250 }, (_, n) =>
        eml(`Subject: number ${n}`, `Message-ID: <${n}@x.example>`, '', ''),
      ),
    );
    const before = await facts();
    await asRead();
    const stop = new AbortController();
    const service: any = app.get(OutdatedMailsService);
    const { record } = service.attachments;
    jest.spyOn(service.attachments, 'record').mockImplementationOnce(async (...parameters: unknown[]) => {
      stop.abort(new Error('stopped'));
      return record.apply(service.attachments, parameters);
    });
    await expect(reread(stop.signal)).rejects.toThrow('stopped');
    const left = await query('SELECT id FROM archived_mails WHERE account_id = $1 AND reader_version = 0');
    expect(left).toHaveLength(150);
    // Two at once do no harm.
    expect(await Promise.all([reread(), reread()])).toEqual(['done', 'done']);
    expect(await facts()).toEqual(before);
  });

  it('should keep its facts, and say why, when it cannot be read', async () => {
    const subjects = ['lost', 'altered', 'longer', 'fine'];
    await sut.insertAndArchive(
      ...subjects.map((subject) =>
        eml(`Subject: ${subject}`, `Message-ID: <${subject}@x.example>`, '', 'text', ''),
      ),
    );
    const keys = new Map<string, string>();
    for (const { subject, storage_key } of (await sut.rows()).values())
      keys.set(subject, join(app.archiveDir, storage_key));
    await rename(keys.get('lost')!, `${keys.get('lost')}.away`);
    const bytes = await readFile(keys.get('altered')!);
    bytes[bytes.length - 3] = 0x21;
    await writeFile(keys.get('altered')!, bytes);
    await writeFile(keys.get('longer')!, `${(await readFile(keys.get('longer')!)).toString()}more`);
    await query(`UPDATE archived_mails SET reader_version = 0, snippet = 'kept' WHERE account_id = $1`);
    expect(await reread()).toBe('done');
    expect(await problems()).toEqual({ lost: 'missing', altered: 'altered', longer: 'altered', fine: null });
    const rows = [...(await sut.rows()).values()];
    for (const row of rows) expect(row).toMatchObject({ reader_version: READER_VERSION, snippet: 'kept' });
    // It is not tried again.
    const parse = jest.spyOn(app.get(MessageParser), 'parse');
    expect(await reread()).toBe('done');
    expect(parse).not.toHaveBeenCalled();
  });

  it('should keep its facts when the parser gives it up', async () => {
    await sut.insertAndArchive(INVITATION);
    const [before] = (await sut.rows()).values();
    await query('UPDATE archived_mails SET reader_version = 0 WHERE account_id = $1');
    const parser: any = app.get(MessageParser);
    jest.spyOn(parser, 'parseInWorker').mockRejectedValue(new Error('timed out'));
    expect(await reread()).toBe('done');
    const [after] = (await sut.rows()).values();
    expect(after).toEqual({ ...before, reader_problem: 'unparsed', text_state: 'failed' });
  });

  it('should keep its facts when the database refuses the new ones, without holding up the others', async () => {
    await sut.insertAndArchive(...MESSAGES);
    await query('UPDATE archived_mails SET reader_version = 0 WHERE account_id = $1');
    const parser = app.get(MessageParser);
    const parse = parser.parse.bind(parser);
    jest.spyOn(parser, 'parse').mockImplementation(async (raw, signal) => {
      const parsed = await parse(raw, signal);
      return parsed.subject === 'From Outlook'
        ? { ...parsed, words: { ...parsed.words, vector: `${'x'.repeat(3_000)}:1` } }
        : parsed;
    });
    expect(await reread()).toBe('done');
    expect(await problems()).toMatchObject({ 'From Outlook': 'refused', Grüße: null });
  });

  it('should wait while its store has no file at all', async () => {
    await sut.insertAndArchive(INVITATION);
    await query('UPDATE archived_mails SET reader_version = 0 WHERE account_id = $1');
    const file = join(app.archiveDir, (await sut.files())[0]!);
    await rename(file, `${file}.away`);
    expect(await reread()).toBe('left-over');
    expect([...(await sut.rows()).values()][0]).toMatchObject({ reader_version: 0, reader_problem: null });
    await rename(`${file}.away`, file);
    expect(await reread()).toBe('done');
  });

  it('should stay as it is when it is encrypted, also when that happens meanwhile', async () => {
    await sut.insertAndArchive(INVITATION);
    await query('UPDATE archived_mails SET reader_version = 0 WHERE account_id = $1');
    await sut.setUp();
    const service: any = app.get(OutdatedMailsService);
    const { readAll } = service.reader;
    jest.spyOn(service.reader, 'readAll').mockImplementationOnce(async (...parameters: unknown[]) => {
      const read = await readAll.apply(service.reader, parameters);
      await sut.encrypt();
      return read;
    });
    expect(await reread()).toBe('done');
    const [row] = (await sut.rows()).values();
    expect(row).toMatchObject({ is_encrypted: true, reader_version: 0, reader_problem: null, snippet: '' });
    const [{ words }] = await query('SELECT words::text FROM archived_mail_words WHERE account_id = $1');
    expect(words).not.toContain('row');
    expect((await sut.inspect()).problems).toEqual([]);
    expect(await reread()).toBe('done');
  });

  it('should end with its account', async () => {
    await sut.insertAndArchive(INVITATION);
    await query('UPDATE archived_mails SET reader_version = 0 WHERE account_id = $1');
    const service: any = app.get(OutdatedMailsService);
    const { readAll } = service.reader;
    jest.spyOn(service.reader, 'readAll').mockImplementationOnce(async (...parameters: unknown[]) => {
      const read = await readAll.apply(service.reader, parameters);
      await query('DELETE FROM mailbox_accounts WHERE id = $1');
      return read;
    });
    expect(await reread()).toBe('done');
    expect(await query('SELECT id FROM archived_mails WHERE account_id = $1')).toEqual([]);
  });

  it('should be read by the schedule', async () => {
    await sut.insertAndArchive(INVITATION);
    const before = await facts();
    await asRead();
    await query(`DELETE FROM account_chores WHERE account_id = $1 AND chore = 'reread_mails'`);
    await app.get(RereadMailsCron).rereadDue();
    expect(await facts()).toEqual(before);
  });
});

describe('archived_mails_outdated_idx', () => {
  it('should hold the mails of versions before the present one', async () => {
    const app = await startTestApp();
    const [{ indexdef }] = await app.dataSource.query(
      `SELECT indexdef FROM pg_indexes WHERE indexname = 'archived_mails_outdated_idx'`,
    );
    expect(indexdef).toContain(`reader_version < ${READER_VERSION})`);
    await app.close();
  });
});
