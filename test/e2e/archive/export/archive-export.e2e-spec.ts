import { readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MailExportsService } from '../../../../src/archive/export/mail-exports.service';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture, sha256 } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import { asMboxKeepsIt, parseMbox, unzip } from '../../../support/archive/exports';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';
import { nightly } from '../../../support/nightly';

jest.setTimeout(120_000);

const UNKNOWN = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';
const MIB = 1024 * 1024;
const LARGE = 4 * MIB;

describe('Archive export', () => {
  let app: TestApp;
  let user: TestUser;
  let sut: ArchiveFixture;
  let mailIds: string[];
  let boxes = 0;

  const connect = (messages: number): Promise<ArchiveFixture> =>
    ArchiveFixture.connect(app, user, `export${(boxes += 1)}-${messages}@sandbox.mailroom.test`);

  /** Mails too large to be read ahead. @returns their ids */
  const insertLarge = (own: ArchiveFixture, count: number): Promise<string[]> =>
    own.insertAndArchive(
      ...Array.from({ length: count }, (_, index) =>
        Buffer.concat([
          Buffer.from(`Subject: large ${index}\r\nDate: Mon, 1 Jan 2024 00:00:${10 + index} +0000\r\n\r\n`),
          Buffer.alloc(LARGE, `line ${index}\r\n`),
        ]),
      ),
    );
  /** Rows and files, as retention removes them. */
  const remove = async (own: ArchiveFixture, ids: readonly string[]): Promise<void> => {
    const rows = [...(await own.rows()).values()].filter(({ id }) => ids.includes(id as string));
    await app.dataSource.query('DELETE FROM archived_mails WHERE id = ANY ($1)', [ids]);
    for (const { storage_key: key } of rows) await rm(join(app.archiveDir, key));
  };
  const exporter = ({ accountId }: ArchiveFixture) => ({ userId: user.id, accountId, passphrase: null });
  const rest = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array[]> => {
    const chunks: Uint8Array[] = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return chunks;
      chunks.push(value);
    }
  };

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
    sut = await connect(50);
    const awkward = [
      Buffer.alloc(0),
      eml('Subject: a/b\\c:*?"<>| ../.. \u202Eend', '', 'x'),
      eml(
        'Subject: quoting',
        'From: a@b.example',
        '',
        'From here on',
        '>From there',
        'not From',
        '',
        'From ',
        'end',
      ),
      eml('Subject: open end', '', 'no newline at the end'),
      eml('Subject: same', '', '1'),
      eml('Subject: same', '', '2'),
      Buffer.concat([Buffer.from('Subject: large\r\n\r\n'), Buffer.alloc(3 * MIB, 'large line \r\n')]),
    ];
    for (const raw of awkward) sut.mailbox.insert(raw);
    expect((await sut.archive({ query: 'in:anywhere' })).failed).toBe(0);
    mailIds = [...(await sut.rows()).values()].map((row) => row.id as string);
    expect(mailIds.length).toBeGreaterThan(50);
  });

  afterAll(() => app?.close());

  const rawById = async (): Promise<Map<string, Buffer>> =>
    new Map([...(await sut.rows()).entries()].map(([id, row]) => [row.id as string, sut.mailbox.raw(id)]));

  describe('POST export-zip', () => {
    it.each([
      ['stored', '', 0],
      ['deflated', '?compress=true', 8],
    ])('should put every mail into a ZIP, %s, with a correct manifest', async (_how, query, method) => {
      const { status, headers, bytes } = await user.api.post(`${sut.path}/export-zip${query}`, { mailIds });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/zip');
      expect(headers.get('content-disposition')).toMatch(
        /^attachment; filename="archive-export-[\d-]{10}\.zip"$/,
      );
      expect(headers.get('transfer-encoding')).toBe('chunked');
      const { entries, methods } = await unzip(bytes);
      expect(methods).toEqual(new Set([method]));
      const manifest = JSON.parse(entries.get('manifest.json')!.toString('utf8'));
      expect(manifest.missing).toEqual([]);
      expect(manifest.mails).toHaveLength(mailIds.length);
      expect(entries.size).toBe(mailIds.length + 1);
      const raws = await rawById();
      for (const { file, id, sha256: hash, intact } of manifest.mails) {
        expect(entries.get(file as string)!.equals(raws.get(id as string)!)).toBe(true);
        expect(hash).toBe(sha256(raws.get(id as string)!));
        expect(intact).toBe(true);
        expect(file).toMatch(/^\d{4}-\d\d\/\d{4}-\d\d-\d\d_[^/\\:*?"<>|\u202e]+_[0-9a-f]{8}(-\d+)?\.eml$/);
      }
    });

    it('should list missing and altered mails in the manifest', async () => {
      const own = await connect(3);
      await own.archive({ query: 'in:anywhere' });
      const rows = [...(await own.rows()).values()];
      await rm(join(app.archiveDir, rows[0].storage_key));
      await writeFile(join(app.archiveDir, rows[1].storage_key), 'altered');
      const { bytes } = await user.api.post(`${own.path}/export-zip`, { mailIds: rows.map((row) => row.id) });
      const { entries } = await unzip(bytes);
      const manifest = JSON.parse(entries.get('manifest.json')!.toString('utf8'));
      expect(manifest.missing).toEqual([{ id: rows[0].id, mailbox_message_id: rows[0].mailbox_message_id }]);
      const altered = manifest.mails.find((mail: any) => mail.id === rows[1].id);
      expect(altered).toMatchObject({ intact: false, sha256: sha256(Buffer.from('altered')) });
    });

    nightly('should list mails in the manifest that are deleted while it is written', async () => {
      const own = await connect(0);
      const ids = await insertLarge(own, 20);
      const response = await user.api.fetch('POST', `${own.path}/export-zip`, { body: { mailIds: ids } });
      const reader = response.body!.getReader();
      const first = await reader.read();
      // Nothing more is read: the export stands still with most of it before it.
      await remove(own, ids.slice(10));
      const { entries } = await unzip(Buffer.concat([first.value!, ...(await rest(reader))]));
      const manifest = JSON.parse(entries.get('manifest.json')!.toString('utf8'));
      const missing = manifest.missing.map(({ id }: { id: string }) => id) as string[];
      expect(missing.length).toBeGreaterThan(0);
      expect(ids.slice(10)).toEqual(expect.arrayContaining(missing));
      expect([...missing, ...manifest.mails.map(({ id }: { id: string }) => id)].sort()).toEqual(ids.sort());
      expect(entries.size).toBe(manifest.mails.length + 1);
      for (const { file, sha256: hash, intact } of manifest.mails) {
        expect([sha256(entries.get(file as string)!), intact]).toEqual([hash, true]);
      }
    });

    it('should list mails in the manifest whose rows are deleted before their page is read', async () => {
      const own = await connect(0);
      const ids = await insertLarge(own, 3);
      const exports = app.app.get(MailExportsService);
      const stream = await exports.zip(exporter(own), ids, { compress: false });
      await remove(own, ids.slice(1));
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const { entries } = await unzip(Buffer.concat(chunks));
      const manifest = JSON.parse(entries.get('manifest.json')!.toString('utf8'));
      const ofMessage = expect.any(String) as string;
      expect(manifest.mails.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
      expect(manifest.missing).toHaveLength(2);
      expect(manifest.missing).toEqual(
        expect.arrayContaining(ids.slice(1).map((id) => ({ id, mailbox_message_id: ofMessage }))),
      );
    });

    it.each([
      [{}, 400],
      [{ mailIds: [] }, 400],
      [{ mailIds: ['x'] }, 400],
      [{ mailIds: UNKNOWN }, 400],
      [{ mailIds: Array.from({ length: 10_001 }, () => UNKNOWN) }, 400],
      [{ mailIds: [UNKNOWN] }, 404],
    ])('should refuse %#', async (body, status) => {
      const answer = await user.api.post(`${sut.path}/export-zip`, body);
      expect(answer.status).toBe(status);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
    });

    it('should refuse mails of another account, even among its own', async () => {
      const other = await connect(0);
      const [foreignId] = await other.insertAndArchive(eml('Subject: foreign', '', 'x'));
      const answer = await user.api.post(`${sut.path}/export-zip`, { mailIds: [...mailIds, foreignId] });
      expect([answer.status, answer.body.code]).toEqual([404, 'mail-not-found']);
    });

    it('should stop working when the client disconnects', async () => {
      const abortion = new AbortController();
      const response = await user.api.fetch('POST', `${sut.path}/export-zip`, {
        body: { mailIds },
        signal: abortion.signal,
      });
      await response.body!.getReader().read();
      abortion.abort();
      await waitFor('open EML files to be closed', async () => {
        const descriptors = await readdir('/proc/self/fd');
        const targets = await Promise.all(
          descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
        );
        return !targets.some((target) => target.startsWith(app.archiveDir));
      });
      expect((await user.api.get(`${sut.path}/mails?limit=1`)).status).toBe(200);
    });
  });

  describe('POST export-mbox', () => {
    const path = (fixture: ArchiveFixture): string => `/api/import/${fixture.accountId}/export-mbox`;

    it('should write all mails oldest first, so that they can be read again', async () => {
      const { status, headers, bytes } = await user.api.post(path(sut));
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/mbox');
      expect(headers.get('content-disposition')).toBe(
        `attachment; filename="archive-export-${new Date().toISOString().slice(0, 10)}.mbox"`,
      );
      const rows = [...(await sut.rows()).values()].sort(
        (a, b) => a.date.getTime() - b.date.getTime() || (a.id < b.id ? -1 : 1),
      );
      const messages = parseMbox(bytes);
      expect(messages).toHaveLength(rows.length);
      for (const [index, row] of rows.entries()) {
        const kept = asMboxKeepsIt(sut.mailbox.raw(row.mailbox_message_id as string));
        expect(messages[index]!.message).toBe(kept);
        expect(messages[index]!.from).toContain(String((row.date as Date).getUTCFullYear()));
      }
    });

    it('should write the named mails, and nothing for an empty archive', async () => {
      const { bytes } = await user.api.post(path(sut), { mailIds: mailIds.slice(0, 3) });
      expect(parseMbox(bytes)).toHaveLength(3);
      const empty = await connect(0);
      const answer = await user.api.post(path(empty), {});
      expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
    });

    it('should refuse bad, unknown, foreign and encrypted mails', async () => {
      expect((await user.api.post(path(sut), { mailIds: [] })).status).toBe(400);
      expect((await user.api.post(path(sut), { mailIds: ['x'] })).status).toBe(400);
      expect((await user.api.post(path(sut), { mailIds: [UNKNOWN] })).status).toBe(404);
      expect((await app.anonymous.post(path(sut))).status).toBe(401);
      const stranger = await app.user('stranger');
      expect((await stranger.api.post(path(sut))).body.code).toBe('account-not-owned');

      const own = await connect(2);
      await own.archive({ query: 'in:anywhere' });
      const [row] = (await own.rows()).values();
      await app.dataSource.query('UPDATE archived_mails SET is_encrypted = true WHERE id = $1', [row.id]);
      for (const answer of [
        await user.api.post(path(own)),
        await user.api.post(path(own), { mailIds: [row.id] }),
        await user.api.post(`${own.path}/export-zip`, { mailIds: [row.id] }),
      ]) {
        expect([answer.status, answer.body.code]).toEqual([409, 'mails-encrypted']);
      }
    });

    nightly('should cut the connection rather than omit mails deleted in the meantime', async () => {
      const own = await connect(0);
      const ids = await insertLarge(own, 20);
      for (const body of [{ mailIds: ids }, {}]) {
        const response = await user.api.fetch('POST', path(own), { body });
        const reader = response.body!.getReader();
        await reader.read();
        await remove(own, [ids.pop()!]);
        await expect(rest(reader)).rejects.toThrow();
      }
      const exports = app.app.get(MailExportsService);
      const stream = await exports.mbox(exporter(own), ids);
      await remove(own, [ids.pop()!]);
      await expect(
        (async () => {
          for await (const chunk of stream) expect(chunk.length).toBeGreaterThan(0);
        })(),
      ).rejects.toThrow('was deleted during the export');
    });

    it.each([
      ['of the same size', (bytes: Buffer) => Buffer.from(bytes).fill(0x20, 10, 11)],
      ['cut short', (bytes: Buffer) => bytes.subarray(0, -1)],
      ['lengthened', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')])],
    ])('should cut the connection rather than export an altered mail as intact: %s', async (_how, alter) => {
      const own = await connect(3);
      await own.archive({ query: 'in:anywhere' });
      await insertLarge(own, 1);
      for (const row of (await own.rows()).values()) {
        const file = join(app.archiveDir, row.storage_key);
        const bytes = await readFile(file);
        await writeFile(file, alter(bytes));
        await expect(user.api.post(path(own))).rejects.toThrow();
        await writeFile(file, bytes);
      }
      // Restored, it is whole again; each CR LF has become an LF.
      expect((await user.api.post(path(own))).bytes.length).toBeGreaterThan(LARGE / 2);
    });

    it('should cut the connection rather than hide a missing file', async () => {
      const own = await connect(3);
      await own.archive({ query: 'in:anywhere' });
      const rows = [...(await own.rows()).values()];
      await rm(join(app.archiveDir, rows[0].storage_key));
      await expect(user.api.post(path(own))).rejects.toThrow();
      expect((await readFile(join(app.archiveDir, rows[1].storage_key))).length).toBeGreaterThan(0);
    });
  });
});
