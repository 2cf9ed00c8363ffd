import { newId } from '../../../../src/platform/crypto/ids';
import { Transactions } from '../../../../src/platform/database/transactions';
import { EventDispatcher } from '../../../../src/platform/events/event-dispatcher';
import type { MailroomEvent } from '../../../../src/platform/events/events';
import { WeeklyReportsRepository } from '../../../../src/operations/reports/weekly-reports.repository';
import { WeeklyReportsService } from '../../../../src/operations/reports/weekly-reports.service';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

describe('The weekly report', () => {
  let app: TestApp;
  let sut: WeeklyReportsService;
  /** Each test has a Monday of its own, 00:00 UTC, after everything that was real. */
  let monday = Date.UTC(2040, 0, 2);
  let users: TestUser[];

  beforeAll(async () => {
    app = await startTestApp({ sandbox: { messages: 1 } });
    sut = app.app.get(WeeklyReportsService);
    users = [await app.user(), await app.user(), await app.user()];
  });

  beforeEach(() => {
    monday += WEEK_MS;
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app?.close());

  const after = (ms: number): Date => new Date(monday + ms);
  const eight = (): Date => after(8 * HOUR_MS);

  const query = (sql: string, parameters: unknown[] = []): Promise<any> =>
    app.dataSource.query(sql, parameters);

  /** What the user has been told of the week before this test's Monday. */
  const reports = async (user: TestUser): Promise<any[]> =>
    (await notifications(user)).filter(({ data }) => data.to === after(0).toISOString());

  const notifications = async (user: TestUser): Promise<any[]> => {
    const { body } = await user.api.get('/api/notifications?limit=100');
    return body.notifications.filter(({ type }: any) => type === 'weekly_report');
  };

  const counts = async (of = users): Promise<number[]> =>
    Promise.all(of.map(async (user) => (await reports(user)).length));

  it('should report on the past week, and on nothing before or after it', async () => {
    const [user, other] = [users[0]!, users[1]!];
    const box = await ArchiveFixture.connect(app, user, 'weekly-0@sandbox.mailroom.test');
    const second = await ArchiveFixture.connect(app, user, 'weekly2-0@sandbox.mailroom.test');
    const foreign = await ArchiveFixture.connect(app, other, 'weekly3-0@sandbox.mailroom.test');
    const from = (sender: string): Buffer => eml(`From: ${sender}`, `Subject: ${newId()}`, '', 'Text.');
    const senders = ['A <a@x.test>', 'a@X.test', 'b@x.test', 'b@x.test', 'weekly-0@sandbox.mailroom.test'];
    const inWeek = await box.insertAndArchive(...senders.map(from));
    const early = await box.insertAndArchive(from('c@x.test'));
    const late = await box.insertAndArchive(from('d@x.test'));
    const inWeekToo = await second.insertAndArchive(from('A <a@x.test>'));
    await foreign.insertAndArchive(from('e@x.test'));
    const archived = (at: Date, ids: string[]): Promise<unknown> =>
      query('UPDATE archived_mails SET archived_at = $1 WHERE id = ANY($2)', [at, ids]);
    await query('UPDATE archived_mails SET archived_at = $1', [after(-2 * DAY_MS)]);
    await archived(after(-WEEK_MS), inWeek.slice(0, 1));
    await archived(after(-1), inWeek.slice(1, 2));
    await archived(after(-WEEK_MS - 1), early);
    await archived(after(0), late);

    const job = (type: string, status: string, at: Date, userId = user.id): Promise<unknown> =>
      query(
        `INSERT INTO jobs (id, type, lane, user_id, status, payload, completed_at)
         VALUES ($1, $2, 'scan', $3, $4, '{}', $5)`,
        [newId(), type, userId, status, at],
      );
    await job('scan_pii', 'completed', after(-WEEK_MS));
    await job('run_rule', 'completed', after(-1));
    await job('scan_pii', 'failed', after(-DAY_MS));
    await job('scan_pii', 'cancelled', after(-DAY_MS));
    await job('index_mailbox', 'completed', after(-DAY_MS));
    await job('index_mailbox', 'failed', after(-DAY_MS));
    await job('scan_pii', 'completed', after(0));
    await job('scan_pii', 'failed', after(-WEEK_MS - 1));
    await job('scan_pii', 'completed', after(-DAY_MS), other.id);
    for (const at of [after(-WEEK_MS), after(-1), after(0), after(-WEEK_MS - 1)]) {
      await app.app.get(Transactions).run((transaction) => {
        const data = { ruleId: newId(), name: '', accountId: '', action: '', matched: 1, jobId: '' };
        const event: MailroomEvent = { type: 'rule.executed', key: `at ${+at}`, userId: user.id, data };
        return app.app.get(EventDispatcher).dispatch(event, transaction);
      });
      await query('UPDATE events SET created_at = $1 WHERE key = $2', [at, `at ${+at}`]);
    }

    await sut.send(eight());
    const [report] = await reports(user);
    const [{ bytes }] = await query(
      'SELECT sum(size_bytes)::int AS bytes FROM archived_mails WHERE id = ANY($1)',
      [[...inWeek, ...inWeekToo]],
    );
    expect(report.data).toEqual({
      from: after(-WEEK_MS).toISOString(),
      to: after(0).toISOString(),
      jobsCompleted: 2,
      jobsFailed: 1,
      archivedMails: 6,
      archivedBytes: bytes,
      rulesRun: 2,
      topSenders: [
        { sender: 'A <a@x.test>', count: 3 },
        { sender: 'b@x.test', count: 2 },
      ],
      storageUsedBytes: (await user.api.get('/api/auth/me')).body.storageUsedBytes,
      storageQuotaBytes: 5 * 1024 ** 3,
    });
    expect(report.title).toBe('Your week in Mailroom');
    expect(report.body).toMatch(
      /: 6 mails \(\S+ \w+\) archived, 2 jobs completed, 1 job failed, 2 rule runs\. Most mail came from A /,
    );
  });

  it('should name the five senders with the most mail', async () => {
    const user = users[1]!;
    const box = await ArchiveFixture.connect(app, user, 'senders-0@sandbox.mailroom.test');
    const letters = ['a', 'b', 'b', 'c', 'c', 'c', 'd', 'd', 'e', 'e', 'f', 'f', 'g'];
    await box.insertAndArchive(
      ...letters.map((letter) => eml(`From: ${letter}@x.test`, `Subject: ${newId()}`, '', 'Text.')),
    );
    await query('UPDATE archived_mails SET archived_at = $1 WHERE account_id = $2', [
      after(-DAY_MS),
      box.accountId,
    ]);
    await sut.send(eight());
    const [{ data }] = await reports(user);
    expect(data.topSenders.map(({ sender, count }: any) => `${sender} ${count}`)).toEqual([
      'c@x.test 3',
      'b@x.test 2',
      'd@x.test 2',
      'e@x.test 2',
      'f@x.test 2',
    ]);
  });

  it('should be brief about a quiet week', async () => {
    await sut.send(eight());
    const [report] = await reports(users[2]!);
    expect(report.body).toMatch(
      /^\d+ (\w+ )?to \d+ \w+ was quiet: no mail was archived, no job and no rule ran\.$/,
    );
    expect(report.data).toMatchObject({ jobsCompleted: 0, archivedMails: 0, topSenders: [] });
  });

  it('should be sent once, however many processes try and how often', async () => {
    const times = await Promise.all(
      [eight(), eight(), after(8 * HOUR_MS + 1), eight()].map((now) => sut.send(now)),
    );
    expect(await counts()).toEqual([1, 1, 1]);
    const [{ active }] = await query('SELECT count(*)::int AS active FROM users WHERE is_active');
    expect(times.reduce((sum, sent) => sum + sent, 0)).toBe(active);
    expect(await sut.send(after(6 * DAY_MS))).toBe(0);
    expect(await sut.send(after(WEEK_MS + HOUR_MS))).toBe(0);
    expect(await counts()).toEqual([1, 1, 1]);
  });

  it('should not be sent before eight, be sent later in the week if missed, and again the next week', async () => {
    expect(await sut.send(after(8 * HOUR_MS - 1))).toBe(0);
    expect(await counts()).toEqual([0, 0, 0]);
    await sut.send(after(6 * DAY_MS + 23 * HOUR_MS));
    expect(await counts()).toEqual([1, 1, 1]);
    monday += WEEK_MS;
    expect(await counts()).toEqual([0, 0, 0]);
    await sut.send(eight());
    expect(await counts()).toEqual([1, 1, 1]);
  });

  it('should not be sent to users who joined later or are inactive', async () => {
    const [young, inactive, leaving] = [await app.user(), await app.user(), await app.user()];
    await query('UPDATE users SET created_at = $2 WHERE id = $1', [young.id, after(0)]);
    await query('UPDATE users SET is_active = false WHERE id = $1', [inactive.id]);
    await query('UPDATE users SET deletion_requested_at = now() WHERE id = $1', [leaving.id]);
    await sut.send(eight());
    const told = `SELECT user_id FROM events WHERE type = 'weekly.report' AND user_id = ANY($1)`;
    const all = [[young.id, inactive.id, leaving.id]];
    expect(await query(told, all)).toEqual([]);
    await query('UPDATE users SET is_active = true WHERE id = $1', [inactive.id]);
    await sut.send(after(3 * DAY_MS));
    expect(await query(told, all)).toEqual([{ user_id: inactive.id }]);
  });

  it('should not notify users who switched it off, but be recorded once', async () => {
    const user = users[0]!;
    await user.api.put('/api/notifications/preferences', { weekly_report: false });
    await sut.send(eight());
    await user.api.put('/api/notifications/preferences', { weekly_report: true });
    await sut.send(after(DAY_MS));
    expect(await counts()).toEqual([0, 1, 1]);
  });

  it('should be sent to the other users when it fails for one, and to that one later', async () => {
    const failing = users[1]!.id;
    const reports = app.app.get(WeeklyReportsRepository);
    const original = reports.figuresOf.bind(reports);
    const spy = jest.spyOn(reports, 'figuresOf').mockImplementation(async (...args) => {
      if (args[0] === failing) throw new Error('canceling statement due to statement timeout');
      return original(...args);
    });
    await sut.send(eight());
    expect(await counts()).toEqual([1, 0, 1]);
    spy.mockRestore();
    expect(await sut.send(after(9 * HOUR_MS))).toBe(1);
    expect(await counts()).toEqual([1, 1, 1]);
  });

  it('should not be marked as sent when dispatching fails', async () => {
    const failing = users[2]!.id;
    const dispatcher = app.app.get(EventDispatcher);
    const original = dispatcher.dispatch.bind(dispatcher);
    const spy = jest.spyOn(dispatcher, 'dispatch').mockImplementation(async (event, transaction) => {
      await original(event, transaction);
      if (event.userId === failing) throw new Error('The process is gone');
    });
    await sut.send(eight());
    expect(await counts()).toEqual([1, 1, 0]);
    spy.mockRestore();
    await sut.send(after(9 * HOUR_MS));
    expect(await counts()).toEqual([1, 1, 1]);
  });

  it('should not delay other users, or a sign-in, while the figures of one user take long', async () => {
    const slow = users[0]!;
    const reports = app.app.get(WeeklyReportsRepository);
    const original = reports.figuresOf.bind(reports);
    let reached = false;
    let goOn!: () => void;
    const free = new Promise<void>((resolve) => (goOn = resolve));
    jest.spyOn(reports, 'figuresOf').mockImplementation(async (...args) => {
      if (args[0] === slow.id) {
        reached = true;
        await free;
      }
      return original(...args);
    });
    const sending = sut.send(eight());
    await waitFor('the others to be told', async () => (await counts()).join() === '0,1,1');
    expect(reached).toBe(true);
    const { email, password } = slow;
    expect((await app.anonymous.post('/api/auth/login', { email, password })).status).toBe(200);
    // Another process does not do the same work again.
    expect(await sut.send(eight())).toBe(0);
    goOn();
    await sending;
    expect(await counts()).toEqual([1, 1, 1]);
  });
});
