import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture, sha256 } from '../../../support/archive/archive-fixture';
import { eml, emlWithAttachment } from '../../../support/archive/eml';
import type { TestUser } from '../../../support/test-user';
import { nightly } from '../../../support/nightly';

const MIB = 1024 * 1024;
/** Real and awkward messages kept outside the repository; the test is left out where they are not. */
const CORPUS = resolve(__dirname, '../../../../../shared/data/eml');

const nestedMultiparts = (depth: number): Buffer => {
  const lines = ['Subject: nested', 'Content-Type: multipart/mixed; boundary=b0', ''];
  for (let level = 0; level < depth; level++) {
    lines.push(`--b${level}`, `Content-Type: multipart/mixed; boundary=b${level + 1}`, '');
  }
  return eml(...lines, 'the core');
};

const HOSTILE: Record<string, Buffer> = {
  'zero length': Buffer.alloc(0),
  'only line ends': Buffer.from('\r\n\r\n\r\n'),
  'no header': Buffer.from('just some words, and no header at all'),
  'NUL bytes everywhere': Buffer.from('Subject: a\0b\r\nFrom: x\0 <a\0@b>\r\n\r\nte\0xt\0'),
  '5,000 nested elements': eml(
    'Subject: divs',
    'Content-Type: text/html',
    '',
    `${'<div>'.repeat(5_000)}needle${'</div>'.repeat(5_000)}`,
  ),
  '400 nested multiparts': nestedMultiparts(400),
  '200,000 header lines': Buffer.from(
    `Subject: many\r\n${'X-Filler: some text\r\n'.repeat(200_000)}\r\nbody`,
  ),
  'one header of 5 MB': Buffer.from(`Subject: ${'x'.repeat(5 * MIB)}\r\n\r\nbody`),
  'missing closing boundary': eml(
    'Subject: open',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    '',
    'text',
  ),
  'boundary that never comes': eml('Subject: none', 'Content-Type: multipart/mixed; boundary=y', '', 'text'),
  'multipart without boundary': eml('Subject: bare', 'Content-Type: multipart/mixed', '', 'text'),
  'unknown charset': eml(
    'Subject: =?x-klingon?Q?=C0?=',
    'Content-Type: text/plain; charset=x-klingon',
    '',
    'text',
  ),
  'wrong charset': Buffer.concat([
    eml('Subject: wrong', 'Content-Type: text/plain; charset=utf-8', '', ''),
    Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xe9, 0xe8]),
  ]),
  'broken base64': eml(
    'Subject: b64',
    'Content-Transfer-Encoding: base64',
    '',
    '!!!! not base64 =====',
    '==',
  ),
  'lone surrogates': eml('Subject: =?utf-16?B?2D3YPQ==?=', '', 'text'),
  'binary noise': Buffer.from(
    Array.from({ length: 200_000 }, (_, index) => (index * 31 + (index >> 8) * 17) % 256),
  ),
  'a thousand attachments': eml(
    'Subject: thousand',
    'Content-Type: multipart/mixed; boundary=t',
    '',
    ...Array.from(
      { length: 1_000 },
      (_, n) => `--t\r\nContent-Disposition: attachment; filename="../${n}.txt"\r\n\r\n${n}`,
    ),
    '--t--',
  ),
  'words without end': eml(
    'Subject: words',
    '',
    Array.from({ length: 60_000 }, (_, n) => `w${n}x`).join(' '),
  ),
};

