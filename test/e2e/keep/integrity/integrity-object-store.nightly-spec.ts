import { AppConfig } from '../../../../src/platform/config/app-config';
import { IntegrityTimings } from '../../../../src/keep/integrity/integrity-timings';
import { newId } from '../../../../src/platform/crypto/ids';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import { alerts, checkTonight, hurry } from '../../../support/integrity/integrity-fixture';
import { TestObjectStore } from '../../../support/object-store/object-store';
import { TricklingStore } from '../../../support/object-store/trickling-store';
import { TcpProxy } from '../../../support/tcp-proxy';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const BUCKET = 'integrity-archives';

describe('The integrity check of an object store', () => {
  let store: TestObjectStore;
  let proxy: TcpProxy;
  let trickling: TricklingStore;
  let app: TestApp;
  let user: TestUser;
  let archive: ArchiveFixture;
  let keys: string[];

  const objects = async (): Promise<string[]> => (await store.objects(BUCKET)).map(({ key }) => key);

  const findings = (): Promise<any[]> =>
    app.dataSource.query('SELECT mail_id, problem FROM integrity_findings ORDER BY problem');

  const withGrace = async (hours: number, work: () => Promise<void>): Promise<void> => {
    const { storage } = app.app.get(AppConfig);
    const before = storage.orphanGraceHours;
    Object.assign(storage, { orphanGraceHours: hours });
    try {
      await work();
    } finally {
      Object.assign(storage, { orphanGraceHours: before });
    }
  };

  /** A round of nights, so that every mail is looked at. */
  const checkAll = async (): Promise<any[]> => {
    const jobs: any[] = [];
    for (let night = 0; night < 6; night += 1) jobs.push(await checkTonight(app, user));
    return jobs;
  };

  beforeAll(async () => {
    store = await TestObjectStore.start();
    proxy = await TcpProxy.to(store.endpoint);
    trickling = await TricklingStore.before(proxy.url);
    app = await startTestApp({
      own: true,
      sandbox: { messages: 1 },
      env: { OBJECT_STORE_PATIENCE_SECONDS: '1' },
    });
    hurry(app);
    await app.user('admin');
    user = await app.user();
    const configuration = store.configuration(BUCKET, { objstoreEndpoint: trickling.endpoint });
    const { status, bytes } = await user.api.put('/api/storage/config', configuration);
    if (status !== 200) throw new Error(`config answered ${status}: ${bytes.toString()}`);
    archive = await ArchiveFixture.connect(app, user, 'bucket-0@sandbox.mailroom.test');
    const ids = await archive.insertAndArchive(
      ...Array.from({ length: 4 }, (_, number) => eml(`Subject: message ${number}`, '', `Text ${number}.`)),
    );
    const rows = new Map([...(await archive.rows()).values()].map((row) => [row.id, row]));
    keys = ids.map((id) => rows.get(id).storage_key as string);
  });

  afterAll(async () => {
    await app?.close();
    await trickling?.close();
    await proxy?.close();
  });

  it('should find missing and altered files, and clear the findings once they are repaired', async () => {
    const originals = await Promise.all(keys.slice(0, 2).map((key) => store.read(BUCKET, key)));
    await store.overwrite(BUCKET, keys[0]!, Buffer.from('something else'));
    await store.remove(BUCKET, keys[1]!);
    const jobs = await checkAll();
    expect(jobs.map(({ status }) => status)).toEqual(Array(6).fill('completed'));
    expect((await findings()).map(({ problem }) => problem)).toEqual(['altered', 'missing']);
    expect(await alerts(app, user)).toHaveLength(2);
    for (const [index, bytes] of originals.entries()) await store.overwrite(BUCKET, keys[index]!, bytes);
    await checkAll();
    expect(await findings()).toEqual([]);
    expect(await alerts(app, user)).toHaveLength(2);
  });

  it('should find nothing while the store is unavailable, report it, and continue when it is back', async () => {
    proxy.vanish();
    const failed = await checkTonight(app, user);
    proxy.restore();
    expect(failed).toMatchObject({ status: 'failed', processed: 0 });
    expect(failed.error).toContain('not available');
    expect(await findings()).toEqual([]);
    const job = await checkTonight(app, user);
    expect(job).toMatchObject({ status: 'completed', result: { checked: 1, missing: 0, altered: 0 } });
  });

  it('should wait for a store that is briefly unavailable', async () => {
    hurry(app, { storeRetriesMs: [500, 500, 500, 500] });
    proxy.vanish();
    const checking = checkTonight(app, user);
    await waitFor('the check to run', async () => {
      const [job] = (await user.api.get('/api/jobs')).body;
      return job.status === 'active';
    });
    proxy.restore();
    expect(await checking).toMatchObject({ status: 'completed', result: { checked: 1 } });
    hurry(app);
  });

  it('should give up on a trickling store, and check it when it no longer trickles', async () => {
    hurry(app, { store: { totalMs: 60_000, pace: { graceMs: 300, bytesPerSecond: 64_000 } } });
    trickling.slowDown();
    const job = await checkTonight(app, user);
    expect([job.status, job.error]).toEqual(['failed', expect.stringContaining('it is too slow')]);
    expect([trickling.begun, await findings()]).toEqual([1, []]);
    await waitFor('the store to be let go of', () => trickling.trickling === 0);
    trickling.recover();
    hurry(app, { store: new IntegrityTimings().store });
    expect(await checkTonight(app, user)).toMatchObject({ status: 'completed', result: { checked: 1 } });
  });

  it('should skip an unavailable store that holds no mail', async () => {
    const { status } = await user.api.put(
      '/api/storage/config',
      store.configuration('mistyped', { objstoreEndpoint: 'http://nowhere.invalid' }),
    );
    expect(status).toBe(200);
    const job = await checkTonight(app, user);
    expect(job).toMatchObject({ status: 'completed', result: { missing: 0, altered: 0 } });
  });

  it('should sweep only below prefixes of its own users', async () => {
    const orphan = `${user.id}/${archive.accountId}/2024/05/${newId()}.eml`;
    const goneAccount = `${user.id}/${newId()}/2024/05/${newId()}.eml`;
    const foreign = [
      `${newId()}/${newId()}/2024/05/${newId()}.eml`,
      `${user.id}/notes.txt`,
      `backup/${orphan}`,
      'readme.txt',
    ];
    for (const key of [orphan, goneAccount, ...foreign]) {
      await store.client.putObject(BUCKET, key, Buffer.from('left behind'));
    }
    const young = await checkTonight(app, user);
    expect(young.result).toMatchObject({ orphansRemoved: 0, orphansKept: 0 });
    expect(await objects()).toHaveLength(keys.length + 2 + foreign.length);
    await withGrace(0, async () => {
      // The store tells times in whole seconds.
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      const { result } = await checkTonight(app, user);
      expect(result).toMatchObject({ orphansRemoved: 2, orphanBytes: 22, unknownFiles: 0 });
    });
    expect(await objects()).toEqual([...keys, ...foreign].sort());
  });

  it('should not mistake a missing bucket for missing mail', async () => {
    for (const key of await objects()) await store.remove(BUCKET, key);
    await store.client.removeBucket(BUCKET);
    const job = await checkTonight(app, user);
    expect(job).toMatchObject({ status: 'failed', error: expect.stringContaining('bucket') });
    expect(await findings()).toEqual([]);
  });
});
