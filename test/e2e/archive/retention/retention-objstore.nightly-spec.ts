import { FileDeletions } from '../../../../src/archive/files/file-deletions';
import { startTestApp, TestApp } from '../../../support/app';
import { TestObjectStore } from '../../../support/object-store/object-store';
import { AgedMails } from '../../../support/retention/aged-mails';
import { TcpProxy } from '../../../support/tcp-proxy';
import type { TestUser } from '../../../support/test-user';

const BUCKET = 'retention';

describe('Retention of mail in an object store', () => {
  let app: TestApp;
  let store: TestObjectStore;
  let proxy: TcpProxy;
  let user: TestUser;

  beforeAll(async () => {
    [app, store] = await Promise.all([startTestApp({ sandbox: { messages: 1 } }), TestObjectStore.start()]);
    proxy = await TcpProxy.to(store.endpoint);
    user = await app.user();
  }, 120_000);

  afterAll(async () => {
    await app?.close();
    await proxy?.close();
  });

  it('should remove rows and objects, on disk and in the bucket, and catch up after an outage', async () => {
    const mails = await AgedMails.connect(app, user, 'bucket');
    const [oldLocal, newLocal] = await mails.add({ ageDays: 100 }, { ageDays: 1 });
    const configured = await user.api.put(
      '/api/storage/config',
      store.configuration(BUCKET, { objstoreEndpoint: proxy.url.replace(/\/$/, '') }),
    );
    expect(configured.status).toBe(200);
    const [oldest, old, young] = await mails.add({ ageDays: 200 }, { ageDays: 100 }, { ageDays: 1 });
    const keyOf = async (id: string): Promise<string> => {
      const [row] = await app.dataSource.query('SELECT storage_key FROM archived_mails WHERE id = $1', [id]);
      return row.storage_key as string;
    };
    const keys = await Promise.all([oldest!, old!, young!].map(keyOf));
    const objects = async (): Promise<string[]> => (await store.objects(BUCKET)).map(({ key }) => key);
    expect(await objects()).toEqual([...keys].sort());

    const { body: policy } = await user.api.post('/api/retention', { name: 'Very old', maxAgeDays: 150 });
    expect((await user.api.post('/api/retention/run')).body).toMatchObject({ totalDeleted: 1 });
    expect(await objects()).toEqual(keys.slice(1).sort());

    // The store goes away: rows of both stores go, the object is owed.
    proxy.vanish();
    await user.api.put(`/api/retention/${policy.id}`, { maxAgeDays: 30 });
    expect((await user.api.post('/api/retention/run')).body).toMatchObject({ totalDeleted: 2 });
    expect(await mails.left()).toEqual([newLocal, young]);
    expect(await mails.archive.files()).toEqual([await keyOf(newLocal!)]);
    expect(await mails.left()).not.toContain(oldLocal);
    proxy.restore();
    expect(await objects()).toEqual(keys.slice(1).sort());
    const removals = app.app.get(FileDeletions);
    expect(await removals.drain(mails.accountId)).toBe(0);
    expect(await objects()).toEqual([keys[2]]);
    const { kept, counted } = await mails.archive.totals();
    expect(kept).toEqual(counted);
  }, 240_000);
});
