import { StoredMails } from '../../../../src/archive/mails/stored-mails';
import { ArchiveStores } from '../../../../src/archive/files/archive-store.port';
import { RetentionRunsService } from '../../../../src/archive/retention/retention-runs.service';
import { UsersService } from '../../../../src/identity/users/users.service';
import { startTestApp, TestApp } from '../../../support/app';
import { StoreDouble } from '../../../support/archive/store-double';
import { AgedMails } from '../../../support/retention/aged-mails';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';
import { nightly } from '../../../support/nightly';

const PATH = '/api/retention';

describe('Runs of retention policies', () => {
  let app: TestApp;
  let user: TestUser;
  let stores: StoreDouble;
  let nights = 0;

  beforeAll(async () => {
    app = await startTestApp({ own: true, sandbox: { messages: 1 } });
    stores = StoreDouble.over(app.app.get(ArchiveStores));
  });

  beforeEach(async () => {
    user = await app.user();
  });

  afterEach(() => {
    stores.behave({});
    app.sandbox.clearFaults();
  });

  afterAll(() => app.close());

  const create = async (fields: object, who = user): Promise<any> => {
    const { status, body } = await who.api.post(PATH, { name: 'Policy', maxAgeDays: 30, ...fields });
    expect(status).toBe(201);
    return body;
  };
  const run = async (who = user): Promise<any> => {
    const { status, body } = await who.api.post(`${PATH}/run`);
    expect(status).toBe(200);
    return body;
  };
  const policies = async (who = user): Promise<any[]> => (await who.api.get(PATH)).body;
  const policyOf = async (id: string, who = user): Promise<any> =>
    (await policies(who)).find((policy) => policy.id === id);
  /** Starts a new night and returns the job of a user; undefined: none was started. */
  const night = async (who = user): Promise<any> => {
    nights += 1;
    await app.app.get(RetentionRunsService).startNight(`2001-01-${String(nights).padStart(2, '0')}`);
    return nightJob(who);
  };
  const nightJob = async (who = user): Promise<any> => {
    const { body } = await who.api.get('/api/jobs');
    return body.find((job: any) => job.type === 'run_retention');
  };

  describe('of more than one batch of mails', () => {
    const COUNT = 2_400;

    /** Rows without files: what is tested is when which rows go. They go in the order of their ids. */
    async function many(mails: AgedMails, count = COUNT): Promise<void> {
      await app.dataSource.query(
        `INSERT INTO archived_mails (id, user_id, account_id, mailbox_message_id, thread_id, subject, sender, recipient,
           date, received_at, date_source, size_bytes, has_attachments, label_ids, snippet, storage, storage_key, sha256)
         SELECT id, $1::uuid, $2::uuid, 'm' || n, 't' || n % 700, 'Subject', 'a@b.example', '', now() - make_interval(days => 100, secs => n / 3),
           now() - make_interval(days => 100, secs => n / 3), 'header',
           1000, false, CASE WHEN n % 2 = 0 THEN '{INBOX}'::text[] ELSE '{SENT}' END, '', 'local',
           concat($1::uuid, '/', $2::uuid, '/2020/01/', id, '.eml'), repeat('0', 64)
         FROM (SELECT n, (left($2::uuid::text, 24) || lpad(to_hex(n), 12, '0'))::uuid AS id FROM generate_series(1, $3::int) n) numbered`,
        [user.id, mails.accountId, count],
      );
    }

    nightly(
      'should apply a policy that is changed, switched off or deleted meanwhile, from the next batch on',
      async () => {
        const mails = await AgedMails.connect(app, user, 'changed');
        const during = async (
          change: (id: string) => Promise<unknown>,
          fields: object = {},
        ): Promise<any> => {
          await app.dataSource.query('DELETE FROM archived_mails WHERE account_id = $1', [mails.accountId]);
          await many(mails);
          const policy = await create({ mailboxAccountId: mails.accountId, ...fields });
          const gate = stores.gate('delete');
          const running = run();
          await gate.reached;
          await change(policy.id);
          stores.behave({});
          gate.open();
          const outcome = await running;
          const left = await app.dataSource.query(
            'SELECT count(*)::int AS count, count(*) FILTER (WHERE label_ids = $2)::int AS sent FROM archived_mails WHERE account_id = $1',
            [mails.accountId, ['SENT']],
          );
          await user.api.delete(`${PATH}/${policy.id}`);
          return { totalDeleted: outcome.totalDeleted, ...left[0] };
        };
        const put = (body: object) => (id: string) => user.api.put(`${PATH}/${id}`, body);

        expect(await during(put({ isActive: false }))).toEqual({
          totalDeleted: 1000,
          count: 1400,
          sent: 700,
        });
        expect(await during((id) => user.api.delete(`${PATH}/${id}`))).toMatchObject({ totalDeleted: 1000 });
        expect(await during(put({ maxAgeDays: 200 }))).toMatchObject({ totalDeleted: 1000, count: 1400 });
        // A mere name changes nothing of what is meant.
        expect(await during(put({ name: 'Other' }))).toMatchObject({ totalDeleted: COUNT, count: 0 });
        const relabelled = await during(put({ label: 'SENT' }), { label: 'INBOX' });
        expect(relabelled).toEqual({ totalDeleted: 500 + 1200, count: 700, sent: 0 });
      },
    );

    it('should stop after the current batch when the client disconnects', async () => {
      const mails = await AgedMails.connect(app, user, 'away');
      await many(mails);
      const policy = await create({});
      const gate = stores.gate('delete');
      const client = new AbortController();
      const running = user.api.post(`${PATH}/run`, undefined, { signal: client.signal });
      await gate.reached;
      client.abort();
      await expect(running).rejects.toThrow();
      stores.behave({});
      gate.open();
      await waitFor('the batch to be through', async () => {
        const rows = await app.dataSource.query('SELECT 1 FROM file_deletions WHERE account_id = $1', [
          mails.accountId,
        ]);
        return rows.length === 0;
      });
      expect((await policyOf(policy.id)).deleted_count).toBe(1_000);
      expect(await mails.left()).toHaveLength(1_400);
      expect(await run()).toMatchObject({ totalDeleted: 1_400 });
      expect((await policyOf(policy.id)).deleted_count).toBe(COUNT);
    });

    it('should stop after the current batch when the user is deactivated', async () => {
      const mails = await AgedMails.connect(app, user, 'deactivated');
      await many(mails);
      await create({});
      const gate = stores.gate('delete');
      const running = user.api.post(`${PATH}/run`);
      await gate.reached;
      await app.app.get(UsersService).update(user.id, { isActive: false });
      stores.behave({});
      gate.open();
      const { status, body } = await running;
      expect([status, body.code]).toEqual([401, 'user-inactive']);
      expect(await mails.left()).toHaveLength(1_400);
      const [entry] = await app.dataSource.query(
        `SELECT details FROM audit_entries WHERE user_id = $1 AND action = 'retention.run-failed'`,
        [user.id],
      );
      expect(entry.details).toEqual({ policiesRun: 0, totalDeleted: 1_000 });
    });

    it('should run at night, with progress and the counts of each policy', async () => {
      const mails = await AgedMails.connect(app, user, 'night');
      await many(mails);
      const first = await create({ name: 'Sent', label: 'SENT' });
      const second = await create({ name: 'All' });
      const idle = await create({ name: 'Idle', maxAgeDays: 5_000 });
      await create({ name: 'Off', isActive: false });
      const { queue_id } = await night();
      const job = await user.jobEnd(queue_id);
      expect(job).toMatchObject({
        status: 'completed',
        total: COUNT,
        processed: COUNT,
        progress: 100,
        result: {
          policiesRun: 3,
          totalDeleted: COUNT,
          perPolicy: [
            { policyId: first.id, name: 'Sent', deleted: 1_200 },
            { policyId: second.id, name: 'All', deleted: 1_200 },
            { policyId: idle.id, name: 'Idle', deleted: 0 },
          ],
          warnings: [],
        },
      });
      expect((await policyOf(first.id)).deleted_count).toBe(1_200);
      expect((await policyOf(idle.id)).last_run_at).not.toBeNull();
      await mails.expectSound();
      // No user started it, so its success causes no notification.
      const { body } = await user.api.get('/api/notifications');
      expect(JSON.stringify(body)).not.toContain(queue_id);
    });

    it('should end between batches when the job is cancelled', async () => {
      const mails = await AgedMails.connect(app, user, 'cancelled');
      await many(mails);
      const policy = await create({});
      const gate = stores.gate('delete');
      const { queue_id } = await night();
      await gate.reached;
      expect((await user.api.delete(`/api/jobs/${queue_id}`)).status).toBe(204);
      stores.behave({});
      gate.open();
      expect(await user.jobEnd(queue_id)).toMatchObject({ status: 'cancelled', processed: 1_000 });
      expect((await policyOf(policy.id)).deleted_count).toBe(1_000);
      expect(await mails.left()).toHaveLength(1_400);
    });

    it('should fail with a message, notify the user, and leave the rest to the next run', async () => {
      const mails = await AgedMails.connect(app, user, 'failing');
      await mails.add({ ageDays: 100 });
      await create({});
      const repository = app.app.get(StoredMails, { strict: false });
      const broken = jest.spyOn(repository, 'findNext').mockRejectedValue(new Error('broken'));
      const { queue_id } = await night();
      const job = await user.jobEnd(queue_id);
      broken.mockRestore();
      expect(job).toMatchObject({ status: 'failed', error: expect.stringContaining('unexpected error') });
      const { body } = await user.api.get('/api/notifications');
      expect(JSON.stringify(body)).toContain('Retention run');
      expect(await mails.left()).toHaveLength(1);
      expect(await run()).toMatchObject({ totalDeleted: 1 });
    });
  });
});
