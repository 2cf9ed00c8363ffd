import { newId } from '../../../../src/platform/crypto/ids';
import { JobsService } from '../../../../src/platform/jobs/jobs.service';
import { MessageBudget } from '../../../../src/archive/mails/archiving/message-budget';
import type { RuleAction, RuleCondition, RuleSchedule } from '../../../../src/cleanup/rules/rule';
import { RuleMatchesRepository } from '../../../../src/cleanup/rules/rule-matches.repository';
import { RuleRunsService } from '../../../../src/cleanup/rules/rule-runs.service';
import { RunRule } from '../../../../src/cleanup/rules/run-rule.job';
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

const eml = (headers: Record<string, string>): string =>
  [
    ...Object.entries({ To: 'me@home.test', 'Message-ID': `<${newId()}@test>`, ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    '',
    'Hello.',
  ].join('\r\n');

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

  /** Labels of every message but those named. */
  const labelsOfOthers = (mailbox: SandboxMailbox, ids: readonly string[]): Map<string, string[]> =>
    new Map(
      mailbox
        .ids()
        .filter((id) => !ids.includes(id))
        .map((id) => [id, mailbox.labels(id).sort()]),
    );

  describe('asking for one', () => {
    let account: Connected;

    beforeAll(async () => {
      account = await connect(5);
    });

    const harmless: NewRule = { conditions: [PROMOTIONS], action: { type: 'mark_read' } };

    it('should answer 202 with the job and note the start, for rules switched off as well', async () => {
      const ruleId = await addRule(account.id, { ...harmless, isActive: false });
      const { status, body } = await user.api.post(`/api/rules/${account.id}/${ruleId}/run`);
      expect(status).toBe(202);
      expect(body).toEqual({
        jobId: expect.stringMatching(/^run_rule-\d+$/),
        message: 'Rule run started',
      });
      expect(Date.now() - (await row(ruleId)).last_run_at.getTime()).toBeLessThan(10_000);
      const job = await user.jobEnd(body.jobId as string);
      expect(job).toMatchObject({ type: 'run_rule', status: 'completed', mailbox_account_id: account.id });
      expect((await row(ruleId)).last_run_count).toBe(job.processed);
    });

    it('should give a repeated request the job of the first', async () => {
      const ruleId = await addRule(account.id, harmless);
      const headers = { 'Idempotency-Key': 'run-once' };
      const path = `/api/rules/${account.id}/${ruleId}/run`;
      const first = await user.api.post(path, undefined, { headers });
      const second = await user.api.post(path, undefined, { headers });
      expect(second.body.jobId).toBe(first.body.jobId);
      await user.jobEnd(first.body.jobId as string);
    });

    it('should start nothing when a request is repeated, also once the rule is gone', async () => {
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
  });

  describe('the eight actions', () => {
    it.each<[RuleAction, (labels: string[]) => boolean]>([
      [{ type: 'mark_read' }, (labels) => !labels.includes('UNREAD')],
      [{ type: 'mark_unread' }, (labels) => labels.includes('UNREAD')],
      [{ type: 'label', labelId: 'Label_2' }, (labels) => labels.includes('Label_2')],
      [
        { type: 'unlabel', labelId: 'CATEGORY_PROMOTIONS' },
        (labels) => !labels.includes('CATEGORY_PROMOTIONS'),
      ],
      [{ type: 'archive' }, (labels) => !labels.includes('INBOX')],
      [{ type: 'trash' }, (labels) => labels.includes('TRASH') && !labels.includes('INBOX')],
    ])('should do %j to exactly the messages found', async (action, isDone) => {
      const { id, mailbox } = await connect(150);
      const ids = having(mailbox, 'CATEGORY_PROMOTIONS');
      const before = labelsOfOthers(mailbox, ids);
      const undone = ids.filter((each) => !isDone(mailbox.labels(each))).length;
      const job = await run(id, { conditions: [PROMOTIONS], action });
      expect(ids.length).toBeGreaterThan(10);
      expect(job).toMatchObject({
        status: 'completed',
        total: ids.length,
        processed: ids.length,
        failed: 0,
        result: {
          action: action.type,
          query: 'category:promotions',
          found: ids.length,
          matched: ids.length,
          skippedNotExact: 0,
          changed: undone,
          alreadyDone: ids.length - undone,
          failed: 0,
          remaining: action.type === 'trash' ? 0 : null,
        },
      });
      expect(ids.every((each) => isDone(mailbox.labels(each)))).toBe(true);
      expect(labelsOfOthers(mailbox, ids)).toEqual(before);
      expect(await storedMatches()).toBe(0);
    });

    it('should delete for good, and nothing else', async () => {
      const { id, mailbox } = await connect(150);
      const ids = having(mailbox, 'CATEGORY_PROMOTIONS');
      const others = labelsOfOthers(mailbox, ids);
      const job = await run(id, { conditions: [PROMOTIONS], action: { type: 'delete' } });
      expect(job).toMatchObject({ status: 'completed', processed: ids.length, failed: 0 });
      expect(job.result).toMatchObject({ found: ids.length, changed: ids.length, remaining: 0 });
      expect(labelsOfOthers(mailbox, [])).toEqual(others);
      expect(sut.sandbox.stats.calls['messages.batchDelete']).toBe(1);
    });

    it('should archive messages that are not archived yet as EML, leaving the mailbox as it is', async () => {
      const { id, mailbox } = await connect(150);
      const ids = having(mailbox, 'CATEGORY_PROMOTIONS');
      const before = labelsOfOthers(mailbox, []);
      const first = await user.api.post(`/api/archive/${id}/archive`, { messageIds: ids.slice(0, 3) });
      await user.jobEnd(first.body.jobId as string);
      const job = await run(id, { conditions: [PROMOTIONS], action: { type: 'archive_nas' } });
      expect(job).toMatchObject({ status: 'completed', total: ids.length, processed: ids.length, failed: 0 });
      expect(job.result).toMatchObject({
        action: 'archive_nas',
        matched: ids.length,
        changed: ids.length - 3,
        alreadyDone: 3,
        remaining: null,
      });
      expect(sut.sandbox.stats.calls['messages.get']).toBe(ids.length - 3);
      const { body } = await user.api.get(`/api/archive/${id}/mails?limit=100`);
      expect(body.total).toBe(ids.length);
      expect(labelsOfOthers(mailbox, [])).toEqual(before);
      expect(sut.app.get(MessageBudget).inUse).toBe(0);
    });
  });

  describe('exactness', () => {
    it('should leave near misses alone before deleting', async () => {
      const { id, mailbox } = await connect(30);
      const insert = (headers: Record<string, string>): string => mailbox.insert(eml(headers));
      const wanted = [
        insert({ From: 'News <news@shop.test>', Subject: 'Weekly offers' }),
        insert({ From: '"The News" <NEWS@SHOP.test>', Subject: 'weekly   OFFERS' }),
      ];
      insert({ From: 'News <bad.news@shop.test>', Subject: 'Weekly offers' });
      insert({ From: 'News <news@shop.test.evil.test>', Subject: 'Weekly offers' });
      insert({ From: '"news@shop.test" <other@evil.test>', Subject: 'Weekly offers' });
      insert({ From: 'News <news@shop.test>', Subject: 'Re: Weekly offers' });
      insert({ From: 'News <news@shop.test>', Subject: 'Weekly offers, invoices' });
      const others = labelsOfOthers(mailbox, wanted);
      const job = await run(id, {
        conditions: [
          on('from', 'equals', 'news@shop.test'),
          on('subject', 'equals', 'Weekly offers'),
          on('subject', 'not_contains', 'invoice'),
        ],
        action: { type: 'delete' },
      });
      expect(job).toMatchObject({ status: 'completed', total: 2, processed: 2, failed: 0, progress: 100 });
      expect(job.result).toMatchObject({
        found: 7,
        skippedNotExact: 5,
        matched: 2,
        changed: 2,
        remaining: 5,
      });
      expect(labelsOfOthers(mailbox, [])).toEqual(others);
    });

    it('should check "equals" and negatives before harmless actions too, on the message itself', async () => {
      const { id, mailbox } = await connect(30);
      const wanted = mailbox.insert(eml({ From: 'Desk <desk@shop.test>', Subject: 'One' }));
      const near = mailbox.insert(eml({ From: 'Help <help.desk@shop.test>', Subject: 'Two' }));
      const job = await run(id, {
        conditions: [on('from', 'equals', 'desk@shop.test')],
        action: { type: 'label', labelId: 'Label_1' },
      });
      expect(job.result).toMatchObject({ found: 2, matched: 1, skippedNotExact: 1, changed: 1 });
      expect(mailbox.labels(wanted)).toContain('Label_1');
      expect(mailbox.labels(near)).not.toContain('Label_1');
    });

    it('should not take a word for the account itself', async () => {
      const { id, mailbox } = await connect(30);
      const email = mailbox.email;
      mailbox.insert(eml({ From: `<${email}>`, Subject: 'By the account' }));
      const before = labelsOfOthers(mailbox, []);
      const job = await run(id, {
        conditions: [on('from', 'contains', 'me')],
        action: { type: 'label', labelId: 'STARRED' },
      });
      expect(job.result).toMatchObject({ matched: 0, changed: 0 });
      expect(job.result.found).toBeGreaterThan(0);
      expect(labelsOfOthers(mailbox, [])).toEqual(before);
    });

    it('should say how many starred and important messages were touched', async () => {
      const { id, mailbox } = await connect(100);
      const ids = having(mailbox, 'CATEGORY_PROMOTIONS');
      mailbox.changeLabels(ids.slice(0, 4), { add: ['STARRED'] });
      mailbox.changeLabels(ids.slice(2, 5), { add: ['IMPORTANT'] });
      const count = (label: string): number =>
        ids.filter((each) => mailbox.labels(each).includes(label)).length;
      const expected = { starredCount: count('STARRED'), importantCount: count('IMPORTANT') };
      expect(expected.starredCount).toBeGreaterThanOrEqual(4);
      const job = await run(id, { conditions: [PROMOTIONS], action: { type: 'trash' } });
      expect(job.result).toMatchObject({ changed: ids.length, ...expected });
    });

    it('should not touch spam and trash unless a condition names them, and then only the named one', async () => {
      const { id, mailbox } = await connect(200);
      const [trashed, junk] = [
        mailbox.insert(eml({ From: 'a@shop.test', Subject: 'Hidden offers' }), { labelIds: ['TRASH'] }),
        mailbox.insert(eml({ From: 'a@shop.test', Subject: 'Hidden offers' }), { labelIds: ['SPAM'] }),
      ];
      const shown = mailbox.insert(eml({ From: 'a@shop.test', Subject: 'Hidden offers' }));
      const subject = on('subject', 'contains', 'hidden offers');
      const plain = await run(id, { conditions: [subject], action: { type: 'delete' } });
      expect(plain.result).toMatchObject({ found: 1, changed: 1 });
      expect(mailbox.ids()).not.toContain(shown);
      expect(mailbox.ids()).toEqual(expect.arrayContaining([trashed, junk]));

      const asked = await run(id, {
        conditions: [subject, on('label', 'equals', 'TRASH')],
        action: { type: 'delete' },
      });
      expect(asked.result).toMatchObject({ found: 1, changed: 1, remaining: 0 });
      expect(mailbox.ids()).not.toContain(trashed);
      expect(mailbox.ids()).toContain(junk);
    });
  });

  describe('provider calls', () => {
    const calls = (): Record<string, number> => {
      const { batch: _wholes, ...parts } = sut.sandbox.stats.calls;
      return parts;
    };

    it('should read no message where the search suffices', async () => {
      const { id, mailbox } = await connect(2_600);
      const ids = visible(mailbox);
      mailbox.changeLabels(ids, { remove: ['STARRED'] });
      const conditions = [on('newer_than', 'equals', '90y')];
      const job = await run(id, { conditions, action: { type: 'label', labelId: 'STARRED' } });
      expect(job).toMatchObject({ status: 'completed', processed: ids.length });
      expect(job.result).toMatchObject({ changed: ids.length, starredCount: null, importantCount: null });
      const {
        'messages.list': lists,
        'messages.batchModify': changes,
        'history.list': pages,
        ...others
      } = calls();
      expect(lists).toBe(Math.ceil(ids.length / 500));
      expect(changes).toBe(Math.ceil(ids.length / 1_000));
      // Two pages per thousand changes, and where the history stands before each batch.
      expect(pages).toBeLessThanOrEqual(2 * changes! + changes!);
      expect(others).toEqual(others['getProfile'] ? { getProfile: 1 } : {});
    });

    it('should read each message once, ever, before deleting', async () => {
      const { id, mailbox } = await connect(300);
      const ids = having(mailbox, 'CATEGORY_PROMOTIONS');
      const conditions = [PROMOTIONS, on('size_gt', 'gt', 1)];
      const kept = await run(id, {
        conditions: [...conditions, on('subject', 'not_equals', 'nothing')],
        action: { type: 'mark_unread' },
      });
      expect(kept.result).toMatchObject({ matched: ids.length });
      expect(calls()['messages.get']).toBe(ids.length);
      await run(id, { conditions, action: { type: 'delete' } });
      expect(calls()['messages.get']).toBeUndefined();
      expect(calls()).toMatchObject({ 'messages.batchDelete': 1 });
      expect(sut.sandbox.stats.totalCalls).toBeLessThanOrEqual(8);
    });
  });

  describe('runs that do not come to their end', () => {
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

    nightly('should leave nothing out when its failure is lost with the process', async () => {
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

    it('should fail clearly when the rule or a label it names is gone', async () => {
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

    it('should report messages that went away between the search and the look at them', async () => {
      const { id, mailbox } = await connect(60);
      const ids = having(mailbox, 'CATEGORY_PROMOTIONS');
      sut.sandbox.fault({
        endpoint: 'messages.list',
        email: mailbox.email,
        answer: { kind: 'slow', delayMs: 500 },
      });
      const running = run(id, { conditions: [PROMOTIONS], action: { type: 'trash' } });
      await waitFor('the search', () => sut.sandbox.stats.calls['messages.list'] === 1);
      await new Promise((resolve) => setTimeout(resolve, 100));
      mailbox.remove(ids[0]!);
      // What the user has trashed meanwhile is in the trash: not a match any more.
      mailbox.changeLabels(ids[1]!, { add: ['TRASH'], remove: ['INBOX'] });
      const job = await running;
      expect(job).toMatchObject({ status: 'completed', total: ids.length - 1, failed: 1 });
      expect(job.result).toMatchObject({
        found: ids.length,
        skippedNotExact: 1,
        matched: ids.length - 1,
        changed: ids.length - 2,
        failed: 1,
        failures: [{ item: ids[0], code: 'message-not-found', reason: 'The mailbox has no such message.' }],
      });
    });

    it('should choose a message once that is on two pages', async () => {
      const { id } = await connect(1);
      const job = await run(id, { conditions: [PROMOTIONS], action: { type: 'mark_read' } });
      const matches = sut.app.get(RuleMatchesRepository);
      await matches.append(job.id as string, ['a', 'b'], 0);
      await matches.append(job.id as string, ['b', 'c', 'a'], 2);
      expect(await matches.deleteDuplicates(job.id as string)).toBe(3);
      const chosen = await matches.findNext(job.id as string, -1, 10);
      expect(chosen.map(({ messageId }) => messageId)).toEqual(['a', 'b', 'c']);
      expect(await matches.findNext(job.id as string, 1, 10)).toEqual([{ position: 3, messageId: 'c' }]);
      await matches.delete(job.id as string);
    });

    it('should delete matches that ended runs have left behind', async () => {
      const { id } = await connect(1);
      const job = await run(id, { conditions: [PROMOTIONS], action: { type: 'mark_read' } });
      await sut.dataSource.query(
        `INSERT INTO rule_matches (job_id, position, message_id) VALUES ($1, 0, 'a')`,
        [job.id],
      );
      expect(await sut.app.get(RuleRunsService).deleteAbandonedMatches()).toBe(1);
    });
  });

  it('should notify of a completed run once', async () => {
    const { id, mailbox } = await connect(40);
    await sut.dataSource.query(
      `INSERT INTO notification_preferences (user_id, rule_executed) VALUES ($1, true)
       ON CONFLICT (user_id) DO UPDATE SET rule_executed = true`,
      [user.id],
    );
    const matched = having(mailbox, 'CATEGORY_PROMOTIONS').length;
    const job = await run(id, { conditions: [PROMOTIONS], action: { type: 'mark_read' } });
    const told = await sut.dataSource.query('SELECT type, data FROM notifications WHERE event_key = $1', [
      `rule.executed:${job.queue_id}`,
    ]);
    const data = { name: 'A rule', accountId: id, action: 'mark_read', matched, jobId: job.queue_id };
    expect(told).toEqual([{ type: 'rule_executed', data: { ...data, ruleId: job.payload.ruleId } }]);
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

    it('should have a failing rule wait for its next due time, and notify once', async () => {
      await sut.dataSource.query('DELETE FROM notifications');
      const conditions = [on('label', 'equals', 'Gone')];
      const ruleId = await scheduled('hourly', null, { conditions });
      await startDueEverywhere();
      await allEnded();
      await startDueEverywhere();
      expect(await jobsOf(ruleId)).toEqual([{ status: 'failed', error_code: 'rule-label-gone' }]);
      expect(await sut.dataSource.query('SELECT type FROM notifications')).toEqual([{ type: 'job_failed' }]);
    });

    it('should not start a rule again whose run is open', async () => {
      sut.sandbox.fault({
        endpoint: 'messages.list',
        email: account.mailbox.email,
        answer: { kind: 'slow', delayMs: 1_500 },
      });
      const ruleId = await scheduled('hourly', null);
      await startDueEverywhere();
      await sut.dataSource.query(`UPDATE rules SET last_run_at = now() - interval '2 hours' WHERE id = $1`, [
        ruleId,
      ]);
      await startDueEverywhere();
      expect(await jobsOf(ruleId)).toHaveLength(1);
      await allEnded();
      await startDueEverywhere();
      expect(await jobsOf(ruleId)).toHaveLength(2);
      await allEnded();
    });

    it.each([
      ['start', 'NEW.last_run_at IS DISTINCT FROM OLD.last_run_at'],
      ['end', 'NEW.last_run_count IS DISTINCT FROM OLD.last_run_count'],
    ])('should not keep the user from being deleted at their %s', async (_case, isNoted) => {
      const owner = await sut.user();
      const { id } = await connect(5, owner);
      await addRule(
        id,
        { conditions: [PROMOTIONS], action: { type: 'mark_read' }, schedule: 'hourly' },
        owner,
      );
      // Time for the deletion to come in between.
      await sut.dataSource.query(
        `CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN PERFORM pg_sleep(0.5); RETURN NEW; END $$`,
      );
      await sut.dataSource.query(
        `CREATE TRIGGER pause AFTER UPDATE ON rules FOR EACH ROW WHEN (${isNoted}) EXECUTE FUNCTION pause()`,
      );
      try {
        const starting = sut.app.get(RuleRunsService).startDue();
        await waitFor('the pause', async () => {
          const pauses: unknown[] = await sut.dataSource.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
          );
          return pauses.length > 0;
        });
        await sut.dataSource.query('DELETE FROM users WHERE id = $1', [owner.id]);
        expect(await starting).toBe(1);
      } finally {
        await sut.dataSource.query('DROP FUNCTION pause() CASCADE');
      }
    });

    it('should do nothing for a rule switched off while its run was waiting', async () => {
      const ruleId = await addRule(account.id, {
        conditions: [PROMOTIONS],
        action: { type: 'delete' },
        schedule: 'hourly',
        isActive: false,
      });
      const { jobId } = await sut.app
        .get(JobsService)
        .start(RunRule, { userId: user.id, accountId: account.id }, { ruleId, trigger: 'schedule' });
      const before = account.mailbox.ids();
      expect(await user.jobEnd(jobId)).toMatchObject({ status: 'completed', result: { switchedOff: true } });
      expect(account.mailbox.ids()).toEqual(before);
    });

    it.each([
      ['switched off', 'is_active = false'],
      ['waiting for its user', `status = 'needs_reauth'`],
      ['disconnected', `status = 'disconnected'`],
    ])('should leave the rules of a mailbox alone that is %s', async (_case, state) => {
      const ruleId = await scheduled('hourly', null);
      await sut.dataSource.query(`UPDATE mailbox_accounts SET ${state} WHERE id = $1`, [account.id]);
      await startDueEverywhere();
      expect(await jobsOf(ruleId)).toEqual([]);
      await sut.dataSource.query(
        `UPDATE mailbox_accounts SET is_active = true, status = 'connected' WHERE id = $1`,
        [account.id],
      );
      await startDueEverywhere();
      expect(await jobsOf(ruleId)).toHaveLength(1);
      await allEnded();
    });
  });
});
