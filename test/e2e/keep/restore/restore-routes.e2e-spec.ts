import { StatementGate } from '../../../support/statement-gate';
import { RestoresCron } from '../../../../src/keep/restore/restores.cron';
import { startTestApp, TestApp } from '../../../support/app';
import { sha256 } from '../../../support/archive/archive-fixture';
import { ApiClient } from '../../../support/api-client';
import { copiesOf, mail, RestoreFixture } from '../../../support/restore/restore-fixture';
import type { TestUser } from '../../../support/test-user';

const PASSPHRASE = 'correct horse battery staple';
const NOBODY = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';

describe('Routes of restores', () => {
  let sut: TestApp;
  let user: TestUser;
  let source: RestoreFixture;
  let mailboxes = 0;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    user = await sut.user();
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 100');
  });

  afterAll(() => sut?.close());

  beforeEach(async () => {
    sut.sandbox.clearFaults();
    source = await connect(user);
  });

  const connect = (owner: TestUser): Promise<RestoreFixture> =>
    RestoreFixture.connect(sut, owner, `routes${(mailboxes += 1)}-0@sandbox.mailroom.test`);
  const own = (changes: object = {}): object => ({
    select: { all: true },
    target: { accountId: source.accountId },
    ...changes,
  });
  const post = (path: string, body?: unknown, headers?: Record<string, string>): Promise<any> =>
    user.api.post(path, body, { headers });

  it.each<[string, object, field: string]>([
    ['no selection', { select: {} }, 'select'],
    ['two selections', { select: { all: true, threadIds: ['x'] } }, 'select'],
    ['all: false', { select: { all: false } }, 'select.all'],
    ['ids that are none', { select: { mailIds: ['x'] } }, 'select.mailIds'],
    ['a filter that is none', { select: { filter: { from_date: 'soon' } } }, 'from_date'],
    ['no target', { target: {} }, 'target'],
    [
      'two targets',
      { target: { accountId: NOBODY, imap: { host: 'a.example', user: 'a', pass: 'b' } } },
      'target',
    ],
    ['a host that is none', { target: { imap: { host: 'a b', user: 'a', pass: 'b' } } }, 'target.imap.host'],
    ['an unknown choice', { labels: 'some' }, 'labels'],
    ['an empty label', { addLabel: ' ' }, 'addLabel'],
  ])('should refuse %s', async (_what, changes, field) => {
    const { status, body } = await post(source.restorePath, own(changes));
    expect({ status, fields: body.errors?.map((error: any) => error.field) }).toEqual({
      status: 400,
      fields: [field],
    });
  });

  it('should refuse resources that do not exist or belong to another user', async () => {
    const stranger = await sut.user('stranger');
    const theirs = await connect(stranger);
    const [theirMail] = await theirs.insertAndArchive(mail());
    const restoreId = await theirs.plan({ select: { all: true }, target: { accountId: theirs.accountId } });
    const answers = await Promise.all([
      post(source.restorePath, own({ target: { accountId: theirs.accountId } })),
      post(source.restorePath, own({ select: { mailIds: [theirMail] } })),
      post(theirs.restorePath, own()),
      user.api.get(`${source.restorePath}/${restoreId}`),
      user.api.get(`${theirs.restorePath}/${restoreId}`),
      post(`${source.restorePath}/${restoreId}/start`),
      user.api.get(`${source.restorePath}/${restoreId}/items`),
      user.api.get(`${source.restorePath}/${restoreId}/report`),
      new ApiClient(sut.url, null).get(`${source.restorePath}/${restoreId}`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 404, 403, 404, 403, 404, 404, 404, 401]);
    // Their mails are not found by ways that name no ids.
    const mine = await source.plan(
      own({ select: { threadIds: [(await theirs.rows()).values().next().value.thread_id] } }),
    );
    expect((await source.shown(mine)).mails).toBe(0);
  });

  it('should limit API keys to their scope and their accounts', async () => {
    const other = await connect(user);
    await source.insertAndArchive(mail());
    const restoreId = await source.plan(own());
    const key = async (scope: string): Promise<ApiClient> => {
      const { body } = await user.api.post('/api/auth/api-keys', {
        name: scope,
        scope,
        accountIds: [source.accountId],
      });
      return new ApiClient(sut.url, body.key as string);
    };
    const [reading, writing] = [await key('read'), await key('write')];
    expect((await reading.get(`${source.restorePath}/${restoreId}`)).status).toBe(200);
    expect((await reading.get(`${source.restorePath}/${restoreId}/report`)).status).toBe(200);
    expect((await reading.post(source.restorePath, own())).status).toBe(403);
    expect((await reading.post(`${source.restorePath}/${restoreId}/start`)).status).toBe(403);
    expect((await writing.post(source.restorePath, own())).status).toBe(202);
    const elsewhere = own({ target: { accountId: other.accountId } });
    expect((await writing.post(source.restorePath, elsewhere)).status).toBe(403);
    expect((await writing.post(`${source.restorePath}/${restoreId}/start`)).status).toBe(202);
  });

  it('should list restores and their mails, page by page', async () => {
    await source.insertAndArchive(mail(), mail(), mail());
    const ids = [await source.plan(own()), await source.plan(own()), await source.plan(own())].reverse();
    const first = await user.api.get(`${source.restorePath}?limit=2`);
    expect(first.body.items.map(({ id }: any) => id)).toEqual(ids.slice(0, 2));
    const second = await user.api.get(`${source.restorePath}?limit=2&after=${first.body.next}`);
    expect(second.body).toMatchObject({ items: [{ id: ids[2] }], next: null });
    await user.jobEnd(await source.start(ids[0]!));
    const path = `${source.restorePath}/${ids[0]}/items`;
    const page = await user.api.get(`${path}?limit=2`);
    expect(page.body.items).toHaveLength(2);
    const rest = await user.api.get(`${path}?limit=2&after=${page.body.next}`);
    expect(rest.body).toMatchObject({ items: [{ position: 2, outcome: 'already-there' }], next: null });
    expect((await user.api.get(`${path}?outcome=inserted`)).body).toEqual({ items: [], next: null });
    expect((await user.api.get(`${path}?outcome=lost`)).status).toBe(400);
  });

  it('should start what has been planned, once', async () => {
    await source.insertAndArchive(mail());
    const restoreId = await source.plan(own());
    const path = `${source.restorePath}/${restoreId}/start`;
    await sut.dataSource.query(`UPDATE restores SET expires_at = now() WHERE id = $1`, [restoreId]);
    expect((await post(path)).body.code).toBe('dry-run-missing');
    await sut.dataSource.query(`UPDATE restores SET expires_at = now() + interval '1 h' WHERE id = $1`, [
      restoreId,
    ]);
    const gate = new StatementGate(sut.dataSource);
    await gate.close('restore_items', 'UPDATE', `NEW.state = 'inserting'`);
    const { jobId } = (await post(path, undefined, { 'idempotency-key': restoreId })).body;
    await gate.reached();
    expect((await post(path)).body.code).toBe('restore-running');
    const again = await post(path, undefined, { 'idempotency-key': restoreId });
    expect(again.body).toEqual({ restoreId, jobId });
    await gate.open();
    await user.jobEnd(jobId as string);
    expect((await post(path)).body.code).toBe('restore-done');
  });

  it('should continue where it was cancelled', async () => {
    const target = await connect(user);
    const raws = Array.from({ length: 45 }, () => mail());
    await source.insertAndArchive(...raws);
    const restoreId = await source.plan(own({ target: { accountId: target.accountId } }));
    const gate = new StatementGate(sut.dataSource);
    await gate.close('restore_items', 'UPDATE', `NEW.state = 'done' AND NEW.position = 21`);
    const jobId = await source.start(restoreId);
    await gate.reached();
    await user.api.delete(`/api/jobs/${jobId}`);
    await gate.open();
    expect((await user.jobEnd(jobId)).status).toBe('cancelled');
    const stopped = await source.shown(restoreId);
    expect(stopped.status).toBe('stopped');
    expect(stopped.counts.inserted + stopped.counts.waiting).toBe(45);
    expect(stopped.counts.waiting).toBeGreaterThan(0);
    const job = await user.jobEnd(await source.start(restoreId));
    expect(job).toMatchObject({ status: 'completed', total: 45, processed: 45, failed: 0 });
    expect(await source.shown(restoreId)).toMatchObject({ status: 'done', counts: { waiting: 0 } });
    expect([...copiesOf(target.mailbox).entries()].sort()).toEqual(
      raws.map((raw) => [sha256(raw), 1]).sort() as [string, number][],
    );
  });

  it('should restore encrypted mail only with its passphrase', async () => {
    const target = await connect(user);
    const raw = mail();
    await source.insertAndArchive(raw);
    const privacy = `/api/privacy/${source.accountId}/encryption`;
    await post('/api/privacy/encryption/setup', { passphrase: PASSPHRASE });
    const { body } = await post(`${privacy}/encrypt`, { passphrase: PASSPHRASE });
    expect((await user.jobEnd(body.jobId as string)).status).toBe('completed');
    const into = own({ target: { accountId: target.accountId } });
    const restoreId = await source.plan(into);
    expect((await source.shown(restoreId)).encrypted).toBe(1);
    const path = `${source.restorePath}/${restoreId}/start`;
    expect((await post(path)).body.code).toBe('mails-encrypted');
    expect((await post(path, undefined, { 'x-archive-passphrase': 'wrong one' })).body.code).toBe(
      'passphrase-invalid',
    );
    const done = await source.restore(into, { 'x-archive-passphrase': PASSPHRASE });
    expect(done.counts.inserted).toBe(1);
    expect(target.mailbox.raw(target.mailbox.ids()[0]!).equals(raw)).toBe(true);
    const [job] = await sut.dataSource.query(
      `SELECT payload, sealed_secrets FROM jobs WHERE type || '-' || number = $1`,
      [done.jobId],
    );
    expect(job.sealed_secrets).toBeNull();
    expect(JSON.stringify(job.payload)).not.toContain(PASSPHRASE);
  });

  it('should report which copies are damaged, too large or deleted', async () => {
    const target = await connect(user);
    const ids = await source.insertAndArchive(mail(), mail(), mail(), mail());
    const [missing, altered, large, deleted] = ids as [string, string, string, string];
    const restoreId = await source.plan(own({ target: { accountId: target.accountId } }));
    const set = (id: string, change: string): Promise<unknown> =>
      sut.dataSource.query(`UPDATE archived_mails SET ${change} WHERE id = $1`, [id]);
    await set(missing, `storage_key = storage_key || '.gone'`);
    await set(altered, `sha256 = repeat('0', 64)`);
    await set(large, `size_bytes = 200 * 1024 * 1024`);
    await sut.dataSource.query('DELETE FROM archived_mails WHERE id = $1', [deleted]);
    const job = await user.jobEnd(await source.start(restoreId));
    expect(job).toMatchObject({ status: 'completed', processed: 0, failed: 4 });
    const items = new Map((await source.items(restoreId)).map((item) => [item.mailId, item]));
    expect(items.get(missing)).toMatchObject({ outcome: 'damaged', reason: 'copy-missing' });
    expect(items.get(altered)).toMatchObject({ outcome: 'damaged', reason: 'copy-altered' });
    expect(items.get(large)).toMatchObject({ outcome: 'too-large' });
    expect(items.get(deleted)).toMatchObject({ outcome: 'failed', reason: 'mail-deleted', subject: null });
    expect(target.mailbox.ids()).toEqual([]);
  });

  it('should delete passwords that have expired, and old restores', async () => {
    const restoreId = await source.plan(own());
    const kept = await source.plan(own());
    await sut.dataSource.query(
      `UPDATE restores SET sealed_password = 'x', expires_at = now() - interval '1 day' WHERE id = $1`,
      [kept],
    );
    await sut.dataSource.query(`UPDATE restores SET expires_at = now() - interval '91 days' WHERE id = $1`, [
      restoreId,
    ]);
    await sut.app.get(RestoresCron).deleteExpired();
    const rows = await sut.dataSource.query(
      'SELECT id, sealed_password FROM restores WHERE account_id = $1',
      [source.accountId],
    );
    expect(rows).toEqual([{ id: kept, sealed_password: null }]);
  });
});
