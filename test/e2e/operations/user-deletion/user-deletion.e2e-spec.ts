import { access, mkdir, readdir, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { dirname, join } from 'node:path';
import { LoginAttempts } from '../../../../src/identity/auth/sign-in.service';
import { BulkOperation } from '../../../../src/mailbox/bulk/bulk-operation.job';
import { Transactions } from '../../../../src/platform/database/transactions';
import { RedisService } from '../../../../src/platform/redis/redis.service';
import { JobsService } from '../../../../src/platform/jobs/jobs.service';
import { MailboxConnector } from '../../../../src/providers/port/mailbox-connector.port';
import { DeleteUserHandler } from '../../../../src/operations/user-deletion/delete-user.job';
import { UserDeletionTimings } from '../../../../src/operations/user-deletion/user-deletion-timings';
import { UserDeletionsRepository } from '../../../../src/operations/user-deletion/user-deletions.repository';
import { UserDeletionsCron } from '../../../../src/operations/user-deletion/user-deletions.cron';
import { ApiClient } from '../../../support/api-client';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { TestObjectStore } from '../../../support/object-store/object-store';
import { ServiceProcess } from '../../../support/service-process';
import { TcpProxy } from '../../../support/tcp-proxy';
import type { TestUser } from '../../../support/test-user';
import { FullUser } from '../../../support/users/full-user';
import { allRows, rowsMentioning, treeOf } from '../../../support/users/traces';
import { waitFor } from '../../../support/wait';
import { describeNightly } from '../../../support/nightly';

const UNKNOWN = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';
const BUCKET = 'deletions';

describe('DELETE /api/admin/users/:userId', () => {
  let app: TestApp;
  let admin: TestUser;
  let store: TestObjectStore;
  let proxy: TcpProxy;

  beforeAll(async () => {
    [app, store] = await Promise.all([
      startTestApp({ own: true, sandbox: { messages: 1 }, env: { OBJECT_STORE_PATIENCE_SECONDS: '1' } }),
      TestObjectStore.start(),
    ]);
    proxy = await TcpProxy.to(store.endpoint);
    admin = await app.user('administrator');
    Object.assign(app.app.get(UserDeletionTimings), { stopJobsMs: 10_000, pollMs: 20 });
  }, 120_000);

  afterEach(() => {
    proxy.restore();
    app.sandbox.clearFaults();
  });

  afterAll(async () => {
    await app?.close();
    await proxy?.close();
  });

  const remove = (userId: string, as: TestUser = admin) => as.api.delete(`/api/admin/users/${userId}`);
  async function removed(userId: string, as: TestUser = admin): Promise<any> {
    const { status, body } = await remove(userId, as);
    expect([status, body.jobId]).toEqual([202, expect.stringMatching(/^delete_user-\d+$/)]);
    return as.jobEnd(body.jobId as string);
  }
  const exists = async (userId: string): Promise<boolean> =>
    (await app.dataSource.query('SELECT 1 FROM users WHERE id = $1', [userId])).length > 0;
  const acts = async (userId: string): Promise<string[]> =>
    (
      await app.dataSource.query(
        `SELECT action FROM audit_entries WHERE user_id = $1 AND action LIKE 'user.delet%' ORDER BY sequence`,
        [userId],
      )
    ).map(({ action }: { action: string }) => action);
  /** What calls to the provider cost is written some time after them. */
  const settledRows = async (): Promise<Set<string>> =>
    new Set([...(await allRows(app.dataSource))].filter((row) => !row.startsWith('provider_usage: ')));
  /** The deletion's own job names whom it deleted; so does nothing else. */
  const besidesTheJob = (rows: string[]): string[] =>
    rows.filter((row) => !(row.startsWith('jobs: ') && row.includes('delete_user')));

  it('should require an administrator, and another user who exists', async () => {
    const user = await app.user();
    expect((await app.anonymous.delete(`/api/admin/users/${user.id}`)).status).toBe(401);
    expect((await remove(admin.id, user)).status).toBe(403);
    expect((await remove('nobody')).status).toBe(400);
    expect((await remove(UNKNOWN)).status).toBe(404);
    const own = await remove(admin.id);
    expect([own.status, own.body.code]).toEqual([409, 'own-account']);
    expect(await exists(user.id)).toBe(true);
    expect((await user.api.get('/api/auth/me')).status).toBe(200);
  });

  it('should not be blocked by a foreign key', async () => {
    const keys: { key: string }[] = await app.dataSource.query(
      `SELECT conrelid::regclass || ' -> ' || confrelid::regclass || ' ' || confdeltype::text AS key
         FROM pg_constraint WHERE contype = 'f' AND confdeltype <> 'c' ORDER BY 1`,
    );
    // Rows of these outlive what they refer to, and have a user of their own.
    expect(keys.map(({ key }) => key)).toEqual(['import_uploads -> jobs n', 'jobs -> mailbox_accounts n']);
  });

  it('should stop between batches when its job is cancelled, and be resumed by the cron', async () => {
    const user = await app.user();
    const box = await ArchiveFixture.connect(app, user, 'stopped-0@sandbox.test');
    await box.insertAndArchive(Buffer.from('Subject: one\r\n\r\n1'));
    const [handler, rows] = [app.app.get(DeleteUserHandler), app.app.get(UserDeletionsRepository)];
    let signal: AbortSignal | undefined;
    const run = handler.run.bind(handler);
    const running = jest.spyOn(handler, 'run').mockImplementation((payload, job) => {
      signal = job.signal;
      return run(payload, job);
    });
    const countRunningJobs = rows.countRunningJobs.bind(rows);
    const paused = jest.spyOn(rows, 'countRunningJobs').mockImplementation(async (userId) => {
      const count = await countRunningJobs(userId);
      if (count === 0) await waitFor('the cancellation', () => signal?.aborted === true);
      return count;
    });
    const { body } = await remove(user.id);
    await waitFor('the job to run', () => paused.mock.calls.length > 0);
    expect((await admin.api.delete(`/api/jobs/${body.jobId}`)).status).toBe(204);
    const job = await admin.jobEnd(body.jobId as string).finally(() => {
      paused.mockRestore();
      running.mockRestore();
    });
    expect(job).toMatchObject({ status: 'cancelled', result: { mails: expect.any(Number) } });
    expect((await box.rows()).size).toBe(1);
    await app.app.get(UserDeletionsCron).resumeDeletions();
    await waitFor('the user to be gone', async () => !(await exists(user.id)));
  });

  it('should delete every trace of the user and nothing else', async () => {
    const other = await FullUser.create(app, 'other');
    const [rowsBefore, filesBefore] = [await settledRows(), await treeOf(app.env['DATA_DIR']!)];
    const doomed = await FullUser.create(app, 'doomed');
    const { user } = doomed;
    const mentions = await rowsMentioning(app.dataSource, doomed.needles);
    expect(mentions.length).toBeGreaterThan(40);
    // A job that is running, one that waits, and an upload that is half way.
    app.sandbox.fault({ endpoint: 'messages.get', times: 'always', answer: { kind: 'slow', delayMs: 40 } });
    for (let n = 0; n < 300; n += 1)
      doomed.connected.mailbox.insert(Buffer.from(`Subject: ${n}\r\n\r\n${n}`), { labelIds: ['INBOX'] });
    const start = async (): Promise<string> =>
      (await user.api.post(`${doomed.connected.path}/archive`, { query: 'in:anywhere' })).body
        .jobId as string;
    const [running] = [await start(), await start()];
    await waitFor('the job to run', async () => {
      const { body } = await user.api.get(`/api/jobs/${running}`);
      return body.status === 'active' && body.processed > 0;
    });
    const upload = halfAnUpload(user, doomed.connected.accountId);
    await waitFor('the upload to be on disk', async () =>
      (await readdir(join(app.env['DATA_DIR']!, 'uploads'))).some((name) => name.endsWith('.part')),
    );
    const revokedBefore = app.sandbox.stats.calls['oauth.revoke'] ?? 0;

    const { status, body } = await remove(user.id);
    expect(status).toBe(202);
    // From now on, before anything is removed: nobody comes in.
    expect((await user.api.get('/api/auth/me')).status).toBe(401);
    const login = await app.anonymous.post('/api/auth/login', { email: user.email, password: user.password });
    expect([login.status, login.body.code]).toEqual([401, 'invalid-credentials']);
    const job = await admin.jobEnd(body.jobId as string);
    upload.finish();
    await upload.answered;
    expect(job).toMatchObject({
      status: 'completed',
      result: { accounts: 2, grantsNotRevoked: 0, failures: [] },
    });
    expect(job.result.mails).toBeGreaterThan(5);
    expect(job.result.files).toBeGreaterThanOrEqual(job.result.mails);
    expect([job.processed, job.total]).toEqual([job.result.mails, job.result.mails]);
    // The other account was disconnected before.
    expect(app.sandbox.stats.calls['oauth.revoke']).toBe(revokedBefore + 1);

    expect(await exists(user.id)).toBe(false);
    expect(besidesTheJob(await rowsMentioning(app.dataSource, doomed.needles))).toEqual([]);
    expect(await treeOf(app.env['DATA_DIR']!)).toEqual(filesBefore);
    const rowsAfter = await settledRows();
    expect([...rowsBefore].filter((row) => !rowsAfter.has(row))).toEqual([]);
    const added = [...rowsAfter].filter((row) => !rowsBefore.has(row));
    // What tells the administrator.
    expect(added.filter((row) => !/^(jobs|events|notifications): /.test(row))).toEqual([]);
    expect(added.every((row) => row.includes(admin.id))).toBe(true);
    expect(await acts(user.id)).toEqual(['user.deletion-requested', 'user.deleted']);
    expect((await other.user.api.get('/api/auth/me')).status).toBe(200);
    // What calls cost is written some time after them, even then; it expires within minutes.
    const keys = (await redisKeys()).filter((key) => !key.includes(':spent:'));
    expect(keys.filter((key) => doomed.needles.some((needle) => key.includes(needle)))).toEqual([]);
    const back = await app.anonymous.post('/api/auth/register', {
      email: user.email,
      password: user.password,
    });
    expect(back.status).toBe(201);
    expect(back.body.user.id).not.toBe(user.id);
  }, 120_000);

  it('should answer the unfinished job, and keep the mark when that job fails', async () => {
    const user = await app.user();
    await app.dataSource.query(
      'UPDATE users SET is_active = false, deletion_requested_at = now() WHERE id = $1',
      [user.id],
    );
    // In a lane without workers it stays pending.
    const [{ id, number }] = await app.dataSource.query(
      `INSERT INTO jobs (id, type, lane, user_id, payload) VALUES (gen_random_uuid(), 'delete_user', 'nowhere', $1, $2)
       RETURNING id, number`,
      [admin.id, { userId: user.id }],
    );
    const other = await app.user('second-admin');
    await app.dataSource.query(`UPDATE users SET role = 'admin' WHERE id = $1`, [other.id]);
    for (const asking of [admin, other]) {
      const login = await app.anonymous.post('/api/auth/login', {
        email: asking.email,
        password: asking.password,
      });
      const { status, body } = await new ApiClient(app.url, login.body.access_token as string).delete(
        `/api/admin/users/${user.id}`,
      );
      expect([status, body.jobId]).toEqual([202, `delete_user-${number}`]);
    }
    const taken = await app.anonymous.post('/api/auth/register', {
      email: user.email,
      password: user.password,
    });
    expect([taken.status, taken.body.code]).toEqual([409, 'email-taken']);
    const cron = app.app.get(UserDeletionsCron);
    await cron.resumeDeletions();
    expect(await exists(user.id)).toBe(true);
    expect((await admin.api.delete(`/api/jobs/${id}`)).status).toBe(204);
    await Promise.all([cron.onApplicationBootstrap(), cron.resumeDeletions(), cron.resumeDeletions()]);
    await waitFor('the user to be gone', async () => !(await exists(user.id)));
    const jobs = await app.dataSource.query(
      `SELECT user_id FROM jobs WHERE type = 'delete_user' AND payload ->> 'userId' = $1`,
      [user.id],
    );
    // Of three processes one started it, in the name of who had asked before.
    expect(jobs).toEqual([{ user_id: admin.id }, { user_id: admin.id }]);
    expect((await remove(user.id)).status).toBe(404);
    expect((await removed(other.id)).status).toBe('completed');
  });

  it('should refuse additions during the deletion', async () => {
    const user = await app.user();
    const account = await user.connect('late-0@sandbox.test');
    const jobs = app.app.get(JobsService);
    const payload = { action: 'mark_read', messageIds: ['m'] } as never;
    const owner = { userId: user.id, accountId: account };
    let late: Promise<unknown> | undefined;
    let crowd: Promise<unknown>[] = [];
    // Somebody starts a job in a transaction that is older than the deletion, and one that is younger.
    const early = app.app.get(Transactions).run(async (transaction) => {
      await jobs.start(BulkOperation, owner, payload, { transaction });
      late = remove(user.id).then(() =>
        jobs.start(BulkOperation, owner, payload).catch((error: { code: string }) => error.code),
      );
      await waitFor('the deletion to wait for it', async () => {
        const [row] = await app.dataSource.query(
          `SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'`,
        );
        return row.n > 0;
      });
      // Some get in before, and are cancelled; the others are refused.
      crowd = [1, 2, 3, 4].map(() =>
        jobs.start(BulkOperation, owner, payload).catch((error: unknown) => error),
      );
    });
    await early;
    await Promise.all(crowd);
    await waitFor('the user to be gone', async () => !(await exists(user.id)));
    expect(await late).toBe('user-inactive');
    expect(besidesTheJob(await rowsMentioning(app.dataSource, [user.id, account]))).toEqual([]);
  });

  it('should refuse a sign-in that began before the deletion', async () => {
    const user = await app.user();
    const attempts = app.app.get(LoginAttempts);
    const succeed = attempts.succeed.bind(attempts);
    const judged = jest.spyOn(attempts, 'succeed').mockImplementationOnce(async (email) => {
      await succeed(email);
      await removed(user.id);
    });
    const { status, body } = await app.anonymous
      .post('/api/auth/login', { email: user.email, password: user.password })
      .finally(() => judged.mockRestore());
    expect([status, body.code]).toEqual([401, 'invalid-credentials']);
  });

  it('should report an unavailable provider and continue', async () => {
    const user = await app.user();
    await user.connect('unreachable-0@sandbox.test');
    const revoke = jest.spyOn(app.app.get(MailboxConnector), 'revoke').mockRejectedValue(new Error('away'));
    const job = await removed(user.id).finally(() => revoke.mockRestore());
    expect(job).toMatchObject({ status: 'completed', result: { accounts: 1, grantsNotRevoked: 1 } });
    expect(await exists(user.id)).toBe(false);
  });

  it('should resume when an unavailable object store is back', async () => {
    const user = await app.user();
    const box = await ArchiveFixture.connect(app, user, 'bucket-3@sandbox.test');
    await box.archive({ query: 'in:anywhere' });
    const configuration = store.configuration(BUCKET, { objstoreEndpoint: proxy.url.replace(/\/$/, '') });
    expect((await user.api.put('/api/storage/config', configuration)).status).toBe(200);
    await box.insertAndArchive(Buffer.from('Subject: one\r\n\r\n1'), Buffer.from('Subject: two\r\n\r\n2'));
    await store.overwrite(BUCKET, `${user.id}/stray.eml`, Buffer.from('stray'));
    await store.overwrite(BUCKET, `${UNKNOWN}/another.eml`, Buffer.from('not theirs'));
    proxy.vanish();
    const failed = await removed(user.id);
    expect(failed).toMatchObject({
      status: 'failed',
      error_code: 'user-files-remain',
      result: { accounts: 1, mails: 5 },
    });
    expect(failed.error).toContain('The object store of this archive is not available');
    expect(await exists(user.id)).toBe(true);
    // All but what is needed to come back.
    const left = await rowsMentioning(app.dataSource, [user.id, box.accountId]);
    expect(new Set(besidesTheJob(left).map((row) => row.split(':')[0]))).toEqual(
      new Set(['file_deletions', 'storage_configurations', 'users']),
    );
    await expect(access(join(app.archiveDir, user.id))).rejects.toMatchObject({ code: 'ENOENT' });
    expect((await store.objects(BUCKET)).length).toBe(4);
    proxy.restore();
    await app.app.get(UserDeletionsCron).resumeDeletions();
    await waitFor('the user to be gone', async () => !(await exists(user.id)));
    await waitFor(
      'the last traces to be gone',
      async () => besidesTheJob(await rowsMentioning(app.dataSource, [user.id, box.accountId])).length === 0,
    );
    expect((await store.objects(BUCKET)).map(({ key }) => key)).toEqual([`${UNKNOWN}/another.eml`]);
  }, 60_000);

  async function redisKeys(): Promise<string[]> {
    const redis = app.app.get(RedisService);
    return redis.client.keys(redis.key('*'));
  }

  /** An upload whose second half is sent when it is told to. */
  function halfAnUpload(
    user: TestUser,
    accountId: string,
  ): { finish: () => void; answered: Promise<number> } {
    const head = '--cut\r\nContent-Disposition: form-data; name="file"; filename="a.mbox"\r\n\r\n';
    const half = 'From a@b Thu Nov 24 18:22:48 1986\nSubject: half\n\n' + 'x'.repeat(100_000);
    const tail = '\r\n--cut--\r\n';
    const request = httpRequest(new URL(`/api/import/${accountId}/mbox`, user.api.baseUrl), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${user.api.token}`,
        'content-type': 'multipart/form-data; boundary=cut',
        'content-length': String(head.length + half.length + tail.length),
      },
    });
    const answered = new Promise<number>((resolve) => {
      request.on('response', (response) => resolve(response.resume().statusCode ?? 0));
      request.on('error', () => resolve(0));
    });
    request.write(head + half);
    return { finish: () => request.end(tail), answered };
  }
});

/** The job is asked for in a process that runs none, and done by others, which are killed. */
describeNightly('The deletion of a user in a killed service', () => {
  const MAILS = 4_000;
  let app: TestApp;
  let admin: TestUser;
  let user: TestUser;
  let service: ServiceProcess | undefined;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 }, env: { ROLE: 'api' } });
    admin = await app.user('administrator');
    user = await app.user();
  });

  afterAll(async () => {
    await service?.stop();
    await app?.close();
  });

  const mails = async (): Promise<number> => {
    const [row] = await app.dataSource.query(
      'SELECT count(*)::int AS n FROM archived_mails WHERE user_id = $1',
      [user.id],
    );
    return row.n as number;
  };

  it('should continue where it was, with complete counts', async () => {
    const accounts = [
      await user.connect('killed-0@sandbox.test'),
      await user.connect('killed-two-0@sandbox.test'),
    ];
    for (const account of accounts) await fill(account, MAILS / 2);
    const { body } = await admin.api.delete(`/api/admin/users/${user.id}`);
    const jobId = body.jobId as string;
    for (let kills = 0; kills < 2; kills += 1) {
      const before = await mails();
      service = await ServiceProcess.start({ ...app.env, ROLE: 'all' });
      await waitFor('the deletion to be midway', async () => (await mails()) < before, 60_000);
      await service.kill();
      expect(await mails()).toBeGreaterThan(0);
      // Nobody need wait for the lease of the dead.
      await app.dataSource.query(`UPDATE jobs SET lease_until = now() WHERE type = 'delete_user'`);
    }
    service = await ServiceProcess.start({ ...app.env, ROLE: 'all' });
    expect(await admin.jobEnd(jobId)).toMatchObject({
      status: 'completed',
      total: MAILS,
      processed: MAILS,
      result: { accounts: 2, mails: MAILS, bytes: 4 * MAILS },
    });
    const rows = await rowsMentioning(app.dataSource, [user.id, user.email, ...accounts]);
    expect(rows.filter((row) => !row.includes('delete_user'))).toEqual([]);
    await expect(access(join(app.archiveDir, user.id))).rejects.toMatchObject({ code: 'ENOENT' });
  }, 240_000);

  async function fill(accountId: string, count: number): Promise<void> {
    const rows: { storage_key: string }[] = await app.dataSource.query(
      `INSERT INTO archived_mails (id, user_id, account_id, mailbox_message_id, thread_id, subject, sender, recipient,
         date, size_bytes, has_attachments, label_ids, snippet, storage, storage_key, sha256)
       SELECT id, $1::uuid, $2::uuid, 'm' || n, 't' || n % 700, 'Subject', 'a@b.example', '',
         now(), 4, false, '{INBOX}', '', 'local',
         concat($1::uuid, '/', $2::uuid, '/2020/', to_char(n % 12 + 1, 'FM00'), '/', id, '.eml'), repeat('0', 64)
       FROM (SELECT n, gen_random_uuid() AS id FROM generate_series(1, $3::int) n) numbered RETURNING storage_key`,
      [user.id, accountId, count],
    );
    const paths = rows.map(({ storage_key: key }) => join(app.archiveDir, key));
    for (const directory of new Set(paths.map((path) => dirname(path))))
      await mkdir(directory, { recursive: true });
    for (const path of paths) await writeFile(path, 'mail');
  }
});
