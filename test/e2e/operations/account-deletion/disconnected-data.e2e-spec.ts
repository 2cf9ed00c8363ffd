import { randomUUID } from 'node:crypto';
import { AccountPurgesCron } from '../../../../src/operations/account-deletion/account-purges.cron';
import { MAILBOX_TABLES } from '../../../../src/operations/account-deletion/account-rows.repository';
import { DeleteMailboxDataHandler } from '../../../../src/operations/account-deletion/delete-mailbox-data.job';
import { RedisService } from '../../../../src/platform/redis/redis.service';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import type { TestUser } from '../../../support/test-user';
import { OPERATIONS } from '../../../support/world/operations';
import { bareJob } from '../../../support/jobs/bare-job';

const MESSAGES = 60;
const TABLES = [...MAILBOX_TABLES, 'mailbox_index_states'];

/** How a route says that there is nothing: an empty answer, or why there can be none. */
const NOTHING_LEFT = [
  'answered',
  'mailbox-disconnected',
  'coverage-off',
  'offload-schedule-not-found',
  'imap-account-not-found',
];

describe('The data of a disconnected mailbox', () => {
  let sut: TestApp;
  let user: TestUser;
  let boxes = 0;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    user = await sut.user();
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });

  afterAll(() => sut?.close());

  interface Box {
    readonly archive: ArchiveFixture;
    readonly email: string;
  }

  /** A mailbox with rows in every table of mailbox data, and an archive. */
  async function connect(): Promise<Box> {
    const email = `left${(boxes += 1)}-${MESSAGES}@sandbox.mailroom.test`;
    const archive = await ArchiveFixture.connect(sut, user, email);
    await archive.archive({ messageIds: archive.mailbox.ids().slice(0, 3) });
    await figures(archive.accountId);
    const { body } = await user.api.post(`/api/privacy/${archive.accountId}/tracking/scan`);
    await user.jobEnd(body.jobId as string);
    await sut.dataSource.query(
      `INSERT INTO mailbox_listings (account_id, run, message_id, label_id) VALUES ($1, 'run', 'message', '')`,
      [archive.accountId],
    );
    await sut.dataSource.query(
      `INSERT INTO ledger_messages (account_id, message_id, class) VALUES ($1, 'message', 'pending')`,
      [archive.accountId],
    );
    await imapRows(archive.accountId);
    await sut.dataSource.query(
      `INSERT INTO cleanup_suggestions (id, user_id, account_id, type, subject_of, title, description, sender,
         email_count, total_size_bytes, query, computed_at)
       VALUES (gen_random_uuid(), $1, $2, 'bulk_unread', 'a', 'a', 'a', 'a', 1, 1, 'a', now())`,
      [user.id, archive.accountId],
    );
    expect((await user.api.post(`/api/analytics/${archive.accountId}/inbox-zero/snapshot`)).status).toBe(200);
    expect(Object.values(await rows(archive)).filter((count) => count === 0)).toEqual([]);
    return { archive, email };
  }

  /** As an IMAP mailbox has them. */
  async function imapRows(accountId: string): Promise<void> {
    const folderId = randomUUID();
    for (const [statement, ...parameters] of [
      [
        `INSERT INTO imap_folders (id, account_id, path, role) VALUES ($1, $2, 'INBOX', 'inbox')`,
        folderId,
        accountId,
      ],
      [
        `INSERT INTO imap_places (folder_id, uid, account_id, size, internal_date, flags)
         VALUES ($1, 1, $2, 1, now(), '{}')`,
        folderId,
        accountId,
      ],
      [
        `INSERT INTO imap_messages (account_id, message_id, thread_id, internal_date, size, facts)
         VALUES ($1, 'i1.a', 'i1.a', now(), 1, '{"subject": "Secret"}')`,
        accountId,
      ],
      [
        `INSERT INTO imap_changes (account_id, seq, message_id, thread_id, kind, labels, labels_added, labels_removed)
         VALUES ($1, 1, 'i1.a', 'i1.a', 'added', '{}', '{}', '{}')`,
        accountId,
      ],
    ] as const)
      await sut.dataSource.query(statement, parameters);
  }

  /** Brings the index up to date and answers from it. */
  async function figures(accountId: string): Promise<number> {
    const { body } = await user.api.post(`/api/unsubscribe/${accountId}/scan`);
    expect(await user.jobEnd(body.jobId as string)).toMatchObject({ status: 'completed' });
    const stats = await user.api.get(`/api/dashboard/${accountId}/stats`);
    expect(stats.status).toBe(200);
    return stats.body.totalMessages as number;
  }

  const rows = async ({ accountId }: ArchiveFixture): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const table of TABLES) {
      const [row] = await sut.dataSource.query(
        `SELECT count(*)::int AS count FROM ${table} WHERE account_id = $1`,
        [accountId],
      );
      counts[table] = row.count as number;
    }
    return counts;
  };
  const nothing = Object.fromEntries(TABLES.map((table) => [table, 0]));

  const deletionsOf = async ({ accountId }: ArchiveFixture): Promise<any[]> =>
    (await user.api.get(`/api/jobs?accountId=${accountId}`)).body.filter(
      ({ type }: { type: string }) => type === 'delete_mailbox_data',
    );

  const disconnect = async (archive: ArchiveFixture): Promise<void> => {
    expect((await user.api.delete(`/api/auth/mailbox/${archive.accountId}`)).status).toBe(204);
  };

  it('should be deleted by a job, while the archive stays', async () => {
    const { archive } = await connect();
    const other = await connect();
    const kept = async (): Promise<string[]> => {
      const keys = await sut.app.get(RedisService).client.keys(`*result*${archive.accountId}*`);
      return keys.map((key) => key.split(':').at(-2)!).sort();
    };
    for (const figure of ['heatmap', 'sender-scores', 'cleanup-suggestions', 'inbox-zero'])
      expect((await user.api.get(`/api/analytics/${archive.accountId}/${figure}`)).status).toBe(200);
    expect(await kept()).toEqual(['cleanup-suggestions', 'heatmap', 'inbox-counts', 'sender-scores']);
    await disconnect(archive);
    const [deletion] = await deletionsOf(archive);
    expect(await user.jobEnd(deletion.queue_id as string)).toMatchObject({ status: 'completed', failed: 0 });
    expect(await rows(archive)).toEqual(nothing);
    expect(await kept()).toEqual([]);
    const { body } = await user.api.get(`${archive.path}/mails`);
    expect(body.total).toBe(3);
    for (const { id } of body.mails)
      expect((await user.api.get(`${archive.path}/mails/${id}`)).body.emlContent).toContain('Subject:');
    expect(Object.values(await rows(other.archive)).filter((count) => count === 0)).toEqual([]);
  });

  it('should be missing from every route, without failures', async () => {
    const { archive } = await connect();
    await disconnect(archive);
    await user.jobEnd((await deletionsOf(archive))[0].queue_id as string);
    const reads = OPERATIONS.filter(
      ({ method, pathParameters }) => method === 'GET' && pathParameters.join() === 'accountId',
    );
    expect(reads.length).toBeGreaterThan(15);
    for (const { key, path, query } of reads) {
      const required = query
        .filter(({ required: isRequired }) => isRequired)
        .map(({ name, schema, example }): [string, string] => [name, String(example ?? schema?.example)]);
      const address = `${path.replace('{accountId}', archive.accountId)}?${new URLSearchParams(required).toString()}`;
      const answer = await user.api.get(address);
      const outcome = answer.status === 200 ? 'answered' : (answer.body.code as string);
      expect([key, NOTHING_LEFT]).toEqual([key, expect.arrayContaining([outcome])]);
    }
    const tracking = `/api/privacy/${archive.accountId}/tracking`;
    expect((await user.api.get(tracking)).body).toMatchObject({ items: [], total: 0 });
    expect((await user.api.get(`${tracking}/stats`)).body).toEqual({
      trackedMessages: 0,
      totalTrackers: 0,
      topDomains: [],
    });
  });

  it('should be read again when the mailbox is connected again', async () => {
    const { archive, email } = await connect();
    const before = await figures(archive.accountId);
    await disconnect(archive);
    await user.jobEnd((await deletionsOf(archive))[0].queue_id as string);
    expect(await user.connect(email)).toBe(archive.accountId);
    expect(await figures(archive.accountId)).toBe(before);
    expect((await rows(archive))['mailbox_messages']).toBe(before);
  });

  it('should not be deleted any further once the mailbox is connected again', async () => {
    const { archive, email } = await connect();
    const { accountId } = archive;
    const before = await figures(accountId);
    await sut.dataSource.query(`UPDATE mailbox_accounts SET status = 'disconnected' WHERE id = $1`, [
      accountId,
    ]);
    // The first half of the messages, as a batch deletes them.
    await sut.dataSource.query(
      `UPDATE mailbox_index_states SET complete = false, covered_since = NULL, coverage_epoch = coverage_epoch + 1
        WHERE account_id = $1`,
      [accountId],
    );
    await sut.dataSource.query(
      `DELETE FROM mailbox_messages WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM mailbox_messages WHERE account_id = $1 LIMIT ${MESSAGES / 2}))`,
      [accountId],
    );
    await user.connect(email);
    const job = bareJob('delete_mailbox_data', { userId: user.id, accountId });
    expect(await sut.app.get(DeleteMailboxDataHandler).run({}, job)).toEqual({ rows: 0 });
    expect((await rows(archive))['mailbox_messages']).toBe(before - MESSAGES / 2);
    expect(await figures(accountId)).toBe(before);
    expect((await rows(archive))['mailbox_messages']).toBe(before);
  });

  it('should be deleted later when the job was cancelled, or an earlier version has left it', async () => {
    const { archive } = await connect();
    await sut.dataSource.query(
      `UPDATE mailbox_accounts SET status = 'disconnected', is_active = false WHERE id = $1`,
      [archive.accountId],
    );
    const cron = sut.app.get(AccountPurgesCron);
    await Promise.all([cron.onApplicationBootstrap(), cron.resumePurges(), cron.resumePurges()]);
    const [deletion, ...others] = await deletionsOf(archive);
    expect(others).toEqual([]);
    expect(await user.jobEnd(deletion.queue_id as string)).toMatchObject({ status: 'completed' });
    expect(await rows(archive)).toEqual(nothing);
    await cron.resumePurges();
    expect(await deletionsOf(archive)).toHaveLength(1);
  });
});
