import { createHash } from 'node:crypto';
import { ArchiveStores } from '../../../../src/archive/files/archive-store.port';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture, sha256 } from '../../../support/archive/archive-fixture';
import { emlWithAttachment } from '../../../support/archive/eml';
import { TestObjectStore } from '../../../support/object-store/object-store';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';
import { nightly } from '../../../support/nightly';

const MIB = 1024 * 1024;
const CONFIG = '/api/storage/config';

describe('Archives in an object store', () => {
  let app: TestApp;
  let store: TestObjectStore;
  let boxes = 0;

  beforeAll(async () => {
    [app, store] = await Promise.all([startTestApp({ sandbox: { messages: 1 } }), TestObjectStore.start()]);
  });

  afterAll(() => app?.close());

  const connect = (user: TestUser, messages: number): Promise<ArchiveFixture> =>
    ArchiveFixture.connect(app, user, `bucket${(boxes += 1)}-${messages}@sandbox.mailroom.test`);

  const use = async (user: TestUser, configuration: object): Promise<string> => {
    const { status, bytes } = await user.api.put(CONFIG, configuration);
    if (status !== 200) throw new Error(`PUT config answered ${status}: ${bytes.toString()}`);
    return (await user.api.get(CONFIG)).body.id as string;
  };

  /** Every row of the account has its object with its bytes in the bucket, and there is nothing else. */
  async function expectSound(fixture: ArchiveFixture, bucket: string): Promise<void> {
    const rows = [...(await fixture.rows()).values()];
    const prefix = `${fixture.user.id}/${fixture.accountId}/`;
    const objects = await store.objects(bucket, prefix);
    expect(objects.map(({ key }) => key)).toEqual(rows.map((row) => row.storage_key as string).sort());
    for (const row of rows) {
      expect(sha256(await store.read(bucket, row.storage_key))).toBe(row.sha256);
    }
    expect(await fixture.files()).toEqual([]);
    expect(await store.unfinishedUploads(bucket)).toEqual([]);
  }

  describe('a mailbox archived in a bucket', () => {
    const BUCKET = 'whole-mailbox';
    let user: TestUser;
    let sut: ArchiveFixture;
    let configurationId: string;

    beforeAll(async () => {
      user = await app.user();
      configurationId = await use(user, store.configuration(BUCKET));
      sut = await connect(user, 300);
      const job = await sut.archive({ query: 'in:anywhere' }, 100_000);
      expect([job.status, job.processed]).toEqual(['completed', 300]);
    }, 120_000);

    it('should have an object for each row and name the store in the row', async () => {
      await expectSound(sut, BUCKET);
      for (const row of (await sut.rows()).values()) expect(row.storage).toBe(configurationId);
    });

    it('should read a mail, its exact bytes and ranges of them', async () => {
      const [messageId, row] = [...(await sut.rows())][0]!;
      const raw = sut.mailbox.raw(messageId);
      const read = await user.api.get(`${sut.path}/mails/${row.id}`);
      expect([read.status, read.body.emlContent.length > 0]).toEqual([200, true]);
      const whole = await user.api.get(`${sut.path}/mails/${row.id}/eml`);
      expect(whole.bytes.equals(raw)).toBe(true);
      for (const [range, expected] of [
        ['bytes=0-0', raw.subarray(0, 1)],
        ['bytes=10-99', raw.subarray(10, 100)],
        ['bytes=-5', raw.subarray(-5)],
        [`bytes=${raw.length - 7}-`, raw.subarray(-7)],
      ] as const) {
        const part = await user.api.get(`${sut.path}/mails/${row.id}/eml`, { headers: { range } });
        expect([part.status, part.bytes.equals(expected)]).toEqual([206, true]);
      }
    });

    it('should serve attachments and ranges of them', async () => {
      const content = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 251));
      const raw = emlWithAttachment({ disposition: 'filename="a.bin"', content });
      const [mailId] = await sut.insertAndArchive(raw);
      const { body } = await user.api.get(`${sut.path}/mails/${mailId}`);
      const path = `${sut.path}/attachments/${body.attachments[0].id}/download`;
      expect((await user.api.get(path)).bytes.equals(content)).toBe(true);
      const part = await user.api.get(path, { headers: { range: 'bytes=1000-60000' } });
      expect([part.status, part.bytes.equals(content.subarray(1_000, 60_001))]).toEqual([206, true]);
    });

    it('should show threads', async () => {
      const { status, body } = await user.api.get(`${sut.path}/threads?limit=1`);
      expect([status, body.threads.length]).toEqual([200, 1]);
      const thread = await user.api.get(`${sut.path}/threads/${body.threads[0].thread_id}`);
      expect(thread.status).toBe(200);
    });

    nightly('should export everything as ZIP and as mbox', async () => {
      const rows = [...(await sut.rows()).values()];
      const zip = await user.api.post(`${sut.path}/export-zip`, { mailIds: rows.map(({ id }) => id) });
      expect([zip.status, zip.bytes.subarray(0, 2).toString()]).toEqual([200, 'PK']);
      for (const { sha256: hash } of rows) expect(zip.bytes.includes(hash as string)).toBe(true);
      const mbox = await user.api.post(`/api/import/${sut.accountId}/export-mbox`, {});
      const messages = mbox.bytes.toString('latin1').match(/^From \S/gm) ?? [];
      expect([mbox.status, messages.length]).toEqual([200, rows.length]);
    });

    nightly('should archive nothing twice, and replace damaged or missing files', async () => {
      const again = await sut.archive({ query: 'in:anywhere' }, 100_000);
      expect(again.result).toMatchObject({ archived: 0, failed: 0 });
      const [first, second] = [...(await sut.rows())];
      await store.overwrite(BUCKET, first![1].storage_key, Buffer.from('damaged'));
      await store.remove(BUCKET, second![1].storage_key);
      const missing = await user.api.get(`${sut.path}/mails/${second![1].id}/eml`);
      expect([missing.status, missing.body.code]).toEqual([404, 'archived-file-missing']);
      const job = await sut.archive({ messageIds: [first![0], second![0]], differential: false });
      expect(job).toMatchObject({ status: 'completed', processed: 2 });
      await waitFor('replaced objects to go', async () => {
        const objects = await store.objects(BUCKET, `${user.id}/${sut.accountId}/`);
        return objects.length === (await sut.rows()).size;
      });
      await expectSound(sut, BUCKET);
    });

    it('should upload a large mail in parts and read it back', async () => {
      const raw = Buffer.concat([
        Buffer.from('Subject: large\r\n\r\n'),
        Buffer.alloc(35 * MIB, 'large mail\r\n'),
      ]);
      const [mailId] = await sut.insertAndArchive(raw);
      const { bytes } = await user.api.get(`${sut.path}/mails/${mailId}/eml`);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256(raw));
      const part = await user.api.get(`${sut.path}/mails/${mailId}/eml`, {
        headers: { range: `bytes=${16 * MIB - 5}-${16 * MIB + 4}` },
      });
      expect(part.bytes.equals(raw.subarray(16 * MIB - 5, 16 * MIB + 5))).toBe(true);
      expect(await store.unfinishedUploads(BUCKET)).toEqual([]);
    }, 60_000);

    it('should end the request to the store when a reader disconnects', async () => {
      const [mail] = [...(await sut.rows()).values()].sort((a, b) => b.size_bytes - a.size_bytes);
      const abortion = new AbortController();
      const response = await user.api.fetch('GET', `${sut.path}/mails/${mail.id}/eml`, {
        signal: abortion.signal,
      });
      await response.body!.getReader().read();
      const connections = (): number =>
        (process as any)
          ._getActiveHandles()
          .filter(
            (handle: any) =>
              handle.remotePort === Number(new URL(store.endpoint).port) && handle._httpMessage,
          ).length;
      expect(connections()).toBeGreaterThan(0);
      abortion.abort();
      await waitFor('the connection to end', () => connections() === 0);
    });

    nightly(
      'should leave nothing behind when the account is purged',
      async () => {
        await store.client.putObject(
          BUCKET,
          `${user.id}/${sut.accountId}/2024/01/orphan.eml`,
          Buffer.from('x'),
        );
        await store.client.putObject(BUCKET, `${user.id}/other/2024/01/kept.eml`, Buffer.from('x'));
        await store.client.initiateNewMultipartUpload(
          BUCKET,
          `${user.id}/${sut.accountId}/2024/01/half.eml`,
          {},
        );
        expect((await user.api.delete(`/api/auth/mailbox/${sut.accountId}?purge=true`)).status).toBe(204);
        await waitFor('the bucket to be empty', async () => {
          const keys = (await store.objects(BUCKET)).map(({ key }) => key);
          return keys.length === 1 && keys[0] === `${user.id}/other/2024/01/kept.eml`;
        });
        await waitFor(
          'unfinished uploads to go',
          async () => (await store.unfinishedUploads(BUCKET)).length === 0,
        );
      },
      60_000,
    );
  });

  nightly(
    'should keep mails readable wherever the configuration pointed since',
    async () => {
      const user = await app.user();
      const sut = await connect(user, 40);
      const ids = sut.mailbox.ids();
      const steps: [object, string | null][] = [
        [{ type: 'local' }, null],
        [store.configuration('moved-one'), 'moved-one'],
        [store.configuration('moved-two'), 'moved-two'],
        [{ type: 'local' }, null],
      ];
      for (const [index, [configuration]] of steps.entries()) {
        await use(user, configuration);
        const messageIds = ids.slice(index * 10, index * 10 + 10);
        expect((await sut.archive({ messageIds })).processed).toBe(10);
      }
      expect((await sut.files()).length).toBe(20);
      expect((await store.objects('moved-one', user.id)).length).toBe(10);
      expect((await store.objects('moved-two', user.id)).length).toBe(10);
      const rows = await sut.rows();
      expect(new Set([...rows.values()].map((row) => row.storage)).size).toBe(3);
      for (const [messageId, row] of rows) {
        const { bytes } = await user.api.get(`${sut.path}/mails/${row.id}/eml`);
        expect(bytes.equals(sut.mailbox.raw(messageId))).toBe(true);
      }
      const zip = await user.api.post(`${sut.path}/export-zip`, {
        mailIds: [...rows.values()].map(({ id }) => id),
      });
      expect(zip.status).toBe(200);
      expect((await user.api.delete(`/api/auth/mailbox/${sut.accountId}?purge=true`)).status).toBe(204);
      await waitFor('all stores to be empty', async () => {
        const left = await Promise.all(
          ['moved-one', 'moved-two'].map((bucket) => store.objects(bucket, user.id)),
        );
        return left.flat().length === 0 && (await sut.files()).length === 0;
      });
    },
    60_000,
  );

  nightly(
    'should use new keys at once, and fail with a clear error when the keys stop working',
    async () => {
      const user = await app.user();
      await use(user, store.configuration('rotated'));
      const sut = await connect(user, 20);
      const ids = sut.mailbox.ids();
      await sut.archive({ messageIds: ids.slice(0, 10) });
      const guest = {
        objstoreAccessKeyId: store.guest.accessKeyId,
        objstoreSecretAccessKey: store.guest.secretAccessKey,
      };
      // The guest may write while the bucket is open to it; then it is not any more.
      await grant('rotated', store.guest.accessKeyId);
      await use(user, store.configuration('rotated', guest));
      expect((await sut.archive({ messageIds: ids.slice(0, 12) })).result).toMatchObject({ archived: 2 });
      await grant('rotated', '');
      const job = await sut.archive({ messageIds: ids });
      expect([job.status, job.error_code ?? job.error]).toEqual(['failed', expect.anything()]);
      expect(job.error).toMatch(/object store of this archive cannot be used: this access key may not/);
      const [row] = [...(await sut.rows()).values()];
      const read = await user.api.get(`${sut.path}/mails/${row.id}/eml`);
      expect([read.status, read.body.code]).toEqual([409, 'archive-store-refused']);
      await use(user, store.configuration('rotated'));
      expect((await user.api.get(`${sut.path}/mails/${row.id}/eml`)).status).toBe(200);
      expect((await sut.archive({ messageIds: ids })).result).toMatchObject({ archived: 8 });
      await expectSound(sut, 'rotated');
    },
    60_000,
  );

  /** Lets another user of the store into a bucket, by the store's own interface. */
  async function grant(bucket: string, user: string): Promise<void> {
    const login = await fetch(`${store.endpoint}/auth/v1.0`, {
      headers: { 'X-Auth-User': store.accessKeyId, 'X-Auth-Key': store.secretAccessKey },
    });
    const token = login.headers.get('x-auth-token')!;
    const { status } = await fetch(`${store.endpoint}/v1/AUTH_${store.account}/${bucket}`, {
      method: 'POST',
      headers: { 'X-Auth-Token': token, 'X-Container-Read': user, 'X-Container-Write': user },
    });
    expect(status).toBeLessThan(300);
  }

  it("should not resolve a store for another user's mail", async () => {
    const [owner, other] = [await app.user(), await app.user()];
    const id = await use(owner, store.configuration('owned'));
    const stores = app.app.get(ArchiveStores, { strict: false });
    await expect(stores.find(id, owner.id)).resolves.toBeDefined();
    await expect(stores.find(id, other.id)).rejects.toMatchObject({ code: 'archive-store-unknown' });
    await expect(stores.find('somewhere')).rejects.toMatchObject({ code: 'archive-store-unknown' });
  });

  nightly(
    'should list more objects than fit on a page',
    async () => {
      const user = await app.user();
      const id = await use(user, store.configuration('many-objects'));
      const sut = await app.app.get(ArchiveStores, { strict: false }).find(id);
      const keys = Array.from({ length: 1_050 }, (_, index) => `u/a/2024/01/${index}.eml`);
      await Promise.all(keys.map((key) => sut.put(key, Buffer.from('x'))));
      const listed: string[] = [];
      for await (const { key, size, modifiedAt } of sut.list('u/a/')) {
        expect([size, Math.abs(modifiedAt.getTime() - Date.now()) < 3_600_000]).toEqual([1, true]);
        listed.push(key);
      }
      expect(listed.sort()).toEqual(keys.sort());
      expect(await sut.exists(keys[0]!)).toBe(true);
      expect(await sut.exists('u/a/nothing.eml')).toBe(false);
      await sut.delete(keys[0]!);
      await expect(sut.delete(keys[0]!)).resolves.toBeUndefined();
      await expect(sut.read(keys[0]!)).rejects.toMatchObject({ code: 'archived-file-missing' });
      await sut.put('u/a/empty.eml', Buffer.alloc(0));
      expect((await sut.read('u/a/empty.eml')).length).toBe(0);
      expect(await sut.hash(keys[1]!)).toBe(sha256(Buffer.from('x')));
    },
    60_000,
  );
});
