import { ArchiveMails } from '../../../../src/archive/mails/archiving/archive-mails.job';
import { CheckIntegrity } from '../../../../src/keep/integrity/check-integrity.job';
import { newId } from '../../../../src/platform/crypto/ids';
import { Transactions } from '../../../../src/platform/database/transactions';
import { JobsService } from '../../../../src/platform/jobs/jobs.service';
import { JobOwnerInactive } from '../../../../src/platform/jobs/jobs.errors';
import { IntegrityChecksService } from '../../../../src/keep/integrity/integrity-checks.service';
import { AccountMaintenance } from '../../../../src/mailbox/accounts/account-maintenance';
import { AccountPurgesService } from '../../../../src/operations/account-deletion/account-purges.service';
import { IndexJobs } from '../../../../src/mailbox/index/index-jobs';
import { ProviderCredentials } from '../../../../src/providers/port/provider-credentials.port';
import { ScanPii } from '../../../../src/privacy/pii/scan-pii.job';
import { RetentionRunsService } from '../../../../src/archive/retention/retention-runs.service';
import { RuleRunsService } from '../../../../src/cleanup/rules/rule-runs.service';
import { UsersService } from '../../../../src/identity/users/users.service';
import { ApiClient } from '../../../support/api-client';
import { Served, startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import { EventStream } from '../../../support/event-stream';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

describe('Deactivation', () => {
  let app: TestApp;
  let other: Served;
  let admin: TestUser;
  let user: TestUser;
  let box: ArchiveFixture;
  let boxes = 0;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    other = await app.another({ ROLE: 'api' });
    admin = await app.user('admin');
  });

  beforeEach(async () => {
    user = await app.user();
    boxes += 1;
    box = await ArchiveFixture.connect(app, user, `deactivated${boxes}-0@sandbox.mailroom.test`);
  });

  afterEach(() => app.sandbox.clearFaults());

  afterAll(async () => {
    await other?.app.close();
    await app?.close();
  });

  /** Through the process that runs no jobs. */
  const setActive = async (is_active: boolean): Promise<void> => {
    const { status, bytes } = await new ApiClient(other.url, admin.api.token).patch(
      `/api/admin/users/${user.id}`,
      { is_active },
    );
    expect([status, bytes.toString()]).toEqual([200, expect.stringContaining(`"is_active":${is_active}`)]);
  };

  const jobs = (type?: string): Promise<any[]> =>
    app.dataSource.query(
      'SELECT * FROM jobs WHERE user_id = $1 AND ($2::text IS NULL OR type = $2) ORDER BY number',
      [user.id, type ?? null],
    );

  const login = (): Promise<{ status: number; body: any }> =>
    app.anonymous.post('/api/auth/login', { email: user.email, password: user.password });

  /** Until a statement with this text waits for a lock. */
  const statementToWait = (text: string): Promise<boolean> =>
    waitFor(`${text} to wait`, async () => {
      const [{ waiting }] = await app.dataSource.query(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND strpos(query, $1) > 0`,
        [text],
      );
      return waiting > 0;
    });

  it('should stop running and waiting jobs, sessions and streams in every process', async () => {
    const ids = Array.from({ length: 300 }, (_, n) =>
      box.mailbox.insert(eml(`Subject: ${n}`, '', 'text'), { labelIds: ['INBOX'] }),
    );
    app.sandbox.fault({
      endpoint: 'messages.get',
      times: 'always',
      answer: { kind: 'slow', delayMs: 120 },
    });
    const running = (await user.api.post(`${box.path}/archive`, { messageIds: ids })).body.jobId as string;
    const waiting = (await user.api.post(`${box.path}/archive`, { messageIds: ids })).body.jobId as string;
    const stream = await EventStream.open(user.api, '/api/jobs/events');
    const streamThere = await EventStream.open(new ApiClient(other.url, user.api.token), '/api/jobs/events');
    const there = new ApiClient(other.url, user.api.token);
    expect((await there.get('/api/auth/me')).status).toBe(200);
    await waitFor('the first batch', async () => (await box.rows()).size > 0);

    await setActive(false);

    expect((await there.get('/api/auth/me')).status).toBe(401);
    const [, waited] = await jobs('archive_mails');
    expect(waited).toMatchObject({
      status: 'cancelled',
      processed: 0,
      error_code: 'user-deactivated',
      result: { failures: [] },
      sealed_secrets: null,
    });
    expect(waited.completed_at).not.toBeNull();
    await waitFor(
      'this process to know',
      async () => (await user.api.get('/api/auth/me')).status === 401,
      1_500,
    );
    await waitFor('the streams to end', () => stream.ended && streamThere.ended, 1_500);
    const [ran] = await waitFor('the running job to stop', async () => {
      const rows = await jobs('archive_mails');
      return rows[0].completed_at === null ? undefined : rows;
    });
    const done = (await box.rows()).size;
    expect(done).toBeLessThan(300);
    expect(ran).toMatchObject({
      status: 'cancelled',
      processed: done,
      error: 'The job was stopped because the user was deactivated.',
      error_code: 'user-deactivated',
      result: { archived: done, failed: 0, failures: [] },
    });
    expect((await login()).status).toBe(401);
    const [entry] = await app.dataSource.query(
      `SELECT actor_id, details FROM audit_entries WHERE action = 'user.changed' AND user_id = $1`,
      [user.id],
    );
    expect(entry).toEqual({
      actor_id: admin.id,
      details: { changed: ['is_active'], is_active: false, cancelled_jobs: 2 },
    });

    app.sandbox.clearFaults();
    await setActive(true);
    expect((await user.api.get('/api/auth/me')).status).toBe(401);
    const { status, body } = await login();
    expect(status).toBe(200);
    const back = new ApiClient(app.url, body.access_token as string);
    const shown = (await back.get(`/api/jobs/${running}`)).body;
    expect([shown.status, shown.error_code]).toEqual(['cancelled', 'user-deactivated']);
    expect((await back.get(`/api/jobs/${waiting}`)).body.status).toBe('cancelled');
    const again = await back.post(`${box.path}/archive`, { messageIds: ids.slice(0, 20) });
    expect(again.status).toBe(202);
    await waitFor('archiving to go on', async () => (await jobs('archive_mails'))[2].status === 'completed');
  });

  describe('while a job is being started', () => {
    const start = (): Promise<unknown> =>
      app.app.get(JobsService).start(ScanPii, { userId: user.id, accountId: box.accountId }, {});

    it('should wait for the start and cancel the job', async () => {
      let deactivating: Promise<unknown> = Promise.resolve();
      const messageIds = [box.mailbox.insert(eml('Subject: slow', '', 'text'), { labelIds: ['INBOX'] })];
      app.sandbox.fault({
        endpoint: 'messages.get',
        times: 'always',
        answer: { kind: 'slow', delayMs: 3_000 },
      });
      await app.app.get(Transactions).run(async (transaction) => {
        const owner = { userId: user.id, accountId: box.accountId };
        const payload = { messageIds, differential: true };
        await app.app.get(JobsService).start(ArchiveMails, owner, payload, { transaction });
        deactivating = setActive(false);
        // PostgreSQL shows the beginning of a statement only.
        await statementToWait('SELECT "UserEntity"');
      });
      await deactivating;
      const [job] = await waitFor('the job to be over', async () => {
        const rows = await jobs('archive_mails');
        return rows[0].completed_at === null ? undefined : rows;
      });
      expect(job).toMatchObject({ status: 'cancelled', error_code: 'user-deactivated', processed: 0 });
    });

    it('should refuse a late start, without a trace', async () => {
      let starting: Promise<unknown> = Promise.resolve();
      let settled = false;
      await app.app.get(Transactions).run(async (transaction) => {
        await app.app.get(UsersService).update(user.id, { isActive: false }, transaction);
        starting = start().finally(() => (settled = true));
        starting.catch(() => undefined);
        await statementToWait('INSERT INTO jobs');
        expect(settled).toBe(false);
      });
      await expect(starting).rejects.toBeInstanceOf(JobOwnerInactive);
      expect(await jobs('scan_pii')).toEqual([]);
    });

    it('should allow the start when the deactivation is rolled back', async () => {
      let starting: Promise<unknown> = Promise.resolve();
      const undone = app.app.get(Transactions).run(async (transaction) => {
        await app.app.get(UsersService).update(user.id, { isActive: false }, transaction);
        starting = start();
        await statementToWait('INSERT INTO jobs');
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      await expect(starting).resolves.toMatchObject({ jobId: expect.stringMatching(/^scan_pii-/) });
      expect((await user.api.get('/api/auth/me')).status).toBe(200);
    });
  });

  it('should pause every schedule for the user, and resume all of them on reactivation', async () => {
    const rule = await user.api.post(`/api/rules/${box.accountId}`, {
      name: 'hourly',
      conditions: [{ field: 'older_than', operator: 'equals', value: '1y' }],
      action: { type: 'mark_read' },
      schedule: 'hourly',
    });
    const policy = await user.api.post('/api/retention', { name: 'old', maxAgeDays: 1 });
    expect([rule.status, policy.status]).toEqual([201, 201]);
    const account = {
      id: box.accountId,
      userId: user.id,
      email: `deactivated${boxes}-0@sandbox.mailroom.test`,
      provider: 'gmail',
    };
    const performed = async (): Promise<boolean> => {
      const seen: string[] = [];
      await app.dataSource.query(`UPDATE account_chores SET due_at = now() WHERE chore = 'spec'`);
      await app.app.get(AccountMaintenance).performDue({
        name: 'spec',
        everySeconds: 3_600,
        perform: async ({ id }) => void seen.push(id),
      });
      return seen.includes(box.accountId);
    };
    const everyCron = async (night: string): Promise<void> => {
      await app.app.get(RuleRunsService).startDue();
      await app.app.get(RetentionRunsService).startNight(night);
    };
    await setActive(false);

    await everyCron('2031-01-01');
    expect(await performed()).toBe(false);
    await app.app.get(IndexJobs).start(account);
    await expect(app.app.get(ProviderCredentials).load(box.accountId)).rejects.toMatchObject({
      code: 'mailbox-disconnected',
    });
    expect(await jobs()).toEqual([]);

    await setActive(true);
    await everyCron('2031-01-02');
    expect(await performed()).toBe(true);
    await app.app.get(IndexJobs).start(account);
    const types = (await jobs()).map(({ type }) => type as string);
    expect(types.sort()).toEqual(['index_mailbox', 'run_retention', 'run_rule']);
    await expect(app.app.get(ProviderCredentials).load(box.accountId)).resolves.toMatchObject({});
  });

  it('should not stop promised deletions and integrity checks', async () => {
    await box.insertAndArchive(eml('Subject: kept', '', 'text'));
    const owed = newId();
    // Of no lane: nobody takes it, and it waits as it is.
    await app.dataSource.query(
      `INSERT INTO jobs (id, type, lane, user_id, payload, survives_deactivation)
       VALUES ($1, 'purge_account', 'nowhere', $2, '{}', true)`,
      [owed, user.id],
    );
    await setActive(false);
    expect((await jobs()).find(({ id }) => id === owed).status).toBe('pending');
    await app.dataSource.query('DELETE FROM jobs WHERE id = $1', [owed]);

    await app.app.get(IntegrityChecksService).startNight(new Date());
    await waitFor(
      'the nightly check',
      async () => (await jobs(CheckIntegrity.kind))[0]?.status === 'completed',
    );

    await app.dataSource.query(`UPDATE mailbox_accounts SET status = 'purging' WHERE id = $1`, [
      box.accountId,
    ]);
    await app.app.get(AccountPurgesService).resume(`spec ${user.id}`);
    await waitFor('the purge', async () => (await jobs('purge_account'))[0]?.status === 'completed');
    expect(await box.files()).toEqual([]);
  });

  it('should be repeatable, and stop what was missed the first time', async () => {
    await setActive(false);
    await app.dataSource.query(
      `INSERT INTO jobs (id, type, lane, user_id, payload, sealed_secrets)
       VALUES ($1, 'import_imap', 'nowhere', $2, '{}', 'sealed')`,
      [newId(), user.id],
    );
    await setActive(false);
    expect(await jobs()).toMatchObject([
      { status: 'cancelled', error_code: 'user-deactivated', sealed_secrets: null },
    ]);
  });
});
