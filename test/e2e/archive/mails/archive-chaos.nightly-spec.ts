import { filesSettled } from '../../../support/archive/settled-files';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiClient } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { emlWithAttachment } from '../../../support/archive/eml';
import { ServiceProcess } from '../../../support/service-process';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const DAY_MS = 24 * 60 * 60 * 1000;
const RECENT = 160;
const OLD = 120;
const PURGED = 120;
const KILLS = 3;
const DAMAGED = 20;

/**
 * Everything that writes to archives and removes from them, at once, in a service that is killed again and again.
 * What happens is up to chance; what is left is not.
 */
describe('Archives of a service that is killed while it writes and deletes', () => {
  let app: TestApp;
  let user: TestUser;
  let box: ArchiveFixture;
  let purged: ArchiveFixture;
  let service: ServiceProcess | undefined;
  let recent: string[];
  let old: string[];

  beforeAll(async () => {
    // Takes the requests; the jobs run in processes that are killed.
    app = await startTestApp({ sandbox: { messages: 1, latencyMs: 15 }, env: { ROLE: 'api' } });
    user = await app.user();
    box = await ArchiveFixture.connect(app, user, 'chaos-0@sandbox.mailroom.test');
    purged = await ArchiveFixture.connect(app, user, 'purged-0@sandbox.mailroom.test');
    recent = insert(box, RECENT, 2);
    old = insert(box, OLD, 100);
    insert(purged, PURGED, 2);
  });

  afterAll(async () => {
    await service?.stop();
    await app?.close();
  });

  function insert({ mailbox }: ArchiveFixture, count: number, ageDays: number): string[] {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const raw = emlWithAttachment({
        subject: `Number ${n} of ${ageDays}`,
        from: `Person ${n % 17} <person${n % 17}@example.com>`,
        disposition: `attachment; filename="file${n}.txt"`,
        content: Buffer.alloc(100 + n, `mail ${n}`),
      });
      const threadId = n % 3 === 0 ? undefined : mailbox.threadId(ids[n - 1]!);
      const internalDate = new Date(Date.now() - ageDays * DAY_MS - n * 1_000);
      ids.push(mailbox.insert(raw, { labelIds: ['INBOX'], internalDate, threadId }));
    }
    return ids;
  }

  const query = (sql: string, parameters: unknown[] = []): Promise<any> =>
    app.dataSource.query(sql, parameters);

  const startArchiving = async (into: ArchiveFixture, request: object): Promise<string> => {
    const { status, body } = await user.api.post(`${into.path}/archive`, request);
    expect(status).toBe(202);
    return body.jobId as string;
  };

  /** The process may be killed before it answers. */
  const retain = (): Promise<unknown> =>
    new ApiClient(service!.url, user.api.token).post('/api/retention/run').catch(() => undefined);

  const unfinished = async (): Promise<number> => {
    const [{ count }] = await query(
      `SELECT count(*)::int AS count FROM jobs WHERE status IN ('pending', 'active')`,
    );
    return count as number;
  };

  const counts = async (): Promise<string> => {
    const [row] = await query(
      `SELECT (SELECT count(*) FROM archived_mails) || ' ' || (SELECT count(*) FROM file_deletions) AS counts`,
    );
    return row.counts as string;
  };

  /** Writes other bytes over the files of some mails: archiving with replacement has to put them right. */
  async function damage(): Promise<void> {
    const rows: { storage_key: string }[] = await query(
      `SELECT storage_key FROM archived_mails WHERE account_id = $1 AND date > now() - interval '30 days'
        ORDER BY random() LIMIT $2`,
      [box.accountId, DAMAGED],
    );
    for (const { storage_key: key } of rows) {
      await writeFile(join(app.archiveDir, key), 'damaged', { flag: 'r+' }).catch(() => undefined);
    }
  }

  async function start(): Promise<void> {
    service = await ServiceProcess.start({ ...app.env, ROLE: 'all' });
  }

  async function kill(): Promise<void> {
    await service!.kill();
    // The leases of killed processes end now, and no job is given up because it was lost too often.
    await query('UPDATE jobs SET lease_until = now(), lost_attempts = 0 WHERE lease_until IS NOT NULL');
  }

  async function files(): Promise<string[]> {
    const entries = await readdir(app.archiveDir, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(app.archiveDir, join(entry.parentPath, entry.name)))
      .filter((path) => path.endsWith('.eml'))
      .sort();
  }

  it('should hold every kept mail once and whole, and nothing of deleted ones', async () => {
    const everything = [...recent, ...old];
    const jobs: string[] = [];
    const delays: number[] = [];
    expect((await user.api.post('/api/retention', { name: 'Old', maxAgeDays: 30 })).status).toBe(201);
    jobs.push(await startArchiving(purged, { query: 'in:anywhere' }));
    for (let kills = 0; kills < KILLS; kills += 1) {
      jobs.push(await startArchiving(box, { messageIds: everything }));
      jobs.push(await startArchiving(box, { messageIds: everything, differential: false }));
      if (kills === KILLS - 2) {
        expect((await user.api.delete(`/api/auth/mailbox/${purged.accountId}?purge=true`)).status).toBe(204);
      }
      const before = await counts();
      await start();
      await waitFor('something to have happened', async () => (await counts()) !== before, 60_000);
      void retain();
      const delay = Math.floor(Math.random() * 700);
      delays.push(delay);
      await pause(delay);
      await kill();
      await damage();
    }

    await start();
    const ends = await Promise.all(jobs.map((job) => user.jobEnd(job, 90_000)));
    await waitFor('all jobs to have ended', async () => (await unfinished()) === 0);
    // Now in order: what is damaged is put right, what is old goes.
    const last = await user.jobEnd(
      await startArchiving(box, { messageIds: everything, differential: false }),
    );
    expect(await retain()).toMatchObject({ status: 200 });
    await waitFor('the account to be gone', async () => {
      const left = await query('SELECT 1 FROM mailbox_accounts WHERE id = $1', [purged.accountId]);
      return left.length === 0;
    });
    await filesSettled(app.dataSource);

    const seen = { delays, killed: KILLS };
    expect({ ...seen, last: [last.status, last.processed, last.failed] }).toEqual({
      ...seen,
      last: ['completed', everything.length, 0],
    });
    // Jobs of the deleted account may have ended with it.
    const archiving = ends.slice(1).map(({ status, failed, error }) => [status, failed, error]);
    expect({ ...seen, archiving }).toEqual({
      ...seen,
      archiving: archiving.map(() => ['completed', 0, null]),
    });
    expect({ ...seen, problems: await problems() }).toEqual({ ...seen, problems: [] });
  }, 240_000);

  /** Descriptions of inconsistencies; empty when there are none. */
  async function problems(): Promise<string[]> {
    const found: string[] = [];
    const rows: any[] = await query('SELECT * FROM archived_mails ORDER BY storage_key');
    const ids = rows.map((row) => row.mailbox_message_id as string);
    if (JSON.stringify([...ids].sort()) !== JSON.stringify([...recent].sort())) {
      found.push(`${ids.length} mails, ${new Set(ids).size} different, of ${recent.length}`);
    }
    for (const row of rows) {
      const bytes = await readFile(join(app.archiveDir, row.storage_key as string)).catch(() => null);
      const hash = bytes && createHash('sha256').update(bytes).digest('hex');
      const isWhole = hash === row.sha256 && bytes?.equals(box.mailbox.raw(row.mailbox_message_id as string));
      if (!isWhole)
        found.push(`${row.mailbox_message_id as string}: file ${bytes ? 'differs' : 'is missing'}`);
    }
    const keys = new Set(rows.map(({ storage_key: key }) => key as string));
    for (const file of await files()) if (!keys.has(file)) found.push(`${file}: nobody names it`);
    const { kept, counted } = await box.totals();
    if (JSON.stringify(kept) !== JSON.stringify(counted)) found.push(JSON.stringify({ kept, counted }));
    for (const [what, sql] of Object.entries(MISMATCHES)) {
      const [{ count }] = await query(`SELECT count(*)::int AS count FROM (${sql}) mismatches`);
      if (count > 0) found.push(`${count} ${what}`);
    }
    return found;
  }
});

