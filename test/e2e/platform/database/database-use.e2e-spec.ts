import { Client } from 'pg';
import type { DatabaseUse } from '../../../../src/platform/context/database-scope';
import { Transactions } from '../../../../src/platform/database/transactions';
import { ApiClient } from '../../../support/api-client';
import { type Served, startTestApp, TestApp } from '../../../support/app';
import { withDatabaseUse } from '../../../support/database-use';
import { nightly } from '../../../support/nightly';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const POOL_SIZE = 16;
/** A quarter of the pool, and lists count double. */
const LISTS_PER_USER = 2;

/** Statements of the service that wait for the lock of `HeldTable`. */
const WAITING = `SELECT pid FROM pg_locks WHERE NOT granted AND locktype = 'relation'
                   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

describe('The use of the database by one user', () => {
  let app: TestApp;
  let lock: Client;
  let attacker: TestUser;
  let victim: TestUser;
  /** Its list waits for the lock. */
  let slowList: string;
  let victimsPage: string;

  beforeAll(async () => {
    // Tables are locked here, for long.
    app = await startTestApp({
      own: true,
      env: { DATABASE_POOL_SIZE: `${POOL_SIZE}`, DATABASE_LIST_SECONDS: '120' },
      sandbox: { messages: 1 },
    });
    attacker = await app.user('attacker');
    victim = await app.user('victim');
    slowList = `/api/privacy/${await attacker.connect('attacker-0@sandbox.mailroom.test')}/pii`;
    victimsPage = `/api/archive/${await victim.connect('victim-0@sandbox.mailroom.test')}/mails`;
    lock = new Client({ connectionString: app.env['DATABASE_URL'] });
    await lock.connect();
  });

  afterAll(async () => {
    await lock?.end();
    await app?.close();
  });

  beforeEach(async () => {
    await lock.query('BEGIN');
    await lock.query('LOCK TABLE pii_findings IN ACCESS EXCLUSIVE MODE');
  });

  afterEach(() => lock.query('ROLLBACK'));

  const waiting = async (): Promise<number> => (await lock.query(WAITING)).rowCount ?? 0;

  const statementsWait = (count: number): Promise<unknown> =>
    waitFor(`${count} statements that wait`, async () => (await waiting()) === count);

  it("should leave connections to others during one user's fifty searches", async () => {
    const searches = Array.from({ length: 50 }, (_, n) => attacker.api.get(`${slowList}?page=${n + 1}`));
    await statementsWait(LISTS_PER_USER);

    // More than there are connections.
    const pages = await Promise.all(Array.from({ length: 20 }, () => victim.api.get(victimsPage)));

    expect(pages.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await waiting()).toBe(LISTS_PER_USER);
    await lock.query('ROLLBACK');
    expect((await Promise.all(searches)).map(({ status }) => status)).toEqual(Array(50).fill(200));
  });

  it('should end the statements of disconnected clients, and run those queued behind them', async () => {
    const gone = new AbortController();
    const searches = Array.from({ length: 10 }, () =>
      attacker.api.fetch('GET', slowList, { signal: gone.signal }),
    );
    await statementsWait(LISTS_PER_USER);

    gone.abort();

    expect((await Promise.allSettled(searches)).map(({ status }) => status)).toEqual(
      Array(10).fill('rejected'),
    );
    await statementsWait(0);
    await lock.query('ROLLBACK');
    expect((await attacker.api.get(slowList)).status).toBe(200);
  });

  describe('with short time-outs', () => {
    let hasty: Served;
    let api: ApiClient;

    beforeAll(async () => {
      hasty = await app.another({ DATABASE_LIST_SECONDS: '1', DATABASE_READ_SECONDS: '1' });
      api = new ApiClient(hasty.url, attacker.api.token);
    });

    afterAll(() => hasty?.app.close());

    it('should report that a search takes too long', async () => {
      const { status, body } = await api.get(slowList);
      expect([status, body.code]).toEqual([503, 'query-too-expensive']);
      expect(body.detail).toContain('fewer days');
    });

    it('should report for other reads that the service is busy', async () => {
      const { status, body, headers } = await api.get(`${slowList}/stats`);
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'service-unavailable', '5']);
    });

    nightly('should refuse requests that wait too long for others of the same user', async () => {
      const searches = await Promise.all(Array.from({ length: 50 }, () => api.get(slowList)));
      const answers = new Set(searches.map(({ status, body }) => `${status} ${body.code}`));
      expect(answers).toEqual(new Set(['503 query-too-expensive', '429 too-many-requests']));
      const refused = searches.find(({ status }) => status === 429)!;
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    });
  });

  describe('of a use', () => {
    const use: DatabaseUse = { userId: 'somebody', weight: 1, statementMs: 7_000, turnMs: 10_000 };
    const limit = async (): Promise<string> =>
      (await app.dataSource.query('SHOW statement_timeout'))[0].statement_timeout;

    it('should have its time-out, and no other setting', async () => {
      const limits = [];
      for (let n = 0; n < POOL_SIZE; n += 1)
        limits.push(await limit(), await withDatabaseUse(use, limit), await limit());
      expect(limits).toEqual(Array(POOL_SIZE).fill(['2min', '7s', '2min']).flat());
    });

    it('should never make a transaction wait for itself', async () => {
      const transactions = app.app.get(Transactions);
      const together = Array.from({ length: 10 }, () =>
        withDatabaseUse(use, () => transactions.run(() => limit())),
      );
      expect(await Promise.all(together)).toEqual(Array(10).fill('7s'));
    });
  });
});
