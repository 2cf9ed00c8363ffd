import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { TestApp } from '../../../support/app';
import type { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { type Entries, tarOf, zipOf } from '../../../support/archive/built-archives';
import { ImportWorld } from '../../../support/import-world';
import { importMbox, inMbox } from '../../../support/imports';
import type { TestUser } from '../../../support/test-user';

const CASE_18 = join(__dirname, '../../../../../shared/cases/18-archive-uploads.json');

const mail = (subject: string, ...more: string[]): string =>
  [
    'From: Nora Feld <nora@sender.example>',
    `Subject: ${subject}`,
    `Message-ID: <${subject.replace(/\W+/g, '-')}@sender.example>`,
    'Date: Tue, 3 Mar 2020 10:00:00 +0000',
    ...more,
    '',
    `Text of ${subject}`,
    '',
  ].join('\n');
const mbox = (...subjects: string[]): string => subjects.map((subject) => inMbox(mail(subject))).join('');

interface Result {
  items: number;
  imported: number;
  duplicates: number;
  failed: number;
  leftOut: Record<string, number>;
}

/** Expects the counts of a result to add up. */
const expectSum = ({ items, imported, duplicates, failed, leftOut }: Result): void =>
  expect(imported + duplicates + failed + Object.values(leftOut).reduce((sum, n) => sum + n, 0)).toBe(items);

describe('The import of archives', () => {
  let app: TestApp;
  let user: TestUser;
  let world: ImportWorld;

  beforeAll(async () => {
    world = await ImportWorld.start('archives');
    ({ app, user } = world);
  });

  afterAll(() => app?.close());

  const account = (): Promise<ArchiveFixture> => world.connect();
  const labels = async (fixture: ArchiveFixture): Promise<Record<string, string[]>> =>
    Object.fromEntries(
      [...(await fixture.rows()).values()].map((row) => [row.subject as string, row.label_ids as string[]]),
    );
  const uploads = (): string[] => {
    const directory = join(app.env['DATA_DIR']!, 'uploads');
    return existsSync(directory) ? readdirSync(directory) : [];
  };

  (existsSync(CASE_18) ? it : it.skip)('should import all messages of a Takeout as downloaded', async () => {
    const sut = await account();
    const { 'takeout-stored.zip': zip } = JSON.parse(readFileSync(CASE_18, 'utf8')) as Record<string, string>;
    const job = await importMbox(user, sut.accountId, Buffer.from(zip!, 'base64'));
    expect(job).toMatchObject({
      status: 'completed',
      total: 5,
      processed: 5,
      failed: 0,
      result: { imported: 5 },
    });
    expect(Object.keys(await labels(sut)).sort()).toEqual(['msg 1', 'msg 2', 'msg 3', 'msg 4', 'msg 5']);
  });

  const TAKEOUT: Entries = {
    'Takeout/archive_browser.html': '<!DOCTYPE html><title>Takeout</title>',
    'Takeout/Mail/Friends.mbox': mbox('friend 1', 'friend 2'),
    'Takeout/Mail/All mail Including Spam and Trash.mbox': inMbox(
      mail('all', 'X-Gmail-Labels: Inbox,Friends'),
    ),
    'Takeout/Drive/letter.pdf': '%PDF-1.7',
    'Takeout/Mail/User Settings/Filters.json': '{"a": 1}',
    'Takeout/Drive/empty.txt': '',
  };

  it.each([
    ['ZIP', zipOf],
    ['tar.gz', async (entries: Entries) => gzipSync(await tarOf(entries))],
    [
      'bundle of parts',
      async (entries: Entries) => tarOf({ 'takeout-001.tgz': gzipSync(await tarOf(entries)) }),
    ],
  ])('should leave out and count what is no mail in a %s, and import the rest once', async (_what, build) => {
    const sut = await account();
    const bytes = await build(TAKEOUT);
    const job = await importMbox(user, sut.accountId, bytes);
    expect(job).toMatchObject({
      status: 'completed',
      total: 7,
      processed: 7,
      failed: 0,
      progress: 100,
      result: {
        items: 7,
        imported: 3,
        duplicates: 0,
        failed: 0,
        leftOut: { notMail: 3, emptyFile: 1 },
        leftOutNames: {
          notMail: expect.any(Array),
          emptyFile: [expect.stringMatching(/Takeout\/Drive\/empty\.txt$/)],
        },
        formats: { mbox: 3 },
        bytesRead: bytes.length,
      },
    });
    expectSum(job.result);
    expect(await labels(sut)).toEqual({
      'friend 1': ['Friends'],
      'friend 2': ['Friends'],
      all: ['INBOX', 'Friends'],
    });
    const again = await importMbox(user, sut.accountId, bytes);
    expect(again.result).toMatchObject({ items: 7, imported: 0, duplicates: 3 });
    expectSum(again.result);
    expect(uploads()).toEqual([]);
  });

  it('should name what cannot be read, and import the rest', async () => {
    const sut = await account();
    const zip = await zipOf({ 'a.eml': mail('a'), 'b/b.eml': mail('b'), 'c.rar': 'Rar!\x1a\x07' });
    const directory = zip.indexOf(Buffer.from('504b0102', 'hex'));
    zip.writeUInt16LE(zip.readUInt16LE(directory + 8) | 1, directory + 8);
    const job = await importMbox(user, sut.accountId, zip);
    expect(job).toMatchObject({
      status: 'completed',
      processed: 1,
      failed: 2,
      result: { items: 3, imported: 1, formats: { eml: 1 } },
    });
    expect(job.result.failures).toEqual([
      { item: 'a.eml', code: 'archive-member-encrypted', reason: expect.any(String) },
      { item: 'c.rar', code: 'import-format-unsupported', reason: 'it is a RAR archive, which is not read' },
    ]);
  });

  it('should keep folders and states of a Maildir, of Thunderbird and of Apple Mail', async () => {
    const sut = await account();
    const maildir = gzipSync(
      await tarOf({
        'Maildir/cur/1583229600.a.host:2,FS': mail('maildir inbox'),
        'Maildir/.Sent/cur/1583229601.b.host:2,': mail('maildir sent'),
        'Maildir/cur/1583229602.c.host:2,ST': mail('maildir deleted'),
        'Maildir/dovecot-uidlist': '3 V1 N1',
      }),
    );
    const thunderbird = await zipOf({
      'profile/Mail/Local Folders/Inbox': inMbox(mail('thunderbird inbox')),
      'profile/Mail/Local Folders/Inbox.sbd/Club': inMbox(mail('thunderbird club')),
      'profile/Mail/Local Folders/Inbox.msf': 'x',
    });
    const list = '<?xml version="1.0"?><plist><dict><key>flags</key><integer>16</integer></dict></plist>';
    const message = mail('apple');
    const apple = await zipOf({
      'Work.mbox/mbox': inMbox(mail('apple work')),
      'Work.mbox/table_of_contents': '\0\0',
      'INBOX.mbox/Messages/1.emlx': `${Buffer.byteLength(message)}\n${message}${list}`,
    });
    for (const [bytes, counts] of [
      [maildir, { imported: 2, leftOut: { deleted: 1, programData: 1 }, formats: { eml: 3 }, deleted: 1 }],
      [thunderbird, { imported: 2, leftOut: { programData: 1 }, formats: { mbox: 2 } }],
      [apple, { imported: 2, leftOut: { programData: 1 }, formats: { mbox: 1, emlx: 1 } }],
    ] as const) {
      const job = await importMbox(user, sut.accountId, bytes);
      expect(job).toMatchObject({ status: 'completed', failed: 0, result: counts });
      expectSum(job.result);
    }
    expect(await labels(sut)).toEqual({
      'maildir inbox': ['INBOX', 'STARRED'],
      'maildir sent': ['SENT', 'UNREAD'],
      'thunderbird inbox': ['INBOX'],
      'thunderbird club': ['Inbox/Club'],
      'apple work': ['Work'],
      apple: ['INBOX', 'UNREAD', 'STARRED'],
    });
  });

  it('should end with correct counts when the storage quota is used up in an archive, and be resumable', async () => {
    const sut = await account();
    const subjects = ['q1', 'q2', 'q3', 'q4'];
    const zip = await zipOf({
      'a.pdf': '%PDF-1.7',
      ...Object.fromEntries(subjects.map((s) => [`${s}.eml`, mail(s)])),
    });
    const size = mail('q1').replaceAll('\n', '\r\n').length;
    await app.dataSource.query(
      `UPDATE users SET storage_quota_bytes = $2::bigint + (SELECT coalesce(sum(size_bytes), 0) FROM archived_mails
        WHERE user_id = $1) WHERE id = $1`,
      [user.id, 2 * size],
    );
    const job = await importMbox(user, sut.accountId, zip);
    await app.dataSource.query('UPDATE users SET storage_quota_bytes = DEFAULT WHERE id = $1', [user.id]);
    expect(job).toMatchObject({
      status: 'failed',
      error_code: 'quota-exceeded',
      result: { items: 3, imported: 2, leftOut: { notMail: 1 } },
    });
    expectSum(job.result);
    expect((await user.api.post(`/api/jobs/${job.queue_id}/resume`)).status).toBe(202);
    const resumed = await user.jobEnd(job.queue_id as string);
    expect(resumed).toMatchObject({
      status: 'completed',
      total: 5,
      processed: 5,
      result: { items: 5, imported: 4, duplicates: 0 },
    });
  });

  it('should import a single message', async () => {
    const sut = await account();
    expect(await importMbox(user, sut.accountId, mail('alone'))).toMatchObject({
      status: 'completed',
      result: { imported: 1 },
    });
    expect(await labels(sut)).toEqual({ alone: [] });
  });

  it.each<[string, () => Promise<Buffer> | Buffer, string, RegExp]>([
    ['a PDF', () => Buffer.from('%PDF-1.7'), 'not-an-mbox-file', /This is a PDF document/],
    [
      'a ZIP without mail',
      () => zipOf({ 'a.pdf': '%PDF-1.7', 'b.txt': 'x' }),
      'no-mail-in-archive',
      /2 of its files are no mail/,
    ],
    [
      'a ZIP that is cut within its first header',
      async () => (await zipOf({ 'a.eml': mail('a') })).subarray(0, 32),
      'archive-unreadable',
      /directory/,
    ],
  ])('should fail for %s with its name, and write nothing', async (_what, build, code, text) => {
    const sut = await account();
    const job = await importMbox(user, sut.accountId, await build());
    expect(job).toMatchObject({ status: 'failed', error_code: code, error: expect.stringMatching(text) });
    expect((await sut.rows()).size).toBe(0);
  });
});
