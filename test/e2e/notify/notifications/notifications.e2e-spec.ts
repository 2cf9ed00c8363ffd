import { newId } from '../../../../src/platform/crypto/ids';
import { Transactions } from '../../../../src/platform/database/transactions';
import { EventDispatcher } from '../../../../src/platform/events/event-dispatcher';
import type { MailroomEvent } from '../../../../src/platform/events/events';
import { EventsService } from '../../../../src/platform/events/events.service';
import { NotificationsService } from '../../../../src/notify/notifications/notifications.service';
import { startTestApp, TestApp } from '../../../support/app';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';

const DEFAULTS = {
  weekly_report: true,
  weekly_report_toast: false,
  job_completed: true,
  job_completed_toast: true,
  job_failed: true,
  job_failed_toast: true,
  rule_executed: false,
  rule_executed_toast: false,
  quota_warning: true,
  quota_warning_toast: false,
  integrity_alert: true,
  integrity_alert_toast: false,
};

describe('Notifications', () => {
  let sut: TestApp;
  let mailboxes = 0;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
  });

  afterAll(() => sut?.close());

  beforeEach(() => sut.sandbox.clearFaults());

  const list = async (user: TestUser, query = ''): Promise<any> => {
    const { status, body } = await user.api.get(`/api/notifications${query}`);
    expect(status).toBe(200);
    return body;
  };

  const dispatch = (event: MailroomEvent): Promise<void> =>
    sut.app.get(Transactions).run((transaction) => sut.app.get(EventDispatcher).dispatch(event, transaction));

  const ruleExecuted = (userId: string, key: string = newId()): MailroomEvent => ({
    type: 'rule.executed',
    key,
    userId,
    data: {
      ruleId: newId(),
      name: 'Ads',
      accountId: newId(),
      action: 'trash',
      matched: 2,
      jobId: 'run_rule-1',
    },
  });

  /** A user with notifications, oldest first; the data of each holds its number. */
  async function toldUser(count: number): Promise<TestUser> {
    const user = await sut.user();
    await user.api.put('/api/notifications/preferences', { rule_executed: true });
    for (let matched = 1; matched <= count; matched += 1) {
      const event = ruleExecuted(user.id);
      await dispatch({ ...event, data: { ...event.data, matched } } as MailroomEvent);
    }
    return user;
  }

  const numbers = (page: { notifications: { data: { matched: number } }[] }): number[] =>
    page.notifications.map(({ data }) => data.matched);

  describe('of jobs', () => {
    let user: TestUser;
    let path: string;
    let email: string;
    let messageIds: string[];
    let accountId: string;

    beforeEach(async () => {
      user = await sut.user();
      email = `told${(mailboxes += 1)}-1500@sandbox.mailroom.test`;
      accountId = await user.connect(email);
      path = `/api/mailbox/${accountId}/messages/bulk`;
      messageIds = sut.sandbox.mailbox(email).ids();
      sut.sandbox.mailbox(email).changeLabels(messageIds, { add: ['UNREAD'] });
    });

    const start = async (): Promise<string> =>
      (await user.api.post(path, { action: 'mark_read', messageIds })).body.jobId as string;

    it('should be sent once for a completed job', async () => {
      const jobId = await start();
      await user.jobEnd(jobId);
      expect(await list(user)).toEqual({
        notifications: [
          {
            id: expect.any(String),
            user_id: user.id,
            type: 'job_completed',
            title: 'Bulk operation completed',
            body: '1,500 messages were processed.',
            data: {
              jobId,
              type: 'bulk_operation',
              status: 'completed',
              accountId,
              total: 1_500,
              processed: 1_500,
              failed: 0,
              error: null,
            },
            is_read: false,
            created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          },
        ],
        unreadCount: 1,
        page: 1,
        limit: 20,
      });
    });

    it('should be sent once for a failed job, with its error', async () => {
      sut.sandbox.fault({ endpoint: 'oauth.token', answer: { kind: 'invalidGrant' }, times: 'always' });
      sut.sandbox.fault({
        endpoint: 'messages.batchModify',
        email,
        skip: 1,
        times: 'always',
        answer: { kind: 'unauthorized' },
      });
      const job = await user.jobEnd(await start());
      expect(job).toMatchObject({ status: 'failed', error_code: 'mailbox-reauth-required' });
      const { notifications } = await list(user);
      expect(notifications).toHaveLength(1);
      expect(notifications[0]).toMatchObject({
        type: 'job_failed',
        title: 'Bulk operation failed',
        body: `${job.error} 1,000 of 1,500 messages were processed before.`,
        data: { jobId: job.queue_id, status: 'failed', error: job.error },
      });
    });

    it('should not be sent for a cancelled job', async () => {
      sut.sandbox.fault({
        endpoint: 'messages.batchModify',
        times: 'always',
        answer: { kind: 'slow', delayMs: 300 },
      });
      const jobId = await start();
      await waitFor('the job to be active', async () => {
        const { body } = await user.api.get(`/api/jobs/${jobId}`);
        return body.status === 'active';
      });
      expect((await user.api.delete(`/api/jobs/${jobId}`)).status).toBe(204);
      expect(await user.jobEnd(jobId)).toMatchObject({ status: 'cancelled' });
      expect(await list(user)).toMatchObject({ notifications: [], unreadCount: 0 });
    });

    it('should stop when the user switches them off, and resume when the user switches them on', async () => {
      const prefer = (job_completed: boolean): Promise<unknown> =>
        user.api.put('/api/notifications/preferences', { job_completed });
      await prefer(false);
      await user.jobEnd(await start());
      expect((await list(user)).notifications).toEqual([]);
      await prefer(true);
      const jobId = await start();
      await user.jobEnd(jobId);
      const { notifications } = await list(user);
      expect(notifications.map((each: any) => each.data.jobId)).toEqual([jobId]);
    });
  });

  describe('of events', () => {
    it('should follow the default of a category without a preference', async () => {
      const user = await sut.user();
      await dispatch(ruleExecuted(user.id));
      expect((await list(user)).notifications).toEqual([]);
    });

    it('should be sent once per key and user', async () => {
      const users = [await toldUser(0), await toldUser(0)];
      const key = newId();
      await Promise.all(
        users.flatMap(({ id }) => Array.from({ length: 5 }, () => dispatch(ruleExecuted(id, key)))),
      );
      for (const user of users) {
        expect((await list(user)).notifications).toEqual([
          expect.objectContaining({
            type: 'rule_executed',
            title: 'Rule "Ads" was executed',
            body: '2 messages matched. Action: move to trash.',
          }),
        ]);
      }
    });

    it('should not be sent for work that was rolled back', async () => {
      const user = await toldUser(0);
      const work = sut.app.get(Transactions).run(async (transaction) => {
        await sut.app.get(EventDispatcher).dispatch(ruleExecuted(user.id), transaction);
        throw new Error('rolled back');
      });
      await expect(work).rejects.toThrow('rolled back');
      expect((await list(user)).notifications).toEqual([]);
    });

    it('should be ignored for a deleted user', async () => {
      const gone = newId();
      await expect(dispatch(ruleExecuted(gone))).resolves.toBeUndefined();
    });
  });

  describe('listing', () => {
    let user: TestUser;

    beforeAll(async () => {
      user = await toldUser(25);
    });

    it('should list by pages, newest first', async () => {
      expect(await list(user, '?page=1')).toMatchObject({ page: 1, limit: 20, unreadCount: 25 });
      expect(numbers(await list(user))).toEqual(Array.from({ length: 20 }, (_, index) => 25 - index));
      expect(numbers(await list(user, '?page=2'))).toEqual([5, 4, 3, 2, 1]);
      expect(numbers(await list(user, '?page=3&limit=4'))).toEqual([17, 16, 15, 14]);
      expect(numbers(await list(user, '?page=9'))).toEqual([]);
      expect(await list(user, '?limit=1000')).toMatchObject({ limit: 100 });
    });

    it('should filter unread notifications, and always count all unread ones', async () => {
      const reader = await toldUser(5);
      const { notifications } = await list(reader);
      for (const index of [0, 3])
        await reader.api.patch(`/api/notifications/${notifications[index].id}/read`);
      for (const flag of ['1', 'true']) {
        const page = await list(reader, `?unread_only=${flag}&limit=2`);
        expect(numbers(page)).toEqual([4, 3]);
        expect(page.unreadCount).toBe(3);
      }
      for (const query of ['', '?unread_only=0', '?unread_only=false']) {
        const page = await list(reader, query);
        expect(numbers(page)).toEqual([5, 4, 3, 2, 1]);
        expect(page.notifications.map((each: any) => each.is_read)).toEqual([
          true,
          false,
          false,
          true,
          false,
        ]);
        expect(page.unreadCount).toBe(3);
      }
    });

    it.each([
      ['page=0', 'page'],
      ['page=x', 'page'],
      ['limit=0', 'limit'],
      ['limit=2.5', 'limit'],
      ['unread_only=yes', 'unread_only'],
      ['unread_only=', 'unread_only'],
      ['unread_only=1&unread_only=1', 'unread_only'],
    ])('should answer 400 to %s', async (query, field) => {
      const answer = await user.api.get(`/api/notifications?${query}`);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'validation-failed', errors: [{ field }] });
    });

    it('should not show those of other users', async () => {
      expect(await list(await sut.user())).toMatchObject({ notifications: [], unreadCount: 0 });
    });
  });

  describe('reading and deleting', () => {
    it('should mark one as read, repeatedly', async () => {
      const user = await toldUser(2);
      const [, older] = (await list(user)).notifications;
      for (let time = 0; time < 2; time += 1) {
        const answer = await user.api.patch(`/api/notifications/${older.id}/read`);
        expect([answer.status, answer.body]).toEqual([200, { success: true }]);
      }
      const page = await list(user);
      expect(page.notifications.map((each: any) => each.is_read)).toEqual([false, true]);
      expect(page.unreadCount).toBe(1);
    });

    it('should mark all as read and answer how many were unread', async () => {
      const [user, other] = [await toldUser(3), await toldUser(1)];
      await user.api.patch(`/api/notifications/${(await list(user)).notifications[0].id}/read`);
      const answer = await user.api.post('/api/notifications/read-all');
      expect([answer.status, answer.body]).toEqual([200, { updated: 2 }]);
      expect((await user.api.post('/api/notifications/read-all')).body).toEqual({ updated: 0 });
      expect(await list(user)).toMatchObject({ unreadCount: 0 });
      expect(await list(other)).toMatchObject({ unreadCount: 1 });
    });

    it('should delete one', async () => {
      const user = await toldUser(2);
      const [newer] = (await list(user)).notifications;
      const answer = await user.api.delete(`/api/notifications/${newer.id}`);
      expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
      expect(numbers(await list(user))).toEqual([1]);
      expect((await user.api.delete(`/api/notifications/${newer.id}`)).status).toBe(404);
    });

    it('should delete read notifications and keep unread ones', async () => {
      const [user, other] = [await toldUser(4), await toldUser(1)];
      const { notifications } = await list(user);
      for (const index of [1, 2]) await user.api.patch(`/api/notifications/${notifications[index].id}/read`);
      await other.api.post('/api/notifications/read-all');
      for (let time = 0; time < 2; time += 1) {
        const answer = await user.api.delete('/api/notifications');
        expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
        expect(numbers(await list(user))).toEqual([4, 1]);
      }
      expect(numbers(await list(other))).toEqual([1]);
    });

    it('should answer 404 for unknown and foreign ids, and 400 for malformed ones', async () => {
      const [owner, stranger] = [await toldUser(1), await sut.user()];
      const [{ id }] = (await list(owner)).notifications;
      for (const unknown of [id, newId()]) {
        const answers = [
          await stranger.api.patch(`/api/notifications/${unknown}/read`),
          await stranger.api.delete(`/api/notifications/${unknown}`),
        ];
        for (const { status, body } of answers) {
          expect([status, body.code]).toEqual([404, 'notification-not-found']);
        }
      }
      expect((await stranger.api.patch('/api/notifications/7/read')).status).toBe(400);
      expect((await stranger.api.delete('/api/notifications/7')).status).toBe(400);
      expect(await list(owner)).toMatchObject({ unreadCount: 1 });
    });
  });

  describe('at night', () => {
    const age = (table: string, user: TestUser, days: number): Promise<unknown> =>
      sut.dataSource.query(
        `UPDATE ${table} SET created_at = now() - make_interval(days => $2) WHERE user_id = $1`,
        [user.id, days],
      );

    it('should be deleted when they are read and ninety days old', async () => {
      const [old, unread, young] = [await toldUser(3), await toldUser(2), await toldUser(2)];
      for (const user of [old, young]) await user.api.post('/api/notifications/read-all');
      await age('notifications', old, 91);
      await age('notifications', unread, 91);
      await age('notifications', young, 89);
      await sut.app.get(NotificationsService).deleteOld();
      const left = await Promise.all([old, unread, young].map(async (user) => numbers(await list(user))));
      expect(left).toEqual([[], [2, 1], [2, 1]]);
    });

    it('should delete events that are ninety days old', async () => {
      const [old, young] = [await toldUser(3), await toldUser(2)];
      await age('events', old, 91);
      await sut.app.get(EventsService).deleteOld();
      const left = await sut.dataSource.query(
        'SELECT user_id, count(*)::int AS events FROM events WHERE user_id = ANY($1) GROUP BY 1',
        [[old.id, young.id]],
      );
      expect(left).toEqual([{ user_id: young.id, events: 2 }]);
      expect(numbers(await list(old))).toEqual([3, 2, 1]);
    });
  });

  describe('preferences', () => {
    const path = '/api/notifications/preferences';

    it('should have the defaults until the user changes them, one by one', async () => {
      const [user, other] = [await sut.user(), await sut.user()];
      expect((await user.api.get(path)).body).toEqual(DEFAULTS);
      const answer = await user.api.put(path, { weekly_report: false, rule_executed: true, other: 1 });
      expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
      const chosen = { ...DEFAULTS, weekly_report: false, rule_executed: true };
      expect((await user.api.get(path)).body).toEqual(chosen);
      await user.api.put(path, { integrity_alert_toast: true });
      expect((await user.api.get(path)).body).toEqual({ ...chosen, integrity_alert_toast: true });
      expect((await other.api.get(path)).body).toEqual(DEFAULTS);
    });

    it('should allow changing all at the same time', async () => {
      const user = await sut.user();
      const opposite = Object.fromEntries(Object.entries(DEFAULTS).map(([name, value]) => [name, !value]));
      const answers = await Promise.all(
        Object.entries(opposite).map(([name, value]) => user.api.put(path, { [name]: value })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect((await user.api.get(path)).body).toEqual(opposite);
      expect((await user.api.put(path, DEFAULTS)).status).toBe(200);
      expect((await user.api.get(path)).body).toEqual(DEFAULTS);
    });

    it.each([null, 'true', 1, [true]])('should answer 400 to %j as a value', async (value) => {
      const user = await sut.user();
      const answer = await user.api.put(path, { job_failed: value, job_completed: false });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'validation-failed', errors: [{ field: 'job_failed' }] });
      expect((await user.api.get(path)).body).toEqual(DEFAULTS);
    });

    it.each([{}, { unknown: true }])('should answer 400 to %j', async (body) => {
      const user = await sut.user();
      const answer = await user.api.put(path, body);
      expect([answer.status, answer.body.code]).toEqual([400, 'no-fields']);
    });
  });
});
