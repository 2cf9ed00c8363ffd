import { ArchivingHealthService } from '../../../../src/keep/continuous/health/archiving-health.service';
import { startTestApp, TestApp } from '../../../support/app';
import { KeptMailbox } from '../../../support/archiving/kept-mailbox';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';
import { WebhookReceiver } from '../../../support/webhooks/receiver';

const HOUR_MS = 3_600_000;

describe('The state of continuous archiving', () => {
  let app: TestApp;
  let user: TestUser;
  let receiver: WebhookReceiver;
  let box: KeptMailbox;
  let mailboxes = 0;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    // Gauges follow the newest application of the process.
    app = await startTestApp({ sandbox: { messages: 1 }, own: true });
  });
  afterAll(async () => {
    await app?.close();
    await receiver?.close();
  });

  beforeEach(async () => {
    app.sandbox.clearFaults();
    user = await app.user();
    box = await KeptMailbox.connect(app, user, `health${(mailboxes += 1)}-2@sandbox.mailroom.test`);
    await box.keep();
    await box.lookUntilDone();
  });

  const judge = (hoursFromNow = 0): Promise<number> =>
    app.app.get(ArchivingHealthService).judgeAll(new Date(Date.now() + hoursFromNow * HOUR_MS));

  const events = (): Promise<any[]> =>
    app.dataSource.query(
      `SELECT type, data FROM events WHERE user_id = $1 AND type LIKE 'archiving.%' ORDER BY created_at, id`,
      [user.id],
    );

  const notifications = async (): Promise<any[]> =>
    (await user.api.get('/api/notifications')).body.notifications.filter(
      ({ type }: { type: string }) => type === 'integrity_alert',
    );

  it('should notify once when the grant was revoked, after the hours set by its owner, and of its end', async () => {
    await box.choose({ notifyAfterHours: 3 });
    const { email } = box.mailbox;
    app.sandbox.fault({ endpoint: 'oauth.token', answer: { kind: 'invalidGrant' }, times: 'always' });
    app.sandbox.fault({ endpoint: 'history.list', email, times: 'always', answer: { kind: 'unauthorized' } });
    await expect(box.look()).rejects.toMatchObject({ code: 'mailbox-reauth-required' });
    expect(await box.status()).toMatchObject({ state: 'needs_reconnection', reason: null, since: null });
    await judge();
    const { since } = await box.status();
    expect(Date.now() - Date.parse(since as string)).toBeLessThan(60_000);
    await judge(2.9);
    expect(await events()).toEqual([]);
    // Two processes judge, again and again.
    for (const hours of [3.1, 4, 30]) await Promise.all([judge(hours), judge(hours)]);
    const unhealthy = {
      type: 'archiving.unhealthy',
      data: { accountId: box.accountId, state: 'needs_reconnection', reason: null, since, pending: 0 },
    };
    expect(await events()).toEqual([unhealthy]);
    expect(await notifications()).toEqual([
      expect.objectContaining({ title: 'Archiving has stopped', data: unhealthy.data }),
    ]);
    app.sandbox.clearFaults();
    await user.connect(email);
    await box.look();
    expect(await box.status()).toMatchObject({ state: 'healthy', since: null });
    await judge();
    const recovered = { type: 'archiving.recovered', data: { accountId: box.accountId, since } };
    expect(await events()).toEqual([unhealthy, recovered]);
    expect(await box.status()).toMatchObject({ state: 'healthy', since: null });
    // The next episode is another one.
    await box.query(
      `UPDATE archiving_settings SET looked_at = now() - interval '1 hour' WHERE account_id = $1`,
    );
    await judge();
    await judge(5);
    expect(await events()).toHaveLength(3);
  });

  it('should notify webhooks', async () => {
    const hook = { name: 'Keeper', url: receiver.url('/keeper'), type: 'generic' };
    const eventNames = ['archiving.unhealthy', 'archiving.recovered'];
    expect((await user.api.post('/api/webhooks', { ...hook, events: eventNames })).status).toBe(201);
    await judge(24);
    await judge(48.5);
    await box.look();
    await judge();
    const received = await waitFor('both deliveries', async () => {
      const all = receiver.at('/keeper');
      return all.length === 2 ? all : undefined;
    });
    expect(received.map(({ body }) => JSON.parse(body.toString()).event).toSorted()).toEqual(
      eventNames.toSorted(),
    );
  });

  it('should be exported to Prometheus', async () => {
    await box.choose({ paused: true });
    const { bytes } = await app.anonymous.get('/metrics');
    const text = bytes.toString();
    const accounts = [...text.matchAll(/^mailroom_archiving_accounts\{state="(\w+)"\} (\d+)$/gm)];
    expect(accounts.map(([, state]) => state)).toEqual([
      'off',
      'needs_reconnection',
      'paused',
      'quota_full',
      'behind',
      'healthy',
    ]);
    const paused = accounts.find(([, state]) => state === 'paused')?.[2];
    expect(Number(paused)).toBeGreaterThanOrEqual(1);
    expect(text).toMatch(/^mailroom_archiving_oldest_pending_seconds \d/m);
    expect(text).toMatch(/^mailroom_archiving_last_look_seconds \d/m);
  });
});
