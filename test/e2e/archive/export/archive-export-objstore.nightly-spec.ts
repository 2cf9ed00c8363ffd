import { createHash } from 'node:crypto';
import { fromBuffer, type Entry } from 'yauzl';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture, sha256 } from '../../../support/archive/archive-fixture';
import { TestObjectStore } from '../../../support/object-store/object-store';
import { TcpProxy } from '../../../support/tcp-proxy';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

jest.setTimeout(120_000);

const BUCKET = 'exported';
const LARGE = 20 * 1024 * 1024;

/** SHA-256 of each entry by its name. */
function hashesInZip(bytes: Buffer): Promise<Map<string, string>> {
  return new Promise((resolve, reject) => {
    const hashes = new Map<string, string>();
    fromBuffer(bytes, { lazyEntries: true }, (opened, zip) => {
      if (opened) return reject(opened);
      zip.on('error', reject);
      zip.on('end', () => resolve(hashes));
      zip.on('entry', (entry: Entry) => {
        zip.openReadStream(entry, (failed, stream) => {
          if (failed) return reject(failed);
          const hash = createHash('sha256');
          stream.on('data', (chunk: Buffer) => hash.update(chunk));
          stream.on('error', reject);
          stream.on('end', () => {
            hashes.set(entry.fileName, hash.digest('hex'));
            zip.readEntry();
          });
        });
      });
      zip.readEntry();
    });
  });
}

describe('Archive export from an object store', () => {
  let app: TestApp;
  let store: TestObjectStore;
  let proxy: TcpProxy;
  let user: TestUser;
  let sut: ArchiveFixture;
  let rows: any[];
  let mbox: string;

  beforeAll(async () => {
    store = await TestObjectStore.start();
    proxy = await TcpProxy.to(store.endpoint);
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    const objstoreEndpoint = proxy.url.replace(/\/$/, '');
    const configured = await user.api.put(
      '/api/storage/config',
      store.configuration(BUCKET, { objstoreEndpoint }),
    );
    expect(configured.status).toBe(200);
    sut = await ArchiveFixture.connect(app, user, 'exported-40@sandbox.mailroom.test');
    await sut.archive({ query: 'in:anywhere' });
    await sut.insertAndArchive(
      Buffer.concat([
        Buffer.from('Subject: large\r\nDate: Mon, 1 Jan 1990 00:00:00 +0000\r\n\r\n'),
        Buffer.alloc(LARGE, 'a line of a large mail\r\n'),
      ]),
    );
    rows = [...(await sut.rows()).values()];
    expect(rows).toHaveLength(41);
    expect(await store.objects(BUCKET)).toHaveLength(41);
    mbox = `/api/import/${sut.accountId}/export-mbox`;
  });

  afterAll(async () => {
    await app.close();
    await proxy.close();
  });

  it('should put every mail into the ZIP, large ones as well', async () => {
    const { status, bytes } = await user.api.post(`${sut.path}/export-zip`, {
      mailIds: rows.map(({ id }) => id as string),
    });
    expect(status).toBe(200);
    const hashes = await hashesInZip(bytes);
    expect(hashes.delete('manifest.json')).toBe(true);
    expect([...hashes.values()].sort()).toEqual(rows.map(({ sha256: hash }) => hash as string).sort());
  });

  it('should write every mail into the mbox, and cut the connection for an altered one', async () => {
    const { status, bytes } = await user.api.post(mbox);
    expect(status).toBe(200);
    expect(bytes.toString('latin1').match(/^From \S+ \w{3} \w{3} [ \d]\d [\d:]{8} \d{4}$/gm)).toHaveLength(
      41,
    );

    for (const { storage_key: key } of [rows[3], rows[40]]) {
      const original = await store.read(BUCKET, key as string);
      const altered = Buffer.from(original);
      altered[altered.length - 1] = 0x20;
      await store.overwrite(BUCKET, key as string, altered);
      await expect(user.api.post(mbox)).rejects.toThrow();
      await store.overwrite(BUCKET, key as string, original);
    }
    expect(sha256((await user.api.post(mbox)).bytes)).toBe(sha256(bytes));
  });

  it('should stop reading when the client disconnects', async () => {
    for (const [path, body] of [
      [mbox, {}],
      [`${sut.path}/export-zip`, { mailIds: rows.map(({ id }) => id as string) }],
    ] as const) {
      const abortion = new AbortController();
      const response = await user.api.fetch('POST', path, { body, signal: abortion.signal });
      // The large mail is the oldest: it is being read.
      await response.body!.getReader().read();
      const open = proxy.connections;
      abortion.abort();
      await waitFor('the connection that reads it to be closed', async () => proxy.connections < open);
      const { sent } = proxy;
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(proxy.sent).toBe(sent);
    }
    expect((await user.api.get(`${sut.path}/mails?limit=1`)).status).toBe(200);
  });
});
