import { AccountPurgesCron } from '../../../../src/operations/account-deletion/account-purges.cron';
import { FileDeletionTimings } from '../../../../src/archive/files/file-deletion-timings';
import { StoreTimings } from '../../../../src/archive/files/store-time';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import { checkEverything, hurry } from '../../../support/integrity/integrity-fixture';
import { type Endlessness, HostileObjectStore } from '../../../support/object-store/hostile-object-store';
import { readPace } from '../../../support/run/pace';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const ALL: readonly Endlessness[] = ['empty', 'same', 'growing'];

describe('An object store with endless listings', () => {
  let app: TestApp;
  let admin: TestUser;
  let timings: { perStoreMs: number };
  let boxes = 0;
  const stores: HostileObjectStore[] = [];

  beforeAll(async () => {
    app = await startTestApp({ own: true, sandbox: { messages: 1 } });
    hurry(app);
    admin = await app.user('admin');
    Object.assign(app.app.get(FileDeletionTimings), { unfinishedMs: 100 });
    timings = app.app.get(StoreTimings) as { perStoreMs: number };
  });

  // Long enough for a store that answers, on a slow machine too.
  beforeEach(() => Object.assign(timings, { perStoreMs: 300 * readPace() }));

  afterAll(async () => {
    await app?.close();
    for (const store of stores) await store.close();
  });

  const archiveIn = async (): Promise<{ user: TestUser; box: ArchiveFixture; store: HostileObjectStore }> => {
    const [user, store] = await Promise.all([app.user('attacker'), HostileObjectStore.start()]);
    stores.push(store);
    const { status, bytes } = await user.api.put('/api/storage/config', store.configuration('endless'));
    if (status !== 200) throw new Error(`config answered ${status}: ${bytes.toString()}`);
    const box = await ArchiveFixture.connect(app, user, `endless${(boxes += 1)}-0@sandbox.mailroom.test`);
    await box.insertAndArchive(eml('Subject: one', '', '1'), eml('Subject: two', '', '2'));
    expect(store.keys()).toHaveLength(2);
    return { user, box, store };
  };

  const purge = async (user: TestUser, box: ArchiveFixture): Promise<string> => {
    expect((await user.api.delete(`/api/auth/mailbox/${box.accountId}?purge=true`)).status).toBe(204);
    return purgeOf(user);
  };

  const purgeOf = async (user: TestUser): Promise<string> => {
    const { body } = await user.api.get('/api/jobs');
    return body.find(({ type }: { type: string }) => type === 'purge_account').queue_id as string;
  };

  it.each(ALL)('should not keep a purge from finishing: %s', async (how) => {
    const { user, box, store } = await archiveIn();
    store.listForever(how);
    const job = await user.jobEnd(await purge(user, box));
    expect(job).toMatchObject({ status: 'completed', result: { mails: 2, accountRemoved: true } });
    expect(store.keys()).toEqual([]);
  });

  it('should allow a purge to be cancelled while it lists', async () => {
    const { user, box, store } = await archiveIn();
    store.listForever('growing');
    Object.assign(timings, { perStoreMs: 600_000 });
    const jobId = await purge(user, box);
    const before = store.requests.listings;
    await waitFor('pages to be listed', () => store.requests.listings > before + 10);
    expect((await user.api.delete(`/api/jobs/${jobId}`)).status).toBe(204);
    expect(await user.jobEnd(jobId)).toMatchObject({ status: 'cancelled' });
    const after = store.requests.listings;
    // It neither lists on nor holds the queue: another mailbox is purged.
    const other = await archiveIn();
    expect(await other.user.jobEnd(await purge(other.user, other.box))).toMatchObject({
      status: 'completed',
    });
    expect(store.requests.listings).toBe(after);
    await app.app.get(AccountPurgesCron).resumePurges();
  });

  it.each(ALL)('should not keep an administrator from deleting its user: %s', async (how) => {
    const { user, store } = await archiveIn();
    store.listForever(how);
    const { status, body } = await admin.api.delete(`/api/admin/users/${user.id}`);
    expect(status).toBe(202);
    const job = await admin.jobEnd(body.jobId as string);
    expect(job).toMatchObject({ status: 'completed', result: { mails: 2, storesLeft: 1 } });
    expect(store.keys()).toEqual([]);
    expect(await app.dataSource.query('SELECT 1 FROM users WHERE id = $1', [user.id])).toEqual([]);
  });

  it.each(ALL)('should not keep the nightly check from other users: %s', async (how) => {
    const attacker = await archiveIn();
    const victim = await archiveIn();
    const orphan = victim.store.keys()[0]!.replace(/[0-9a-f]{12}\.eml$/, '000000000000.eml');
    await fetch(`${victim.store.configuration('endless')['objstoreEndpoint'] as string}/endless/${orphan}`, {
      method: 'PUT',
      body: 'left behind',
    });
    attacker.store.listForever(how);
    const job = await checkEverything(admin);
    expect(job).toMatchObject({ status: 'failed', error_code: 'archive-store-endless' });
    expect(await app.dataSource.query('SELECT 1 FROM integrity_findings')).toEqual([]);
    expect(victim.store.keys()).not.toContain(orphan);
    expect(victim.store.keys()).toHaveLength(2);
    expect(attacker.store.keys()).toHaveLength(2);
    // The rest of it must not disturb the next test.
    const { body } = await admin.api.delete(`/api/admin/users/${attacker.user.id}`);
    expect(await admin.jobEnd(body.jobId as string)).toMatchObject({ status: 'completed' });
  });
});
