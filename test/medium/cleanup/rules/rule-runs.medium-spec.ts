import { newId } from '../../../../src/platform/crypto/ids';
import { JobsService } from '../../../../src/platform/jobs/jobs.service';
import { MessageBudget } from '../../../../src/archive/mails/archiving/message-budget';
import type { RuleAction, RuleCondition, RuleSchedule } from '../../../../src/cleanup/rules/rule';
import { RuleMatchesRepository } from '../../../../src/cleanup/rules/rule-matches.repository';
import { RuleRunsService } from '../../../../src/cleanup/rules/rule-runs.service';
import { RunRule } from '../../../../src/cleanup/rules/run-rule.job';
import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { RulesModule } from '../../../../src/cleanup/rules/rules.module';
import { startFeature, type Feature, type FeatureUser } from '../../../support/medium/feature';
import { waitFor } from '../../../support/wait';

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
  let sut: Feature;
  let user: FeatureUser;
  let mailboxes = 0;

  beforeAll(async () => {
    sut = await startFeature({ modules: [RulesModule] });
    user = await sut.user();
  });

  afterAll(() => sut?.close());

  beforeEach(() => sut.provider.reset());

  async function connect(messages: number, owner = user): Promise<Connected> {
    const email = `rules${(mailboxes += 1)}-${messages}@sandbox.mailroom.test`;
    const id = await owner.connect(email);
    return { id, mailbox: sut.mailbox(email) };
  }

  async function addRule(accountId: string, rule: NewRule, owner = user): Promise<string> {
    const id = newId();
    await sut.query(
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
    sut.provider.resetCalls();
    return user.jobEnd(await start(accountId, ruleId));
  }

  const row = async (ruleId: string): Promise<any> =>
    (await sut.query('SELECT * FROM rules WHERE id = $1', [ruleId]))[0];

  const storedMatches = async (): Promise<number> =>
    (await sut.query('SELECT count(*)::int AS count FROM rule_matches'))[0].count;

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

  describe('requesting a run', () => {
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
    ])('should apply %j to exactly the matching messages', async (action, isDone) => {
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

    it('should delete only the matches permanently', async () => {
      const { id, mailbox } = await connect(150);
      const ids = having(mailbox, 'CATEGORY_PROMOTIONS');
      const others = labelsOfOthers(mailbox, ids);
      const job = await run(id, { conditions: [PROMOTIONS], action: { type: 'delete' } });
      expect(job).toMatchObject({ status: 'completed', processed: ids.length, failed: 0 });
      expect(job.result).toMatchObject({ found: ids.length, changed: ids.length, remaining: 0 });
      expect(labelsOfOthers(mailbox, [])).toEqual(others);
      expect(sut.provider.calls.delete).toBe(1);
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
      expect(sut.provider.calls.fetchRaw).toBe(ids.length - 3);
      const { body } = await user.api.get(`/api/archive/${id}/mails?limit=100`);
      expect(body.total).toBe(ids.length);
      expect(labelsOfOthers(mailbox, [])).toEqual(before);
      expect(sut.get(MessageBudget).inUse).toBe(0);
    });
  });

  describe('exactness', () => {
    it('should exclude near misses before deleting', async () => {
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

    it('should not interpret a word as the account’s own address', async () => {
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

    it('should report how many starred and important messages were touched', async () => {
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
    it('should read no message where the search suffices', async () => {
      const { id, mailbox } = await connect(2_600);
      const ids = visible(mailbox);
      mailbox.changeLabels(ids, { remove: ['STARRED'] });
      const conditions = [on('newer_than', 'equals', '90y')];
      const job = await run(id, { conditions, action: { type: 'label', labelId: 'STARRED' } });
      expect(job).toMatchObject({ status: 'completed', processed: ids.length });
      expect(job.result).toMatchObject({ changed: ids.length, starredCount: null, importantCount: null });
      const { listMessages: lists, modify: changes, listChanges: pages, ...others } = sut.provider.calls;
      expect(lists).toBe(Math.ceil(ids.length / 500));
      expect(changes).toBe(Math.ceil(ids.length / 1_000));
      // Two pages per thousand changes, and where the history stands before each batch.
      expect(pages).toBeLessThanOrEqual(2 * changes! + changes!);
      expect(others).toEqual(others.getProfile ? { getProfile: 1 } : {});
    });

    it('should read each message only once before deleting', async () => {
      const { id, mailbox } = await connect(300);
      const ids = having(mailbox, 'CATEGORY_PROMOTIONS');
      const conditions = [PROMOTIONS, on('size_gt', 'gt', 1)];
      const kept = await run(id, {
        conditions: [...conditions, on('subject', 'not_equals', 'nothing')],
        action: { type: 'mark_unread' },
      });
      expect(kept.result).toMatchObject({ matched: ids.length });
      expect(sut.provider.calls.fetchMetadata).toBe(ids.length);
      await run(id, { conditions, action: { type: 'delete' } });
      expect(sut.provider.calls.fetchMetadata).toBeUndefined();
      expect(sut.provider.calls).toMatchObject({ delete: 1 });
      expect(sut.provider.totalCalls).toBeLessThanOrEqual(8);
    });
  });

  describe('runs that do not finish', () => {
    it('should report messages that disappeared between the search and the check', async () => {
      const { id, mailbox } = await connect(60);
      const ids = having(mailbox, 'CATEGORY_PROMOTIONS');
      sut.provider.on('listMessages', { afterApplying: true }, () => {
        mailbox.remove(ids[0]!);
        // A message that the user has trashed meanwhile is no match any more.
        mailbox.changeLabels(ids[1]!, { add: ['TRASH'], remove: ['INBOX'] });
      });
      const job = await run(id, { conditions: [PROMOTIONS], action: { type: 'trash' } });
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

    it('should process a message once that is on two pages', async () => {
      const { id } = await connect(1);
      const job = await run(id, { conditions: [PROMOTIONS], action: { type: 'mark_read' } });
      const matches = sut.get(RuleMatchesRepository);
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
      await sut.query(`INSERT INTO rule_matches (job_id, position, message_id) VALUES ($1, 0, 'a')`, [
        job.id,
      ]);
      expect(await sut.get(RuleRunsService).deleteAbandonedMatches()).toBe(1);
    });
  });

  it('should notify of a completed run once', async () => {
    const { id, mailbox } = await connect(40);
    await sut.query(
      `INSERT INTO notification_preferences (user_id, rule_executed) VALUES ($1, true)
       ON CONFLICT (user_id) DO UPDATE SET rule_executed = true`,
      [user.id],
    );
    const matched = having(mailbox, 'CATEGORY_PROMOTIONS').length;
    const job = await run(id, { conditions: [PROMOTIONS], action: { type: 'mark_read' } });
    const told = await sut.query('SELECT type, data FROM notifications WHERE event_key = $1', [
      `rule.executed:${job.queue_id}`,
    ]);
    const data = { name: 'A rule', accountId: id, action: 'mark_read', matched, jobId: job.queue_id };
    expect(told).toEqual([{ type: 'rule_executed', data: { ...data, ruleId: job.payload.ruleId } }]);
  });

  describe('schedules', () => {
    let account: Connected;

    beforeAll(async () => {
      account = await connect(10);
    });

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
      await sut.query(
        `UPDATE rules SET last_run_at = now() - make_interval(secs => $2), is_active = $3 WHERE id = $1`,
        [ruleId, ageSeconds, more.isActive ?? true],
      );
      return ruleId;
    };

    /** Starts runs at the same time, as several processes would. */
    const startDueEverywhere = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 4 }, () => sut.get(RuleRunsService).startDue()));

    const jobsOf = (ruleId: string): Promise<any[]> =>
      sut.query(`SELECT status, error_code FROM jobs WHERE type = 'run_rule' AND payload ->> 'ruleId' = $1`, [
        ruleId,
      ]);

    it('should have a failing rule wait for its next due time, and notify once', async () => {
      await sut.query('DELETE FROM notifications');
      const conditions = [on('label', 'equals', 'Gone')];
      const ruleId = await scheduled('hourly', null, { conditions });
      await startDueEverywhere();
      await sut.runJobs();
      await startDueEverywhere();
      expect(await jobsOf(ruleId)).toEqual([{ status: 'failed', error_code: 'rule-label-gone' }]);
      expect(await sut.query('SELECT type FROM notifications')).toEqual([{ type: 'job_failed' }]);
    });

    it('should not start a rule again whose run is open', async () => {
      const ruleId = await scheduled('hourly', null);
      await startDueEverywhere();
      await sut.query(`UPDATE rules SET last_run_at = now() - interval '2 hours' WHERE id = $1`, [ruleId]);
      await startDueEverywhere();
      expect(await jobsOf(ruleId)).toHaveLength(1);
      await sut.runJobs();
      await startDueEverywhere();
      expect(await jobsOf(ruleId)).toHaveLength(2);
      await sut.runJobs();
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
      await sut.query(
        `CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN PERFORM pg_sleep(0.5); RETURN NEW; END $$`,
      );
      await sut.query(
        `CREATE TRIGGER pause AFTER UPDATE ON rules FOR EACH ROW WHEN (${isNoted}) EXECUTE FUNCTION pause()`,
      );
      try {
        const started = sut.get(RuleRunsService).startDue();
        const ended = started.then(() => sut.runJobs());
        await waitFor('the pause', async () => {
          const pauses: unknown[] = await sut.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
          );
          return pauses.length > 0;
        });
        await sut.query('DELETE FROM users WHERE id = $1', [owner.id]);
        expect(await started).toBe(1);
        await ended;
      } finally {
        await sut.query('DROP FUNCTION pause() CASCADE');
      }
    });

    it('should do nothing for a rule switched off while its run was waiting', async () => {
      const ruleId = await addRule(account.id, {
        conditions: [PROMOTIONS],
        action: { type: 'delete' },
        schedule: 'hourly',
        isActive: false,
      });
      const { jobId } = await sut
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
    ])('should not run the rules of a mailbox that is %s', async (_case, state) => {
      const ruleId = await scheduled('hourly', null);
      await sut.query(`UPDATE mailbox_accounts SET ${state} WHERE id = $1`, [account.id]);
      await startDueEverywhere();
      expect(await jobsOf(ruleId)).toEqual([]);
      await sut.query(`UPDATE mailbox_accounts SET is_active = true, status = 'connected' WHERE id = $1`, [
        account.id,
      ]);
      await startDueEverywhere();
      expect(await jobsOf(ruleId)).toHaveLength(1);
      await sut.runJobs();
    });
  });
});
