import type { ApiAnswer } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import { StatementGate } from '../../../support/statement-gate';
import type { TestUser } from '../../../support/test-user';

const UNKNOWN = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';

describe('POST /api/archive/:accountId/delete', () => {
  let app: TestApp;
  let user: TestUser;
  let sut: ArchiveFixture;
  let ids: string[];
  let boxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });

  beforeEach(async () => {
    sut = await ArchiveFixture.connect(app, user, `deleted${(boxes += 1)}-0@sandbox.mailroom.test`);
    ids = await sut.insertAndArchive(
      ...['invoice one', 'invoice two', 'holiday'].map((subject) =>
        eml(`Subject: ${subject}`, 'From: shop@x.test', '', 'text'),
      ),
    );
  });

  afterAll(() => app?.close());

  const start = (body: object, options?: object): Promise<ApiAnswer> =>
    user.api.post(`${sut.path}/delete`, body, options);
  const gist = ({ status, body }: ApiAnswer): unknown[] => [status, body.code];
  const left = async (): Promise<string[]> => [...(await sut.rows()).values()].map(({ id }) => id as string);
  const end = async ({ status, body }: ApiAnswer): Promise<any> => {
    expect(status).toBe(202);
    return user.jobEnd(body.jobId as string);
  };

  it('should delete the named mails, with their files, and nothing else', async () => {
    const other = await ArchiveFixture.connect(app, user, `kept${boxes}-0@sandbox.mailroom.test`);
    await other.insertAndArchive(eml('Subject: invoice three', '', 'text'));
    const job = await end(await start({ mailIds: [ids[0], ids[0]!.toUpperCase()], confirmedCount: 1 }));
    expect(job).toMatchObject({
      status: 'completed',
      total: 1,
      processed: 1,
      failed: 0,
      result: { deleted: 1 },
    });
    expect((await left()).sort()).toEqual(ids.slice(1).sort());
    expect(await sut.files()).toHaveLength(2);
    expect(await other.files()).toHaveLength(1);
    const { kept, counted } = await sut.totals();
    expect(kept).toEqual(counted);
    const acts = await app.dataSource.query(
      `SELECT action, details FROM audit_entries WHERE account_id = $1 AND action LIKE 'mails.delete%' ORDER BY id`,
      [sut.accountId],
    );
    expect(acts).toMatchObject([
      { action: 'mails.delete-started', details: { count: 1 } },
      { action: 'mails.delete-completed', details: { deleted: 1 } },
    ]);
    // The mailbox is not touched.
    expect(sut.mailbox.ids()).toHaveLength(3);
  });

  it('should delete the matches of a filter', async () => {
    await end(await start({ filter: { q: 'invoice', sender: 'shop@' }, confirmedCount: 2 }));
    expect(await left()).toEqual([ids[2]]);
    await end(await start({ filter: {}, confirmedCount: 1 }));
    expect(await left()).toEqual([]);
    expect(await sut.files()).toEqual([]);
  });

  it('should delete nothing when a different number was confirmed', async () => {
    expect(gist(await start({ filter: { q: 'invoice' }, confirmedCount: 3 }))).toEqual([
      409,
      'count-mismatch',
    ]);
    expect(gist(await start({ mailIds: ids, confirmedCount: 2 }))).toEqual([409, 'count-mismatch']);
    expect(gist(await start({ filter: { q: 'nothing' }, confirmedCount: 1 }))).toEqual([
      409,
      'count-mismatch',
    ]);
    expect(await left()).toHaveLength(3);
  });

  it('should start once under one key, even if its mails are gone', async () => {
    const options = { headers: { 'idempotency-key': `delete-${boxes}` } };
    const request = { filter: { q: 'invoice' }, confirmedCount: 2 };
    const first = await start(request, options);
    await end(first);
    const again = await start(request, options);
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect(gist(await start({ ...request, confirmedCount: 1 }, options))).toEqual([
      409,
      'idempotency-key-reused',
    ]);
    expect(await left()).toEqual([ids[2]]);
  });

  it('should stop between batches when it is cancelled', async () => {
    const many = Array.from({ length: 1_100 }, (_, n) => eml(`Subject: many ${n}`, '', 'text'));
    await sut.insertAndArchive(...many);
    const gate = new StatementGate(app.dataSource);
    await gate.close('file_deletions', 'INSERT', `NEW.account_id = '${sut.accountId}'`);
    const { body } = await start({ filter: {}, confirmedCount: 1_103 });
    await gate.reached();
    expect((await user.api.delete(`/api/jobs/${body.jobId as string}`)).status).toBe(204);
    await gate.open();
    const job = await user.jobEnd(body.jobId as string);
    expect(job).toMatchObject({ status: 'cancelled', processed: 1_000, result: { deleted: 1_000 } });
    expect(await left()).toHaveLength(103);
  }, 60_000);

  it.each([
    [{ confirmedCount: 1 }, 'mailIds'],
    [{ mailIds: [UNKNOWN], filter: {}, confirmedCount: 1 }, 'mailIds'],
    [{ mailIds: [], confirmedCount: 1 }, 'mailIds'],
    [{ mailIds: ['x'], confirmedCount: 1 }, 'mailIds'],
    [{ filter: {} }, 'confirmedCount'],
    [{ filter: {}, confirmedCount: 0 }, 'confirmedCount'],
    [{ filter: 'all', confirmedCount: 1 }, 'filter'],
    [{ filter: { from_date: 'yesterday' }, confirmedCount: 1 }, 'from_date'],
    [{ filter: { has_attachments: 'perhaps' }, confirmedCount: 1 }, 'filter.has_attachments'],
  ])('should refuse %j', async (request, field) => {
    const { status, body } = await start(request);
    expect([status, body.errors]).toEqual([
      400,
      expect.arrayContaining([expect.objectContaining({ field })]),
    ]);
    expect(await left()).toHaveLength(3);
  });

  it('should refuse mails of another account', async () => {
    expect(gist(await start({ mailIds: [...ids, UNKNOWN], confirmedCount: 4 }))).toEqual([
      404,
      'mail-not-found',
    ]);
    const stranger = await app.user();
    const foreign = await stranger.api.post(`${sut.path}/delete`, { filter: {}, confirmedCount: 3 });
    expect(gist(foreign)).toEqual([403, 'account-not-owned']);
    expect(gist(await app.anonymous.post(`${sut.path}/delete`, { filter: {}, confirmedCount: 3 }))).toEqual([
      401,
      'unauthorized',
    ]);
    expect(await left()).toHaveLength(3);
  });
});