describe('Archiving hostile mail', () => {
  let app: TestApp;
  let user: TestUser;
  let boxes = 0;

  const start = async (mailDir?: string): Promise<void> => {
    app = await startTestApp({ sandbox: { messages: 1, ...(mailDir ? { mailDir, messages: 0 } : {}) } });
    user = await app.user();
  };

  afterEach(() => app?.close());

  const connect = (): Promise<ArchiveFixture> =>
    ArchiveFixture.connect(app, user, `hostile${(boxes += 1)}-0@sandbox.mailroom.test`);

  it('should archive every message byte for byte and report what it could not parse', async () => {
    await start();
    const sut = await connect();
    const names = Object.keys(HOSTILE);
    const ids = names.map((name) => sut.mailbox.insert(HOSTILE[name]!));
    const job = await sut.archive({ messageIds: ids }, 120_000);
    expect(job).toMatchObject({ status: 'completed', processed: names.length, failed: 0 });
    const rows = await sut.rows();
    for (const [index, name] of names.entries()) {
      const row = rows.get(ids[index]!);
      const { status, bytes } = await user.api.get(`${sut.path}/mails/${row.id}/eml`);
      expect([name, status, bytes.equals(HOSTILE[name]!)]).toEqual([name, 200, true]);
      const read = await user.api.get(`${sut.path}/mails/${row.id}`);
      expect([name, read.status, read.body.sha256]).toEqual([name, 200, sha256(HOSTILE[name]!)]);
    }
    const defectsOf = (name: string): string[] => rows.get(ids[names.indexOf(name)]!).defects as string[];
    for (const name of [
      'zero length',
      'missing closing boundary',
      '400 nested multiparts',
      'unknown charset',
    ]) {
      expect([name, defectsOf(name).length > 0]).toEqual([name, true]);
    }
    expect((await user.api.get(`${sut.path}/mails?q=needle`)).body.total).toBe(1);
    expect((await user.api.get(`${sut.path}/mails?limit=100`)).body.total).toBe(names.length);
    expect((await user.api.get(`${sut.path}/threads?limit=100`)).status).toBe(200);
    expect(await sut.files()).toHaveLength(names.length);
  }, 150_000);

  nightly(
    'should archive and return a 50 MB attachment',
    async () => {
      await start();
      const sut = await connect();
      const content = Buffer.alloc(50 * MIB);
      for (let at = 0; at < content.length; at += 4) content.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
      const raw = emlWithAttachment({ disposition: 'filename="big.bin"', content });
      const [mailId] = (await sut.insertAndArchive(raw)) as [string];
      const { body } = await user.api.get(`${sut.path}/mails/${mailId}`);
      expect(body).toMatchObject({ size_bytes: raw.length, sha256: sha256(raw), emlContent: null });
      expect(body.attachments[0]).toMatchObject({ filename: 'big.bin', size_bytes: content.length });
      const path = `${sut.path}/attachments/${body.attachments[0].id}/download`;
      const whole = await user.api.get(path);
      expect(sha256(whole.bytes)).toBe(sha256(content));
      const tail = await user.api.get(path, { headers: { range: 'bytes=-1000' } });
      expect(tail.bytes.equals(content.subarray(-1000))).toBe(true);
    },
    120_000,
  );

  (existsSync(CORPUS) ? it : it.skip)(
    'should archive a folder of real and broken messages byte for byte',
    async () => {
      await start(CORPUS);
      const sut = await ArchiveFixture.connect(app, user, 'demo@sandbox.mailroom.test');
      const ids = sut.mailbox.ids();
      const job = await sut.archive({ messageIds: ids }, 120_000);
      expect(job).toMatchObject({ status: 'completed', processed: ids.length, failed: 0 });
      const expected = new Map<string, number>();
      for (const entry of await readdir(CORPUS, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !entry.name.endsWith('.eml')) continue;
        const hash = sha256(await readFile(join(entry.parentPath, entry.name)));
        expected.set(hash, (expected.get(hash) ?? 0) + 1);
      }
      expect(expected.size).toBeGreaterThan(100);
      const found = new Map<string, number>();
      for (const row of (await sut.rows()).values()) {
        const { bytes } = await user.api.get(`${sut.path}/mails/${row.id}/eml`);
        expect(sha256(bytes)).toBe(row.sha256);
        found.set(row.sha256 as string, (found.get(row.sha256 as string) ?? 0) + 1);
        const { status, body } = await user.api.get(`${sut.path}/mails/${row.id}`);
        expect(status).toBe(200);
        for (const attachment of body.attachments) {
          const download = await user.api.get(`${sut.path}/attachments/${attachment.id}/download`);
          expect([download.status, download.bytes.length]).toEqual([200, attachment.size_bytes]);
        }
      }
      expect([...found].sort()).toEqual([...expected].sort());
    },
    150_000,
  );
});
