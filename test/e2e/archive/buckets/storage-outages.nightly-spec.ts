import { FileDeletions } from '../../../../src/archive/files/file-deletions';
import { filesSettled } from '../../../support/archive/settled-files';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { startSandbox } from '../../../../sandbox/src/sandbox-server';
import { ApiClient } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture, sha256 } from '../../../support/archive/archive-fixture';
import { createTestDatabase } from '../../../support/database';
import { testEnvironment } from '../../../support/environment';
import { TestObjectStore } from '../../../support/object-store/object-store';
import { ServiceProcess } from '../../../support/service-process';
import { TcpProxy } from '../../../support/tcp-proxy';
import { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const MIB = 1024 * 1024;
const MESSAGES = 240;
const PATIENCE_SECONDS = 5;

const throughProxy = (store: TestObjectStore, proxy: TcpProxy, bucket: string): object =>
  store.configuration(bucket, { objstoreEndpoint: proxy.url });

const large = (megabytes: number): Buffer =>
  Buffer.concat([Buffer.from('Subject: large\r\n\r\n'), Buffer.alloc(megabytes * MIB, 'a large mail\r\n')]);

describe('An object store that becomes unavailable', () => {
  let app: TestApp;
  let store: TestObjectStore;
  let proxy: TcpProxy;
  let user: TestUser;
  let boxes = 0;

  beforeAll(async () => {
    store = await TestObjectStore.start();
    proxy = await TcpProxy.to(store.endpoint);
    app = await startTestApp({
      sandbox: { messages: 1 },
      env: { OBJECT_STORE_PATIENCE_SECONDS: String(PATIENCE_SECONDS) },
    });
  });

  beforeEach(async () => {
    user = await app.user();
    app.sandbox.fault({ endpoint: 'messages.get', times: 'always', answer: { kind: 'slow', delayMs: 40 } });
  });

  afterEach(() => {
    proxy.restore();
    app.sandbox.clearFaults();
  });

  afterAll(async () => {
    await app?.close();
    await proxy?.close();
  });

  const connect = (messages: number): Promise<ArchiveFixture> =>
    ArchiveFixture.connect(app, user, `outage${(boxes += 1)}-${messages}@sandbox.mailroom.test`);

  async function use(bucket: string): Promise<void> {
    expect((await user.api.put('/api/storage/config', throughProxy(store, proxy, bucket))).status).toBe(200);
  }

  /** Starts archiving the whole mailbox and makes the store vanish in the middle of it. */
  async function archiveInterrupted(sut: ArchiveFixture): Promise<string> {
    const { body } = await user.api.post(`${sut.path}/archive`, { query: 'in:anywhere' });
    await waitFor('some mails', async () => (await sut.rows()).size > 0);
    expect((await sut.rows()).size).toBeLessThan(MESSAGES);
    proxy.vanish();
    return body.jobId as string;
  }

  async function expectEveryRowToHaveItsObject(sut: ArchiveFixture, bucket: string): Promise<number> {
    const rows = [...(await sut.rows()).values()];
    const keys = new Set((await store.objects(bucket, user.id)).map(({ key }) => key));
    expect(rows.filter((row) => !keys.has(row.storage_key))).toEqual([]);
    for (const row of rows) expect(sha256(await store.read(bucket, row.storage_key))).toBe(row.sha256);
    return keys.size;
  }

  it('should be waited for by an archive job when it returns in time', async () => {
    await use('comes-back');
    const sut = await connect(MESSAGES);
    const jobId = await archiveInterrupted(sut);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect((await user.api.get(`/api/jobs/${jobId}`)).body.status).toBe('active');
    proxy.restore();
    const job = await user.jobEnd(jobId);
    expect(job).toMatchObject({ status: 'completed', processed: MESSAGES, failed: 0 });
    expect(await expectEveryRowToHaveItsObject(sut, 'comes-back')).toBe(MESSAGES);
  }, 100_000);

  it('should fail the job with a clear error when it stays unavailable, without losing or repeating anything', async () => {
    await use('stays-away');
    const sut = await connect(MESSAGES);
    const job = await user.jobEnd(await archiveInterrupted(sut));
    expect(job.status).toBe('failed');
    expect(job.error).toMatch(/^The object store of this archive is not available: it closed the connection/);
    const [{ error_code: code }] = await app.dataSource.query('SELECT error_code FROM jobs WHERE id = $1', [
      job.id,
    ]);
    expect(code).toBe('archive-store-unavailable');
    expect(job.processed).toBe((await sut.rows()).size);
    await expectEveryRowToHaveItsObject(sut, 'stays-away');

    proxy.restore();
    const again = await sut.archive({ query: 'in:anywhere' });
    expect(again).toMatchObject({ status: 'completed', processed: MESSAGES - job.processed, failed: 0 });
    expect((await sut.rows()).size).toBe(MESSAGES);
    // No files of the failed batch are left.
    expect(await app.app.get(FileDeletions).drain(sut.accountId)).toBe(0);
    expect(await expectEveryRowToHaveItsObject(sut, 'stays-away')).toBe(MESSAGES);
  }, 100_000);

  it('should not keep a cancelled job waiting', async () => {
    await use('cancelled-job');
    const sut = await connect(MESSAGES);
    const jobId = await archiveInterrupted(sut);
    const startedAt = Date.now();
    expect((await user.api.delete(`/api/jobs/${jobId}`)).status).toBe(204);
    expect((await user.jobEnd(jobId)).status).toBe('cancelled');
    expect(Date.now() - startedAt).toBeLessThan(PATIENCE_SECONDS * 1_000);
    await expectEveryRowToHaveItsObject(sut, 'cancelled-job');
  }, 60_000);

  it('should delay readers only for seconds, with a clear error', async () => {
    await use('unread');
    const sut = await connect(0);
    const [mailId] = await sut.insertAndArchive(large(1));
    proxy.vanish();
    const startedAt = Date.now();
    const { status, body, headers } = await user.api.get(`${sut.path}/mails/${mailId}`);
    expect([status, body.code]).toEqual([503, 'archive-store-unavailable']);
    expect(headers.get('retry-after')).toBe('10');
    expect(body.detail).toMatch(/object store/);
    expect(Date.now() - startedAt).toBeLessThan(9_000);
    proxy.restore();
    expect((await user.api.get(`${sut.path}/mails/${mailId}`)).status).toBe(200);
  }, 60_000);

  it('should continue a download whose connection to it broke', async () => {
    await use('broken-download');
    const sut = await connect(0);
    const raw = large(30);
    const [mailId] = await sut.insertAndArchive(raw);
    const response = await user.api.fetch('GET', `${sut.path}/mails/${mailId}/eml`);
    const reader = response.body!.getReader();
    const chunks: Uint8Array[] = [(await reader.read()).value!];
    proxy.vanish();
    proxy.restore();
    for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
    expect(sha256(Buffer.concat(chunks))).toBe(sha256(raw));
  }, 60_000);

  it('should cut a download that it cannot continue, and not affect the rest of the service', async () => {
    await use('cut-download');
    const sut = await connect(0);
    const [mailId] = await sut.insertAndArchive(large(30));
    const response = await user.api.fetch('GET', `${sut.path}/mails/${mailId}/eml`);
    const reader = response.body!.getReader();
    await reader.read();
    proxy.vanish();
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow();
    proxy.restore();
    expect((await user.api.get(`${sut.path}/mails/${mailId}`)).status).toBe(200);
  }, 60_000);
});

describe('A service killed while it writes to an object store', () => {
  const BUCKET = 'survivors';
  const SMALL = 200;

  it('should complete the job: each row has its object, no object lacks a row, and no upload remains', async () => {
    const store = await TestObjectStore.start();
    const proxy = await TcpProxy.to(store.endpoint);
    const database = await createTestDatabase();
    const sandbox = await startSandbox({ messages: 1, latencyMs: 20 });
    const dataDir = mkdtempSync(join(tmpdir(), 'mailroom-killed-'));
    const environment = testEnvironment(database.url, sandbox, dataDir);
    const dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    let service = await ServiceProcess.start(environment);
    try {
      const registered = await new ApiClient(service.url, null).post('/api/auth/register', {
        email: 'killed@users.test',
        password: randomBytes(12).toString('hex'),
      });
      const { access_token: token, user: person } = registered.body;
      const on = (): TestUser => new TestUser(person.id, '', '', new ApiClient(service.url, token));
      const email = `killed-${SMALL}@sandbox.mailroom.test`;
      const accountId = await on().connect(email);
      const ids = sandbox.mailbox(email).ids();
      ids.push(sandbox.mailbox(email).insert(large(34)));
      await on().api.put('/api/storage/config', throughProxy(store, proxy, BUCKET));
      const { body } = await on().api.post(`/api/archive/${accountId}/archive`, {
        messageIds: [ids.at(-1), ...ids.slice(0, -1)],
      });
      await waitFor('an upload in parts', async () => (await store.unfinishedUploads(BUCKET)).length > 0);
      proxy.stall();
      await service.kill();
      proxy.restore();
      service = await ServiceProcess.start(environment);
      const job = await on().jobEnd(body.jobId as string, 90_000);
      expect(job).toMatchObject({ status: 'completed', total: ids.length, failed: 0 });
      await filesSettled(dataSource);
      const rows: any[] = await dataSource.query('SELECT storage_key, sha256 FROM archived_mails');
      const objects = await store.objects(BUCKET);
      expect(rows.length).toBe(ids.length);
      expect(objects.map(({ key }) => key)).toEqual(rows.map((row) => row.storage_key).sort());
      for (const row of rows) expect(sha256(await store.read(BUCKET, row.storage_key))).toBe(row.sha256);
      expect(await store.unfinishedUploads(BUCKET)).toEqual([]);
    } finally {
      await service.kill();
      await dataSource.destroy();
      await sandbox.close();
      await database.drop();
      await proxy.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  }, 180_000);
});
