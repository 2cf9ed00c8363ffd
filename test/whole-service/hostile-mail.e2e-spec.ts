import yauzl from 'yauzl';
import { buffer } from 'node:stream/consumers';
import { startTestApp, TestApp } from '../support/app';
import { ArchiveFixture, sha256 } from '../support/archive/archive-fixture';
import { TORTURE_MAILS } from '../support/archive/torture-mails';
import { importMbox } from '../support/imports';
import { unsafeContent } from '../support/safe-html/unsafe-content';
import type { TestUser } from '../support/test-user';
import { nightly } from '../support/nightly';

const NAMES = Object.keys(TORTURE_MAILS);

/** Entries of a ZIP by name, as another program unpacks them. */
const unzipped = (zip: Buffer): Promise<Map<string, Buffer>> =>
  new Promise((resolve, reject) => {
    yauzl.fromBuffer(zip, { lazyEntries: true, strictFileNames: true }, (error, file) => {
      if (error) return reject(error);
      const entries = new Map<string, Buffer>();
      file.on('entry', (entry: yauzl.Entry) => {
        file.openReadStream(entry, (failure, stream) => {
          if (failure) return reject(failure);
          buffer(stream).then((bytes) => {
            entries.set(entry.fileName, bytes);
            file.readEntry();
          }, reject);
        });
      });
      file.on('end', () => resolve(entries)).on('error', reject);
      file.readEntry();
    });
  });

/** Each mail goes the whole way: into the archive, through everything that reads it, out of it, and in again. */
describe('Hostile mail', () => {
  let app: TestApp;
  let user: TestUser;
  let sut: ArchiveFixture;
  const ids = new Map<string, string>();

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    sut = await ArchiveFixture.connect(app, user, 'torture-0@sandbox.mailroom.test');
    const messageIds = NAMES.map((name) => sut.mailbox.insert(TORTURE_MAILS[name]!, { labelIds: ['INBOX'] }));
    const job = await sut.archive({ messageIds });
    expect(job).toMatchObject({ status: 'completed', processed: NAMES.length, failed: 0 });
    const rows = await sut.rows();
    NAMES.forEach((name, index) => ids.set(name, rows.get(messageIds[index]!).id as string));
  }, 120_000);

  afterAll(() => app?.close());

  it.each(NAMES)('should be archived, read and rendered: %s', async (name) => {
    const raw = TORTURE_MAILS[name]!;
    const id = ids.get(name)!;
    const eml = await user.api.get(`${sut.path}/mails/${id}/eml`);
    expect([eml.status, eml.bytes.equals(raw)]).toEqual([200, true]);
    const read = await user.api.get(`${sut.path}/mails/${id}`);
    expect([read.status, read.body.sha256, read.body.size_bytes]).toEqual([200, sha256(raw), raw.length]);
    const attachments = read.body.attachments as { id: string; filename: string; size_bytes: number }[];
    expect(attachments.length).toBeLessThanOrEqual(1_000);
    for (const attachment of attachments.slice(0, 10)) {
      expect(attachment.filename).toMatch(/^[^/\\\p{Cc}]+$/u);
      const download = await user.api.get(`${sut.path}/attachments/${attachment.id}/download`);
      expect([download.status, download.bytes.length]).toEqual([200, attachment.size_bytes]);
    }
    const shown = await user.api.get(`${sut.path}/mails/${id}/safe-html`);
    expect(shown.status).toBe(200);
    expect(unsafeContent(shown.bytes.toString())).toEqual([]);
    const thread = await user.api.get(
      `${sut.path}/threads/${encodeURIComponent(read.body.thread_id as string)}`,
    );
    expect(thread.status).toBe(200);
  });

  it('should be listed and found', async () => {
    for (const path of [`${sut.path}/mails?limit=100`, `${sut.path}/threads?limit=100`]) {
      expect((await user.api.get(path)).body.total).toBe(NAMES.length);
    }
    const attachments = await user.api.get(`/api/attachments/${sut.accountId}/archived?limit=100`);
    expect(attachments.status).toBe(200);
    const found = async (q: string): Promise<number> =>
      (await user.api.get(`${sut.path}/mails?q=${encodeURIComponent(q)}`)).body.total as number;
    expect(await found('"part 200"')).toBe(1);
    expect(await found('émile')).toBe(1);
    expect(await found('東京')).toBe(1);
  });

  it('should be scanned completely for personal data', async () => {
    const { body } = await user.api.post(`/api/privacy/${sut.accountId}/pii/scan`, {});
    expect(await user.jobEnd(body.jobId as string)).toMatchObject({
      status: 'completed',
      processed: NAMES.length,
      failed: 0,
    });
    const findings = await user.api.get(`/api/privacy/${sut.accountId}/pii?limit=100`);
    expect(JSON.stringify(findings.body)).not.toContain('4111 1111');
  });

  it('should be scanned completely for trackers, in the mailbox', async () => {
    const { body } = await user.api.post(`/api/privacy/${sut.accountId}/tracking/scan`, {});
    expect(await user.jobEnd(body.jobId as string)).toMatchObject({ status: 'completed', failed: 0 });
  });

  it('should have the same bytes in a ZIP', async () => {
    const zip = await user.api.post(`${sut.path}/export-zip`, { mailIds: [...ids.values()] });
    const entries = await unzipped(zip.bytes);
    const manifest = JSON.parse(entries.get('manifest.json')!.toString());
    expect(manifest.mails).toHaveLength(NAMES.length);
    expect(manifest).toMatchObject({ missing: [], left_out: [] });
    for (const [name, id] of ids) {
      const { file } = manifest.mails.find((mail: { id: string }) => mail.id === id);
      expect([name, entries.get(file)!.equals(TORTURE_MAILS[name]!)]).toEqual([name, true]);
    }
  });

  nightly('should be unchanged when an mbox of it is imported elsewhere, even twice', async () => {
    const exportOf = async (accountId: string): Promise<Buffer> =>
      (await user.api.post(`/api/import/${accountId}/export-mbox`, {})).bytes;
    const again = await ArchiveFixture.connect(app, user, 'again-0@sandbox.mailroom.test');
    const job = await importMbox(user, again.accountId, await exportOf(sut.accountId));
    expect(job).toMatchObject({ status: 'completed', total: NAMES.length, failed: 0 });
    // An mbox knows one kind of line end, and a CR before it goes with it: but for those all is as it was.
    const plain = (raw: Buffer): string =>
      sha256(
        Buffer.from(
          raw
            .toString('latin1')
            .replace(/\r*\n/g, '\n')
            .replace(/[\r\n]*$/, '\n'),
          'latin1',
        ),
      );
    const stored = async (fixture: ArchiveFixture): Promise<Buffer[]> =>
      Promise.all(
        [...(await fixture.rows()).values()].map(
          async ({ id }) => (await user.api.get(`${fixture.path}/mails/${id}/eml`)).bytes,
        ),
      );
    const imported = await stored(again);
    expect(imported.map(plain).sort()).toEqual(Object.values(TORTURE_MAILS).map(plain).sort());

    const third = await ArchiveFixture.connect(app, user, 'third-0@sandbox.mailroom.test');
    await importMbox(user, third.accountId, await exportOf(again.accountId));
    expect((await stored(third)).map(sha256).sort()).toEqual(imported.map(sha256).sort());
  });
});
