import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { startTestApp, TestApp } from '../../../support/app';
import { EncryptedArchive, Inspection } from '../../../support/encryption/encrypted-archive';
import { TestObjectStore } from '../../../support/object-store/object-store';
import { TcpProxy } from '../../../support/tcp-proxy';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MIB = 1024 * 1024;
const BUCKET = 'encrypted';
/** Several batches, of which the last ones are not prepared before the first has been written. */
const MAILS = 80;
const MAIL_BYTES = MIB / 2;

describe('Encrypting an archive in an object store', () => {
  let app: TestApp;
  let store: TestObjectStore;
  let proxy: TcpProxy;
  let user: TestUser;
  let boxes = 0;

  beforeAll(async () => {
    [app, store] = await Promise.all([
      startTestApp({ sandbox: { messages: 1 }, env: { OBJECT_STORE_PATIENCE_SECONDS: '4' } }),
      TestObjectStore.start(),
    ]);
    proxy = await TcpProxy.to(store.endpoint);
    user = await app.user();
    await (await connect()).setUp();
  }, 120_000);

  afterEach(() => proxy.restore());

  afterAll(async () => {
    await app?.close();
    await proxy?.close();
  });

  const connect = (): Promise<EncryptedArchive> =>
    EncryptedArchive.connect(app, user, `bucket${(boxes += 1)}-0@sandbox.mailroom.test`);

  const mail = (n: number, bytes: number): Buffer =>
    Buffer.concat([Buffer.from(`From: a@example.com\r\nSubject: number ${n}\r\n\r\n`), randomBytes(bytes)]);

  async function useBucket(): Promise<void> {
    const changes = { objstoreEndpoint: proxy.url.replace(/\/$/, '') };
    const { status } = await user.api.put('/api/storage/config', store.configuration(BUCKET, changes));
    expect(status).toBe(200);
  }

  const inspect = (box: EncryptedArchive): Promise<Inspection> =>
    box.inspect({
      read: (key) => store.read(BUCKET, key),
      files: async () => (await store.objects(BUCKET, `${user.id}/${box.accountId}/`)).map(({ key }) => key),
    });

  it('should encrypt small and large mails where they are stored, on disk and in the bucket', async () => {
    const box = await connect();
    const [local] = await box.insertAndArchive(mail(0, 1_000));
    await useBucket();
    await box.insertAndArchive(mail(1, 1_000), mail(2, 9 * MIB), mail(3, 20 * MIB), mail(4, 0));
    expect(await box.encrypt()).toMatchObject({ status: 'completed', processed: 5, failed: 0 });
    const rows = [...(await box.rows()).values()];
    const [onDisk, inBucket] = [rows.filter(({ id }) => id === local), rows.filter(({ id }) => id !== local)];
    expect(await box.files()).toEqual(onDisk.map(({ storage_key: key }) => key as string));
    expect(onDisk[0].storage).toBe('local');
    const objects = await store.objects(BUCKET, `${user.id}/${box.accountId}/`);
    expect(objects.map(({ key }) => key)).toEqual(
      inBucket.map(({ storage_key: key }) => key as string).sort(),
    );
    expect(await store.unfinishedUploads(BUCKET)).toEqual([]);
    const { problems } = await box.inspect({
      read: async (key) =>
        rows.some((row) => row.storage_key === key && row.storage === 'local')
          ? readFile(`${app.archiveDir}/${key}`)
          : store.read(BUCKET, key),
      leftoversAllowed: true,
    });
    expect(problems).toEqual([]);
  }, 120_000);

  it('should wait for a store that returns, fail clearly on one that does not, and continue later', async () => {
    await useBucket();
    const box = await connect();
    const ids = Array.from({ length: MAILS }, (_, n) => box.mailbox.insert(mail(n, MAIL_BYTES)));
    expect(await box.archive({ messageIds: ids }, 120_000)).toMatchObject({ processed: MAILS });
    const encrypted = async (): Promise<number> =>
      [...(await box.rows()).values()].filter((row) => row.is_encrypted).length;

    let jobId = await box.startEncrypting();
    await waitFor('the first batch', async () => (await encrypted()) > 0, 60_000);
    proxy.vanish();
    const failed = await user.jobEnd(jobId, 90_000);
    expect(failed).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^The object store of this archive is not available/),
      processed: await encrypted(),
    });
    expect(failed.result.encrypted).toBe(failed.processed);
    expect(failed.processed).toBeLessThan(MAILS);
    proxy.restore();
    await box.catchUp();
    expect(await inspect(box)).toMatchObject({ problems: [], encrypted: failed.processed });

    proxy.vanish();
    jobId = await box.startEncrypting();
    await waitFor('the job to be at work without its store', async () => {
      const { body } = await user.api.get(`/api/jobs/${jobId}`);
      return body.status === 'active' && body.total > 0;
    });
    // Less than its patience: it waits for the store, and has not come further.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await user.api.get(`/api/jobs/${jobId}`)).body).toMatchObject({
      status: 'active',
      processed: 0,
    });
    proxy.restore();
    expect(await user.jobEnd(jobId, 90_000)).toMatchObject({
      status: 'completed',
      processed: MAILS - failed.processed,
      failed: 0,
    });
    await box.catchUp();
    expect(await inspect(box)).toMatchObject({ problems: [], encrypted: MAILS });
  }, 240_000);
});
