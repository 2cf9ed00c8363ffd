import { isDeepStrictEqual } from 'node:util';
import { newId } from '../../../../src/platform/crypto/ids';
import { Transactions } from '../../../../src/platform/database/transactions';
import { EventDispatcher } from '../../../../src/platform/events/event-dispatcher';
import { MailroomEvent, WEBHOOK_EVENTS } from '../../../../src/platform/events/events';
import { notificationOf } from '../../../../src/notify/notifications/notification-texts';
import type { ToastResponse } from '../../../../src/notify/notifications/dto/toasts.response';
import { PREFERENCE_NAMES } from '../../../../src/notify/notifications/notification.entity';
import { WeeklyReportsService } from '../../../../src/operations/reports/weekly-reports.service';
import { startTestApp, TestApp } from '../../../support/app';
import { ArchiveFixture } from '../../../support/archive/archive-fixture';
import { eml } from '../../../support/archive/eml';
import { EventStream } from '../../../support/event-stream';
import { checkEverything, hurry, StoredFile } from '../../../support/integrity/integrity-fixture';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';
import { ContractReceiver, readGeneric } from '../../../support/webhooks/contract-receiver';

/** Each kind of event from what really causes it to everybody who is told: once each, whatever happens twice. */
describe('Events', () => {
  let app: TestApp;
  let receiver: ContractReceiver;
  let admin: TestUser;
  let user: TestUser;
  let box: ArchiveFixture;
  let stream: EventStream<ToastResponse>;
  let webhook: { secret: string; path: string };
  let boxes = 0;

  beforeAll(async () => {
    receiver = await ContractReceiver.start();
    app = await startTestApp({ own: true, sandbox: { messages: 1 } });
    hurry(app);
    admin = await app.user('admin');
  });

  beforeEach(async () => {
    user = await app.user();
    box = await ArchiveFixture.connect(app, user, `events${(boxes += 1)}-3@sandbox.mailroom.test`);
    const everything = Object.fromEntries(PREFERENCE_NAMES.map((name) => [name, true]));
    await user.api.put('/api/notifications/preferences', everything);
    const path = `/${newId()}`;
    const fields = { name: 'Everything', url: receiver.url(path), events: WEBHOOK_EVENTS };
    const { status, body } = await user.api.post('/api/webhooks', fields);
    expect(status).toBe(201);
    webhook = { path, secret: body.secret as string };
    stream = await EventStream.open(user.api, '/api/notifications/events', { event: 'notification' });
  });

  afterEach(() => {
    app.sandbox.clearFaults();
    stream.close();
  });

  afterAll(async () => {
    await app?.close();
    await receiver?.close();
  });

  const dispatch = (event: MailroomEvent): Promise<void> =>
    app.app.get(Transactions).run((transaction) => app.app.get(EventDispatcher).dispatch(event, transaction));

  const ruleExecuted = (name: string): MailroomEvent => ({
    type: 'rule.executed',
    key: newId(),
    userId: user.id,
    data: {
      ruleId: newId(),
      name,
      accountId: box.accountId,
      action: 'trash',
      matched: 1,
      jobId: 'run_rule-0',
    },
  });

  /** What arrived, both signatures verified. */
  const received = (): any[] =>
    receiver.at(webhook.path).map((request) => readGeneric(request, webhook.secret));

  const notifications = async (): Promise<any[]> =>
    (await user.api.get('/api/notifications?limit=100')).body.notifications as any[];

  /** Waits until everything on its way before this call has arrived everywhere. */
  async function everythingTold(): Promise<void> {
    const name = newId();
    await dispatch(ruleExecuted(name));
    await stream.until('the last event', () => stream.events.some(({ data }) => data.data['name'] === name));
    await waitFor('the last delivery', () => received().some(({ data }) => data.name === name));
    await waitFor('all deliveries', async () => {
      const [{ open }] = await app.dataSource.query(
        `SELECT count(*)::int AS open FROM webhook_deliveries WHERE user_id = $1 AND status = 'pending'`,
        [user.id],
      );
      return open === 0;
    });
  }

  const bulk = async (): Promise<any> => {
    const request = { action: 'mark_read', messageIds: box.mailbox.ids() };
    const { body } = await user.api.post(`/api/mailbox/${box.accountId}/messages/bulk`, request);
    return user.jobEnd(body.jobId as string);
  };

  const causes: [MailroomEvent['type'], string, () => Promise<Record<string, unknown>>][] = [
    [
      'job.completed',
      'a job that completes',
      async () => {
        const job = await bulk();
        const counts = { total: 3, processed: 3, failed: 0, error: null };
        return {
          jobId: job.queue_id,
          type: 'bulk_operation',
          status: 'completed',
          accountId: box.accountId,
          ...counts,
        };
      },
    ],
    [
      'job.failed',
      'a job that fails',
      async () => {
        const { email } = (await user.api.get('/api/auth/me')).body.mailboxAccounts[0];
        app.sandbox.fault({ endpoint: 'oauth.token', answer: { kind: 'invalidGrant' }, times: 'always' });
        app.sandbox.fault({
          endpoint: 'messages.batchModify',
          email,
          times: 'always',
          answer: { kind: 'unauthorized' },
        });
        const job = await bulk();
        expect(job.status).toBe('failed');
        return {
          jobId: job.queue_id,
          type: 'bulk_operation',
          status: 'failed',
          accountId: box.accountId,
          total: 3,
          processed: 0,
          failed: 0,
          error: job.error,
          errorCode: job.error_code,
        };
      },
    ],
    [
      'rule.executed',
      'a rule that runs',
      async () => {
        box.mailbox.insert(eml('Subject: of the rule', 'From: a@x.test', '', 'Text.'), {
          labelIds: ['INBOX'],
        });
        const { status, body: rule } = await user.api.post(`/api/rules/${box.accountId}`, {
          name: 'Everything of A',
          conditions: [{ field: 'from', operator: 'contains', value: 'a@x.test' }],
          action: { type: 'mark_read' },
        });
        expect(status).toBe(201);
        const { body } = await user.api.post(`/api/rules/${box.accountId}/${rule.id}/run`);
        await user.jobEnd(body.jobId as string);
        return {
          ruleId: rule.id,
          name: 'Everything of A',
          accountId: box.accountId,
          action: 'mark_read',
          matched: 1,
          jobId: body.jobId,
        };
      },
    ],
    [
      'quota.warning',
      'mail that fills the storage',
      async () => {
        const raw = eml('Subject: large', 'From: a@x.test', '', 'x'.repeat(1_000));
        const quotaBytes = Math.ceil(raw.length / 0.85);
        await app.dataSource.query('UPDATE users SET storage_quota_bytes = $2 WHERE id = $1', [
          user.id,
          quotaBytes,
        ]);
        await box.insertAndArchive(raw);
        return { usedBytes: raw.length, quotaBytes, percent: 80 };
      },
    ],
    [
      'integrity.failed',
      'a file that is not what was archived',
      async () => {
        const [sound, damaged] = await box.insertAndArchive(
          eml('Subject: sound', '', 'Text.'),
          eml('Subject: damaged', '', 'Text.'),
        );
        await (await StoredFile.of(box, damaged!)).alter();
        await checkEverything(admin);
        expect(sound).toBeDefined();
        return { accountId: box.accountId, checked: 2, missing: 0, altered: 1, mailIds: [damaged] };
      },
    ],
    [
      'weekly.report',
      'a Monday',
      async () => {
        await box.insertAndArchive(eml('Subject: hello', 'From: A <a@x.test>', '', 'Text.'));
        const today = new Date();
        const daysToMonday = ((8 - today.getUTCDay()) % 7) + 7 * Number(today.getUTCDay() === 1);
        const monday = Date.UTC(
          today.getUTCFullYear(),
          today.getUTCMonth(),
          today.getUTCDate() + daysToMonday,
        );
        await app.app.get(WeeklyReportsService).send(new Date(monday + 8 * 3_600_000));
        const { storageUsedBytes } = (await user.api.get('/api/auth/me')).body;
        return {
          from: new Date(monday - 7 * 86_400_000).toISOString(),
          to: new Date(monday).toISOString(),
          jobsCompleted: 1,
          jobsFailed: 0,
          archivedMails: 1,
          archivedBytes: storageUsedBytes,
          rulesRun: 0,
          topSenders: [{ sender: 'A <a@x.test>', count: 1 }],
          storageUsedBytes,
          storageQuotaBytes: 5 * 1024 ** 3,
        };
      },
    ],
  ];

  it.each(causes)(
    '%s: %s should reach every channel once, even when it is dispatched twice',
    async (type, _cause, cause) => {
      const data = await cause();
      const [event, ...others] = await app.dataSource.query(
        'SELECT id, key, user_id, data FROM events WHERE user_id = $1 AND type = $2',
        [user.id, type],
      );
      expect([event.data, others]).toEqual([data, []]);
      await Promise.all(
        Array.from({ length: 3 }, () =>
          dispatch({ type, key: event.key, userId: user.id, data } as MailroomEvent),
        ),
      );
      await everythingTold();

      const told = notificationOf({ type, data } as unknown as MailroomEvent);
      const isOf = (each: { data: unknown }): boolean => isDeepStrictEqual(each.data, data);
      const stored = (await notifications()).filter((each) => each.type === told.type && isOf(each));
      expect(stored).toHaveLength(1);
      expect(stored[0]).toMatchObject({ ...told, is_read: false });

      const toasts = stream.events.filter((each) => each.data.type === told.type && isOf(each.data));
      expect(toasts).toHaveLength(1);
      expect(toasts[0]).toMatchObject({
        id: event.id,
        data: { ...told, id: event.id, notification_id: stored[0].id },
      });

      const deliveries = received().filter((each) => each.event === type && isOf(each));
      if (type === 'weekly.report') expect(deliveries).toEqual([]);
      else {
        expect(deliveries).toEqual([
          { id: event.id, event: type, timestamp: toasts[0]!.data.created_at, data },
        ]);
        const { body } = await user.api.get('/api/webhooks');
        expect(body[0]).toMatchObject({ last_status: 200, is_active: true });
      }
      expect((await notifications()).map((each) => each.type).sort()).toEqual(
        stream.events.map((each) => each.data.type).sort(),
      );
    },
  );

  it('should reach no listener when their cause is rolled back', async () => {
    const rolledBack = app.app.get(Transactions).run(async (transaction) => {
      await app.app.get(EventDispatcher).dispatch(ruleExecuted('undone'), transaction);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    const attempted = app.app.get(Transactions).run(async (transaction) => {
      await transaction
        .runInSavepoint(async () => {
          await app.app.get(EventDispatcher).dispatch(ruleExecuted('undone too'), transaction);
          throw new Error('to the savepoint');
        })
        .catch(() => undefined);
    });
    await attempted;
    await everythingTold();
    expect([(await notifications()).length, stream.events.length, received().length]).toEqual([1, 1, 1]);
  });
});