const both = (one: string, other: string): string =>
  `((${one}) EXCEPT (${other})) UNION ALL ((${other}) EXCEPT (${one}))`;

/** Queries that find nothing where all is well. */
const MISMATCHES: Readonly<Record<string, string>> = {
  threads: both(
    'SELECT account_id, thread_id, latest_date, message_count FROM archived_threads',
    'SELECT account_id, thread_id, max(date), count(*)::int FROM archived_mails GROUP BY 1, 2',
  ),
  senders: both(
    'SELECT account_id, address, mails::int, bytes::bigint, latest_date FROM archived_senders',
    `SELECT account_id, archived_sender_address(sender), count(*)::int, sum(size_bytes)::bigint, max(date)
       FROM archived_mails GROUP BY 1, 2`,
  ),
  'From lines': both(
    'SELECT account_id, sender, sender_key, mails FROM archived_sender_names',
    `SELECT account_id, sender, archived_sender_key(sender), count(*)::int FROM archived_mails GROUP BY 1, 2`,
  ),
  words: both('SELECT mail_id FROM archived_mail_words', 'SELECT id FROM archived_mails'),
  attachments: both(
    'SELECT mail_id, count(*) FROM archived_attachments GROUP BY 1',
    'SELECT id, 1::bigint FROM archived_mails',
  ),
  'files to delete': 'SELECT 1 FROM file_deletions',
};
