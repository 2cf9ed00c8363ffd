import { FileDeletions } from '../../../../src/archive/files/file-deletions';
import { startTestApp, TestApp } from '../../../support/app';
import { checkTonight, hurry } from '../../../support/integrity/integrity-fixture';
import { TestObjectStore } from '../../../support/object-store/object-store';
import { AgedMails } from '../../../support/retention/aged-mails';
import { TcpProxy } from '../../../support/tcp-proxy';
import type { TestUser } from '../../../support/test-user';

const MAILS = [{ ageDays: 100 }, { ageDays: 101 }, { ageDays: 102 }];

/** The bucket is reached by address first, then by name: two stores to the service, one place. */
describe('One bucket under two endpoints', () => {
  let app: TestApp;
  let store: TestObjectStore;
  let proxy: TcpProxy;
  let buckets = 0;

  beforeAll(async () => {
    [app, store] = await Promise.all([
      startTestApp({ own: true, sandbox: { messages: 1 }, env: { OBJECT_STORE_PATIENCE_SECONDS: '1' } }),
      TestObjectStore.start(),
    ]);
    hurry(app);
    proxy = await TcpProxy.to(store.endpoint);
    await app.user('admin');
  });

  afterEach(() => proxy.restore());

  afterAll(async () => {
    await app?.close();
    await proxy?.close();
  });

  const byAddress = (): string => proxy.url.replace(/\/$/, '');
  const byName = (): string => `http://localhost:${new URL(store.endpoint).port}`;

  const use = async (user: TestUser, bucket: string, endpoint: string): Promise<string> => {
    const configuration = store.configuration(bucket, { objstoreEndpoint: endpoint });
    const { status, bytes } = await user.api.put('/api/storage/config', configuration);
    if (status !== 200) throw new Error(`config answered ${status}: ${bytes.toString()}`);
    return (await user.api.get('/api/storage/config')).body.id as string;
  };

  const objects = async (bucket: string): Promise<string[]> =>
    (await store.objects(bucket)).map(({ key }) => key);

  interface Begun {
    readonly bucket: string;
    readonly user: TestUser;
    readonly mails: AgedMails;
    /** Rows of the mails that retention has deleted while their store was away. */
    readonly deleted: any[];
  }

  /** Archives mails by way of the address, which goes away; retention deletes their rows, and their files wait. */
  const begin = async (): Promise<Begun> => {
    const bucket = `endpoints-${(buckets += 1)}`;
    const user = await app.user();
    await use(user, bucket, byAddress());
    const mails = await AgedMails.connect(app, user, bucket);
    await mails.add(...MAILS);
    const deleted = [...(await mails.archive.rows()).values()];
    proxy.vanish();
    await user.api.post('/api/retention', { name: 'Old', maxAgeDays: 30 });
    expect((await user.api.post('/api/retention/run')).body).toMatchObject({ totalDeleted: MAILS.length });
    expect((await mails.archive.rows()).size).toBe(0);
    expect(await objects(bucket)).toHaveLength(MAILS.length);
    return { bucket, user, mails, deleted };
  };

  /** The address answers again, and what waits is deleted. */
  const returnAndDelete = async ({ mails }: Begun): Promise<void> => {
    proxy.restore();
    expect(await app.app.get(FileDeletions).drain(mails.accountId)).toBe(0);
    const left = await app.dataSource.query('SELECT 1 FROM file_deletions WHERE account_id = $1', [
      mails.accountId,
    ]);
    expect(left).toEqual([]);
  };

  /** There is an object for every row, nothing else, and each mail can be read. */
  const expectWhole = async ({ bucket, user, mails }: Begun): Promise<void> => {
    const rows = [...(await mails.archive.rows()).values()];
    expect(rows).toHaveLength(MAILS.length);
    expect(await objects(bucket)).toEqual(rows.map(({ storage_key: key }) => key as string).sort());
    for (const { id } of rows) {
      expect((await user.api.get(`${mails.archive.path}/mails/${id}/eml`)).status).toBe(200);
    }
    const check = await checkTonight(app, user);
    expect(check).toMatchObject({ status: 'completed', result: { missing: 0, altered: 0 } });
  };

  it('should keep mail that is archived again through the host name', async () => {
    const begun = await begin();
    const configurationId = await use(begun.user, begun.bucket, byName());
    const messageIds = begun.deleted.map((row) => row.mailbox_message_id as string);
    const job = await begun.mails.archive.archive({ messageIds });
    expect(job.processed).toBe(MAILS.length);
    const rows = [...(await begun.mails.archive.rows()).values()];
    expect(rows.map(({ storage }) => storage)).toEqual(MAILS.map(() => configurationId));
    await returnAndDelete(begun);
    await expectWhole(begun);
  });

  it('should keep mail that an earlier version archived again under the same keys', async () => {
    const begun = await begin();
    const configurationId = await use(begun.user, begun.bucket, byName());
    // Ids and keys used to follow from the content: the same objects, and rows that name the other store.
    const columns: { name: string }[] = await app.dataSource.query(
      `SELECT column_name AS name FROM information_schema.columns
        WHERE table_name = 'archived_mails' AND table_schema = current_schema() AND is_generated = 'NEVER'`,
    );
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    for (const row of begun.deleted) {
      await app.dataSource.query(
        `INSERT INTO archived_mails (${names})
         SELECT ${names} FROM jsonb_populate_record(null::archived_mails, $1)`,
        [JSON.stringify({ ...row, storage: configurationId })],
      );
    }
    await returnAndDelete(begun);
    await expectWhole(begun);
  });
});
