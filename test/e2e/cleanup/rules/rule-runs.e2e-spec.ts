import { RunRule } from '../../../../src/cleanup/rules/run-rule.job';
import { JobsService } from '../../../../src/platform/jobs/jobs.service';
import { newId } from '../../../../src/platform/crypto/ids';
import type { RuleAction, RuleCondition, RuleSchedule } from '../../../../src/cleanup/rules/rule';
import { RuleRunsService } from '../../../../src/cleanup/rules/rule-runs.service';
import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { startTestApp, TestApp } from '../../../support/app';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';
import { nightly } from '../../../support/nightly';

interface Connected {
  readonly id: string;
  readonly mailbox: SandboxMailbox;
}

interface NewRule {
  readonly conditions: readonly RuleCondition[];
  readonly action: RuleAction;
  readonly schedule?: RuleSchedule;
  readonly isActive?: boolean;
}

const on = (field: string, operator: string, value: unknown): RuleCondition =>
  ({ field, operator, value }) as RuleCondition;

const PROMOTIONS = on('label', 'equals', 'CATEGORY_PROMOTIONS');

describe('Runs of rules', () => {
  let sut: TestApp;
  let user: TestUser;
  let mailboxes = 0;

  beforeAll(async () => {
    sut = await startTestApp({ own: true, sandbox: { messages: 1 }, env: { MAX_OPEN_JOBS: '300' } });
    user = await sut.user();
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 100');
  });

  afterAll(() => sut?.close());

  beforeEach(() => sut.sandbox.clearFaults());

  async function connect(messages: number, owner = user): Promise<Connected> {
    const email = `rules${(mailboxes += 1)}-${messages}@sandbox.mailroom.test`;
    const id = await owner.connect(email);
    return { id, mailbox: sut.sandbox.mailbox(email) };
  }

  async function addRule(accountId: string, rule: NewRule, owner = user): Promise<string> {
    const id = newId();
    await sut.dataSource.query(
      `INSERT INTO rules (id, user_id, mailbox_account_id, name, conditions, action, schedule, is_active)
       VALUES ($1, $2, $3, 'A rule', $4, $5, $6, $7)`,
      [
        id,
        owner.id,
        accountId,
        JSON.stringify(rule.conditions),
        JSON.stringify(rule.action),
        rule.schedule ?? null,
        rule.isActive ?? true,
      ],
    );
    return id;
  }

  async function start(accountId: string, ruleId: string): Promise<string> {
    const { status, body } = await user.api.post(`/api/rules/${accountId}/${ruleId}/run`);
    expect({ status, body }).toMatchObject({ status: 202, body: { message: 'Rule run started' } });
    return body.jobId as string;
  }

  async function run(accountId: string, rule: NewRule): Promise<any> {
    const ruleId = await addRule(accountId, rule);
    sut.sandbox.stats.reset();
    return user.jobEnd(await start(accountId, ruleId));
  }

  const row = async (ruleId: string): Promise<any> =>
    (await sut.dataSource.query('SELECT * FROM rules WHERE id = $1', [ruleId]))[0];

  const storedMatches = async (): Promise<number> =>
    (await sut.dataSource.query('SELECT count(*)::int AS count FROM rule_matches'))[0].count;

  const visible = (mailbox: SandboxMailbox): string[] =>
    mailbox.ids().filter((id) => !mailbox.labels(id).some((label) => ['SPAM', 'TRASH'].includes(label)));

  const having = (mailbox: SandboxMailbox, label: string): string[] =>
    visible(mailbox).filter((id) => mailbox.labels(id).includes(label));

  describe('requesting a run', () => {
    let account: Connected;

    beforeAll(async () => {
      account = await connect(5);
    });

    const harmless: NewRule = { conditions: [PROMOTIONS], action: { type: 'mark_read' } };

    it('should return the job of the first request for a repeated one', async () => {
      const ruleId = await addRule(account.id, harmless);
      const headers = { 'Idempotency-Key': 'run-once' };
      const path = `/api/rules/${account.id}/${ruleId}/run`;
      const first = await user.api.post(path, undefined, { headers });
      const second = await user.api.post(path, undefined, { headers });
      expect(second.body.jobId).toBe(first.body.jobId);
      await user.jobEnd(first.body.jobId as string);
    });

    it('should start nothing when a request is repeated, even once the rule is deleted', async () => {
      const ruleId = await addRule(account.id, harmless);
      const headers = { 'Idempotency-Key': 'run-once-and-delete' };
      const path = `/api/rules/${account.id}/${ruleId}/run`;
      const first = await user.api.post(path, undefined, { headers });
      await user.jobEnd(first.body.jobId as string);
      const started = (await row(ruleId)).last_run_at;
      const second = await user.api.post(path, undefined, { headers });
      expect(second).toMatchObject({ status: 202, body: first.body });
      expect((await row(ruleId)).last_run_at).toEqual(started);
      await user.api.delete(`/api/rules/${account.id}/${ruleId}`);
      const third = await user.api.post(path, undefined, { headers });
      expect(third).toMatchObject({ status: 202, body: first.body });
      expect((await user.api.post(path)).status).toBe(404);
    });

    it('should answer 400, 401, 403 and 404 as every route does', async () => {
      const ruleId = await addRule(account.id, harmless);
      const other = await sut.user();
      const foreign = await connect(1, other);
      const foreignRule = await addRule(foreign.id, harmless, other);
      const elsewhere = await addRule((await connect(1)).id, harmless);
      const answers = await Promise.all([
        user.api.post(`/api/rules/${account.id}/none/run`),
        sut.anonymous.post(`/api/rules/${account.id}/${ruleId}/run`),
        other.api.post(`/api/rules/${account.id}/${ruleId}/run`),
        user.api.post(`/api/rules/${account.id}/${foreignRule}/run`),
        user.api.post(`/api/rules/${account.id}/${elsewhere}/run`),
        user.api.post(`/api/rules/${account.id}/${newId()}/run`),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([400, 401, 403, 404, 404, 404]);
      expect((await row(ruleId)).last_run_at).toBeNull();
    });

    it('should answer 409 when the mailbox is switched off', async () => {
      const { id } = await connect(1);
      const ruleId = await addRule(id, harmless);
      await user.api.patch(`/api/auth/mailbox/${id}/toggle`);
      const { status, body } = await user.api.post(`/api/rules/${id}/${ruleId}/run`);
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'mailbox-disconnected' });
      expect((await row(ruleId)).last_run_at).toBeNull();
    });

    it('should stop between two batches when cancelled, with its counts so far', async () => {
      const { id, mailbox } = await connect(5_000);
      const ids = visible(mailbox);
      mailbox.changeLabels(ids, { add: ['UNREAD'] });
      sut.sandbox.fault({
        endpoint: 'messages.batchModify',
        email: mailbox.email,
        times: 'always',
        answer: { kind: 'slow', delayMs: 300 },
      });
      const ruleId = await addRule(id, {
        conditions: [on('newer_than', 'equals', '90y')],
        action: { type: 'mark_read' },
      });
      const jobId = await start(id, ruleId);
      await waitFor('a batch', () => having(mailbox, 'UNREAD').length < ids.length);
      expect((await user.api.delete(`/api/jobs/${jobId}`)).status).toBe(204);
      const job = await user.jobEnd(jobId);
      const read = ids.length - having(mailbox, 'UNREAD').length;
      expect(job).toMatchObject({ status: 'cancelled', total: ids.length, processed: read, failed: 0 });
      expect(read % 1_000).toBe(0);
      expect(read).toBeLessThan(ids.length);
      await sut.app.get(RuleRunsService).deleteAbandonedMatches();
      expect(await storedMatches()).toBe(0);
      expect((await row(ruleId)).last_run_count).toBeNull();
    });
  });

  describe('runs that do not finish', () => {
    it('should fail with the account’s code when the grant is revoked, keeping finished changes', async () => {
      const { id, mailbox } = await connect(2_500);
      const ids = visible(mailbox);
      mailbox.changeLabels(ids, { add: ['UNREAD'] });
      sut.sandbox.fault({ endpoint: 'oauth.token', answer: { kind: 'invalidGrant' }, times: 'always' });
      sut.sandbox.fault({
        endpoint: 'messages.batchModify',
        email: mailbox.email,
        skip: 1,
        times: 'always',
        answer: { kind: 'unauthorized' },
      });
      const job = await run(id, {
        conditions: [on('newer_than', 'equals', '90y')],
        action: { type: 'mark_read' },
      });
      expect(job).toMatchObject({
        status: 'failed',
        error_code: 'mailbox-reauth-required',
        error: expect.stringContaining('connected again'),
        processed: 1_000,
      });
      expect(having(mailbox, 'UNREAD')).toHaveLength(ids.length - 1_000);
      await sut.app.get(RuleRunsService).deleteAbandonedMatches();
      expect(await storedMatches()).toBe(0);
    });

    nightly('should omit nothing when its failure is lost with the process', async () => {
      const { id, mailbox } = await connect(2_500);
      const ids = visible(mailbox);
      mailbox.changeLabels(ids, { add: ['UNREAD'] });
      sut.sandbox.fault({
        endpoint: 'history.list',
        email: mailbox.email,
        skip: 1,
        answer: { kind: 'error', status: 403, reason: 'forbidden', message: 'Not now' },
      });
      // As if the process were killed between the end of the work and its record: the end of the first attempt is never
      // written, however often it tries.
      await sut.dataSource.query('CREATE SEQUENCE run_ends');
      await sut.dataSource.query(
        `CREATE FUNCTION lose_end() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
           PERFORM nextval('run_ends');
           RAISE EXCEPTION 'lost' USING ERRCODE = '57P01';
         END $$`,
      );
      await sut.dataSource.query(
        `CREATE TRIGGER lose_end BEFORE UPDATE ON jobs FOR EACH ROW
         WHEN (NEW.status IN ('failed', 'completed')) EXECUTE FUNCTION lose_end()`,
      );
      try {
        const ruleId = await addRule(id, {
          conditions: [on('newer_than', 'equals', '90y')],
          action: { type: 'mark_read' },
        });
        const jobId = await start(id, ruleId);
        await waitFor('the loss', async () => {
          const [{ is_called: isLost }] = await sut.dataSource.query('SELECT is_called FROM run_ends');
          return isLost;
        });
        expect(having(mailbox, 'UNREAD')).toHaveLength(ids.length - 1_000);
        const { body } = await user.api.get(`/api/jobs/${jobId}`);
        await waitFor('the job to be taken over', async () => {
          await sut.dataSource.query(
            'UPDATE jobs SET lease_until = now() WHERE id = $1 AND lost_attempts = 0',
            [body.id],
          );
          const [{ lost }] = await sut.dataSource.query(
            'SELECT lost_attempts AS lost FROM jobs WHERE id = $1',
            [body.id],
          );
          return lost > 0;
        });
        await sut.dataSource.query('DROP TRIGGER lose_end ON jobs');
        const job = await user.jobEnd(jobId, 60_000);
        expect(job).toMatchObject({ status: 'completed', total: ids.length, processed: ids.length });
        expect(job.result).toMatchObject({ matched: ids.length, changed: ids.length, failed: 0 });
        expect(having(mailbox, 'UNREAD')).toEqual([]);
      } finally {
        await sut.dataSource.query('DROP FUNCTION lose_end() CASCADE');
        await sut.dataSource.query('DROP SEQUENCE run_ends');
      }
    });

    it('should fail with a clear error when the rule or a label it names is deleted', async () => {
      const { id } = await connect(5);
      const { jobId } = await sut.app
        .get(JobsService)
        .start(RunRule, { userId: user.id, accountId: id }, { ruleId: newId(), trigger: 'manual' });
      expect(await user.jobEnd(jobId)).toMatchObject({ status: 'failed', error_code: 'rule-gone' });
      const gone = { status: 'failed', error_code: 'rule-label-gone' };
      const named: NewRule = { conditions: [on('label', 'not_equals', 'Gone')], action: { type: 'archive' } };
      expect(await run(id, named)).toMatchObject(gone);
      const labels: NewRule = { conditions: [PROMOTIONS], action: { type: 'label', labelId: 'Label_99' } };
      expect(await run(id, labels)).toMatchObject(gone);
    });
  });

  describe('schedules', () => {
    const HOUR = 3_600;
    let account: Connected;
    let second: TestApp['app'];

    beforeAll(async () => {
      account = await connect(10);
      ({ app: second } = await sut.another());
    });

    afterAll(() => second?.close());

    const scheduled = async (
      schedule: RuleSchedule,
      ageSeconds: number | null,
      more: Partial<NewRule> = {},
    ): Promise<string> => {
      const ruleId = await addRule(account.id, {
        conditions: [PROMOTIONS],
        action: { type: 'mark_read' },
        isActive: false,
        schedule,
        ...more,
      });
      await sut.dataSource.query(
        `UPDATE rules SET last_run_at = now() - make_interval(secs => $2), is_active = $3 WHERE id = $1`,
        [ruleId, ageSeconds, more.isActive ?? true],
      );
      return ruleId;
    };

    const startDueEverywhere = (): Promise<unknown> =>
      Promise.all([sut.app, second, sut.app, second].map((app) => app.get(RuleRunsService).startDue()));

    const jobsOf = (ruleId: string): Promise<any[]> =>
      sut.dataSource.query(
        `SELECT status, error_code FROM jobs WHERE type = 'run_rule' AND payload ->> 'ruleId' = $1`,
        [ruleId],
      );

    const allEnded = (): Promise<boolean> =>
      waitFor('runs to end', async () => {
        const [{ open }] = await sut.dataSource.query(
          `SELECT count(*)::int AS open FROM jobs WHERE type = 'run_rule' AND completed_at IS NULL`,
        );
        return open === 0;
      });

    it('should run each due rule once, with any number of processes', async () => {
      const due = await Promise.all([
        scheduled('hourly', null),
        scheduled('hourly', HOUR + 5),
        scheduled('daily', 24 * HOUR + 5),
        scheduled('weekly', 7 * 24 * HOUR + 5),
        scheduled('monthly', 30 * 24 * HOUR + 5),
      ]);
      const early = await Promise.all([
        scheduled('hourly', HOUR - 300),
        scheduled('daily', 24 * HOUR - 300),
        scheduled('weekly', 7 * 24 * HOUR - 300),
        scheduled('monthly', 30 * 24 * HOUR - 300),
        scheduled('hourly', null, { isActive: false }),
      ]);
      await startDueEverywhere();
      await allEnded();
      await startDueEverywhere();
      for (const ruleId of due) {
        expect(await jobsOf(ruleId)).toEqual([{ status: 'completed', error_code: null }]);
        const { last_run_at, last_run_count } = await row(ruleId);
        expect(Date.now() - last_run_at.getTime()).toBeLessThan(60_000);
        expect(last_run_count).toBeGreaterThanOrEqual(0);
      }
      for (const ruleId of early) expect(await jobsOf(ruleId)).toEqual([]);
    });

    nightly('should run two hundred and fifty due rules once each', async () => {
      const { id } = await connect(1);
      await sut.dataSource.query(
        `INSERT INTO rules (id, user_id, mailbox_account_id, name, conditions, action, schedule)
         SELECT gen_random_uuid(), $1, $2, 'Many', $3, '{"type":"mark_read"}', 'hourly'
         FROM generate_series(1, 250)`,
        [user.id, id, JSON.stringify([PROMOTIONS])],
      );
      await startDueEverywhere();
      const [{ rules, jobs }] = await sut.dataSource.query(
        `SELECT count(DISTINCT payload ->> 'ruleId')::int AS rules, count(*)::int AS jobs FROM jobs
         WHERE type = 'run_rule' AND mailbox_account_id = $1`,
        [id],
      );
      expect({ rules, jobs }).toEqual({ rules: 250, jobs: 250 });
      await sut.dataSource.query(`DELETE FROM rules WHERE mailbox_account_id = $1`, [id]);
      await allEnded();
    });
  });
});
