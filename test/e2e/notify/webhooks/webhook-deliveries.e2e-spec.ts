import type { INestApplication } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { HostResolver } from '../../../../src/platform/egress/host-resolver';
import { AppConfig } from '../../../../src/platform/config/app-config';
import { WebhooksService } from '../../../../src/notify/webhooks/webhooks.service';
import { BullQueues } from '../../../../src/platform/redis/bull-queues';
import { WebhookDeliveriesRepository } from '../../../../src/notify/webhooks/webhook-deliveries.repository';
import { WebhookSender } from '../../../../src/notify/webhooks/webhook-sender';
import { WebhookTimings } from '../../../../src/notify/webhooks/webhook-timings';
import { startTestApp, TestApp } from '../../../support/app';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';
import { WebhookFixture, dispatchJobEnd } from '../../../support/webhooks/webhook-fixture';
import { answer, isSigned, Reaction, WebhookReceiver } from '../../../support/webhooks/receiver';

const SHORT = {
  requestMs: 5_000,
  retriesMs: [20, 40, 60, 80, 100],
  writeAgainMs: 20,
  shutdownMs: 300,
} satisfies Partial<WebhookTimings>;

describe('Webhook deliveries', () => {
  let app: TestApp;
  let receiver: WebhookReceiver;
  let user: TestUser;
  let paths = 0;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    app = await startTestApp({ sandbox: { messages: 1 } });
    user = await app.user();
  });

  beforeEach(async () => {
    hurry();
    // What happens in a test concerns the webhooks of that test.
    await app.dataSource.query('UPDATE webhooks SET is_active = false');
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await app?.close();
    await receiver?.close();
  });

  const hurry = (timings: Partial<WebhookTimings> = {}, of: INestApplication | undefined = app.app): void =>
    void Object.assign(of.get(WebhookTimings), new WebhookTimings(), SHORT, timings);

  const path = (): string => `/hook-${(paths += 1)}`;

  const webhook = (reaction: Reaction, owner = user, at = path()): Promise<WebhookFixture> =>
    WebhookFixture.add(app, owner, receiver.on(at, reaction));

  /** Its wake-ups reach nobody: what is waiting has to be found. */
  const nobodyWakes = (): void =>
    void jest.spyOn(app.app.get(BullQueues), 'wake').mockImplementation(() => undefined);

  it('should let 1,000 deliveries wait for a webhook, and send it no further events until some have ended', async () => {
    const slow = await webhook(answer(503));
    const other = await webhook(answer(200));
    await app.dataSource.query(
      `INSERT INTO webhook_deliveries (id, webhook_id, user_id, event_id, event, data, occurred_at, next_attempt_at)
       SELECT gen_random_uuid(), $1, $2, gen_random_uuid(), 'job.completed', '{}', now(), now() + interval '1 hour'
       FROM generate_series(1, 1000)`,
      [slow.id, user.id],
    );
    await slow.dispatchJobEnd();
    expect(await other.ended()).toHaveLength(1);
    expect(await slow.deliveries()).toHaveLength(1_000);
    await app.dataSource.query(
      `UPDATE webhook_deliveries SET status = 'failed', completed_at = now(), next_attempt_at = NULL
       WHERE id = (SELECT id FROM webhook_deliveries WHERE webhook_id = $1 LIMIT 1)`,
      [slow.id],
    );
    await slow.dispatchJobEnd();
    expect(await slow.deliveries()).toHaveLength(1_001);
  });

  it('should send the event once, signed, and record the attempt', async () => {
    const at = path();
    const sut = await webhook(answer(200), user, at);
    const data = await sut.dispatchJobEnd();
    const [delivery] = await sut.ended();
    const [request, ...others] = receiver.at(at);
    expect(others).toEqual([]);
    expect(request!.headers).toMatchObject({ 'content-type': 'application/json', connection: 'close' });
    expect(isSigned(request!, sut.secret)).toBe(true);
    expect(request!.headers['webhook-id']).toBe(delivery!.event_id);
    expect(JSON.parse(request!.body.toString())).toEqual({
      id: delivery!.event_id,
      event: 'job.completed',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
      data,
    });
    expect(delivery).toMatchObject({
      status: 'delivered',
      next_attempt_at: null,
      lease_token: null,
      attempts: [{ status: 200, error: null, durationMs: expect.any(Number), at: expect.any(String) }],
    });
    const row = await sut.row();
    expect(row).toMatchObject({ last_status: 200, is_active: true });
    expect(row.last_triggered_at.toISOString()).toBe(delivery!.attempts[0]!.at);
  });

  it('should retry the same request after every wait, and fail in the end', async () => {
    const at = path();
    const sut = await webhook(answer(500), user, at);
    await sut.dispatchJobEnd();
    const [delivery] = await sut.ended();
    expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null });
    expect(delivery!.attempts.map(({ status, error }) => [status, error])).toEqual(
      Array.from({ length: 6 }, () => [500, null]),
    );
    const requests = receiver.at(at);
    expect(requests).toHaveLength(6);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([delivery!.event_id]),
    );
    expect(new Set(requests.map(({ body }) => body.toString())).size).toBe(1);
    expect(requests.every((request) => isSigned(request, sut.secret))).toBe(true);
    // Timers may be a millisecond early, waits begin when the answer was written down.
    SHORT.retriesMs.forEach((wait, index) =>
      expect(requests[index + 1]!.at - requests[index]!.at).toBeGreaterThan(wait - 5),
    );
    expect((await sut.row()).last_status).toBe(500);
  });

  it('should wait as long as the receiver requests, within limits', async () => {
    const waits = async (seconds: string): Promise<number> => {
      const sut = await webhook(answer(429, { 'Retry-After': seconds }));
      await sut.dispatchJobEnd();
      const row = await sut.attempted(1);
      return (row.next_attempt_at!.getTime() - Date.parse(row.attempts[0]!.at)) / 1_000;
    };
    expect(Math.abs((await waits('3600')) - 3600 * 1.1)).toBeLessThan(3600 * 0.1 + 60);
    expect(Math.abs((await waits('99999999')) - 6 * 3600 * 1.1)).toBeLessThan(6 * 3600 * 0.1 + 60);
  });

  it('should fail permanently when the receiver answers 410, and switch the webhook off', async () => {
    const owner = await app.user();
    let status = 503;
    const sut = await webhook((response) => answer(status, { 'Retry-After': '999' })(response, null!), owner);
    await sut.dispatchJobEnd();
    await sut.attempted(1);
    status = 410;
    await sut.dispatchJobEnd();
    const deliveries = await sut.ended(2);
    expect(deliveries.map((delivery) => delivery.status)).toEqual(['cancelled', 'failed']);
    expect(deliveries[1]!.attempts).toMatchObject([{ status: 410, error: null }]);
    expect(await sut.row()).toMatchObject({ is_active: false, disabled_reason: 'gone', last_status: 410 });
    const acts = await app.dataSource.query(
      'SELECT action, user_id FROM audit_entries WHERE target_id = $1',
      [sut.id],
    );
    expect(acts).toEqual([{ action: 'webhook.switched-off', user_id: owner.id }]);
    await sut.dispatchJobEnd();
    expect(await sut.deliveries()).toHaveLength(2);
  });

  it('should not switch a webhook off for a 410 from its former address', async () => {
    const present = path();
    const sut: WebhookFixture = await webhook((response) => {
      app.dataSource
        .query('UPDATE webhooks SET sealed_target = $2 WHERE id = $1', [
          sut.id,
          sut.sealed(receiver.url(present)),
        ])
        .then(() => response.writeHead(410).end())
        .catch(() => response.destroy());
    });
    await sut.dispatchJobEnd();
    expect(await sut.ended()).toMatchObject([
      { status: 'delivered', attempts: [{ status: 410 }, { status: 204 }] },
    ]);
    expect(await sut.row()).toMatchObject({ is_active: true, disabled_reason: null, last_status: 204 });
  });

  it('should fail at a redirect and not follow it', async () => {
    hurry({ retriesMs: [] });
    const elsewhere = path();
    const sut = await webhook(answer(307, { Location: receiver.url(elsewhere) }));
    await sut.dispatchJobEnd();
    expect(await sut.ended()).toMatchObject([
      { status: 'failed', attempts: [{ status: 307, error: 'redirect' }] },
    ]);
    expect(receiver.at(elsewhere)).toEqual([]);
  });

  it('should not delay other receivers, whatever one receiver does', async () => {
    hurry({ requestMs: 1_000, retriesMs: [] });
    let poured = 0;
    const pour = (response: ServerResponse, pieces: () => string | Buffer | null, everyMs: number): void => {
      response.writeHead(200).flushHeaders();
      const timer = setInterval(() => {
        const piece = pieces();
        if (piece !== null && response.write(piece)) poured += piece.length;
      }, everyMs);
      response.once('close', () => clearInterval(timer));
    };
    const before = receiver.received.length;
    const huge = Buffer.alloc(1024 * 1024);
    const reactions: Record<string, [Reaction, number]> = {
      hangs: [() => undefined, 0],
      trickles: [(response) => pour(response, () => 'x', 20), 200],
      silent: [(response) => pour(response, () => null, 1_000), 200],
      endless: [(response) => pour(response, () => huge, 1), 200],
    };
    const [hostile, ...victims] = [await app.user(), await app.user()];
    const webhooks: [WebhookFixture, number][] = [];
    for (const [reaction, status] of Object.values(reactions)) {
      webhooks.push([await webhook(reaction, hostile), status]);
    }
    const others = await Promise.all(victims.map((other) => webhook(answer(200), other)));
    await dispatchJobEnd(app, hostile);
    await waitFor('all of them to be at it', () => receiver.received.length >= before + 4);
    for (const other of others) await other.dispatchJobEnd();
    for (const other of others) {
      expect(await other.ended()).toMatchObject([{ status: 'delivered' }]);
    }
    // They were through while the others were still being bothered.
    const [hanging] = await webhooks[0]![0].deliveries();
    expect(hanging!.completed_at).toBeNull();
    for (const [sut, status] of webhooks) {
      const [delivery] = await sut.ended();
      expect(delivery).toMatchObject({
        status: status === 200 ? 'delivered' : 'failed',
        attempts: [{ status }],
      });
      expect(delivery!.attempts[0]!.durationMs).toBeLessThan(4_000);
    }
    // What fits into the buffers between the two on top of 64 KiB.
    expect(poured).toBeLessThan(64 * 1024 * 1024);
  });

  it('should connect to the address that was checked, even when the name resolves to another one later', async () => {
    hurry({ retriesMs: [20, 20] });
    const at = path();
    receiver.on(at, answer(500));
    const answers = ['127.0.0.1', '169.254.169.254', '::ffff:169.254.169.254'];
    jest.spyOn(app.app.get(HostResolver), 'resolve').mockImplementation(async () => answers.splice(0, 1));
    const sut = await WebhookFixture.add(app, user, `http://rebinding.example:${receiver.port}${at}`);
    await sut.dispatchJobEnd();
    expect(await sut.ended()).toMatchObject([
      {
        status: 'failed',
        attempts: [
          { status: 500, error: null },
          { status: 0, error: 'address-refused' },
          { status: 0, error: 'address-refused' },
        ],
      },
    ]);
    expect(receiver.at(at).map(({ headers }) => headers.host)).toEqual([
      `rebinding.example:${receiver.port}`,
    ]);
    expect((await sut.row()).last_status).toBe(0);
  });

  it('should not connect to private networks that are denied', async () => {
    hurry({ retriesMs: [] });
    const egress = app.app.get(AppConfig).egress;
    const { allowPrivateNetworks } = egress;
    const at = path();
    const webhooks = [
      await webhook(answer(200), user, at),
      await WebhookFixture.add(app, user, `http://localhost:${receiver.port}${at}`),
    ];
    Object.assign(egress, { allowPrivateNetworks: false });
    try {
      await dispatchJobEnd(app, user);
      for (const sut of webhooks) {
        expect(await sut.ended()).toMatchObject([{ attempts: [{ status: 0, error: 'address-refused' }] }]);
      }
      expect(receiver.at(at)).toEqual([]);
    } finally {
      Object.assign(egress, { allowPrivateNetworks });
    }
  });

  it('should be cancelled when the webhook or its user is inactive', async () => {
    const owner = await app.user();
    const [off, ofInactive] = [path(), path()];
    const webhooks = [await webhook(answer(200), user, off), await webhook(answer(200), owner, ofInactive)];
    for (const sut of webhooks) {
      jest.spyOn(app.app.get(WebhookDeliveriesRepository), 'claim').mockResolvedValue([]);
      for (let times = 0; times < 3; times += 1) await sut.dispatchJobEnd();
    }
    await app.dataSource.query('UPDATE webhooks SET is_active = false WHERE id = $1', [webhooks[0]!.id]);
    await app.dataSource.query('UPDATE users SET is_active = false WHERE id = $1', [owner.id]);
    jest.restoreAllMocks();
    for (const sut of webhooks) {
      expect((await sut.ended(3)).map(({ status, attempts }) => [status, attempts.length])).toEqual(
        Array.from({ length: 3 }, () => ['cancelled', 0]),
      );
    }
    expect([...receiver.at(off), ...receiver.at(ofInactive)]).toEqual([]);
  });

  it('should not be retried when the webhook was switched off during the attempt', async () => {
    let toggled: Promise<unknown> | undefined;
    const sut: WebhookFixture = await webhook((response) => {
      toggled = user.api
        .patch(`/api/webhooks/${sut.id}/toggle`)
        .finally(() => answer(503, { 'Retry-After': '3600' })(response, null!));
    });
    await sut.dispatchJobEnd();
    expect(await sut.ended()).toMatchObject([
      { status: 'cancelled', attempts: [{ status: 503 }], next_attempt_at: null, lease_token: null },
    ]);
    await toggled;
  });

  it('should be cancelled without waiting for locked rows', async () => {
    const sut = await webhook(answer(200));
    const leases = app.app.get(WebhookDeliveriesRepository);
    jest.spyOn(leases, 'claim').mockResolvedValue([]);
    for (let times = 0; times < 3; times += 1) await sut.dispatchJobEnd();
    const [waiting, ...held] = await sut.deliveries();
    const lease = { id: held[0]!.id, token: sut.id };
    await app.dataSource.query(
      `UPDATE webhook_deliveries SET lease_token = $2, lease_until = now() + interval '1 hour' WHERE id = $1`,
      [lease.id, lease.token],
    );
    await app.dataSource.query('UPDATE webhooks SET is_active = false WHERE id = $1', [sut.id]);
    // The removal of a user deletes deliveries in an order of its own: who waits for it while holding others is a deadlock.
    await app.dataSource.transaction(async (removal) => {
      await removal.query('SELECT 1 FROM webhook_deliveries WHERE id = ANY($1) FOR UPDATE', [
        held.map(({ id }) => id),
      ]);
      await leases.cancelUndeliverable([sut.id]);
      await leases.cancel([lease]);
      expect((await sut.deliveries()).map(({ status }) => status)).toEqual([
        'cancelled',
        'pending',
        'pending',
      ]);
    });
    await leases.cancel([lease]);
    await leases.cancelUndeliverable([sut.id]);
    expect(waiting).toBeDefined();
    expect((await sut.ended(3)).map(({ status }) => status)).toEqual(Array(3).fill('cancelled'));
  });

  describe('in two processes', () => {
    let other: INestApplication | undefined;

    beforeAll(async () => {
      ({ app: other } = await app.another());
    });

    beforeEach(() => hurry({ shutdownMs: 200 }, other));

    const stop = async (): Promise<void> => {
      await other?.close();
      other = undefined;
    };

    afterAll(stop);

    it('should keep the limits per webhook and per user, and serve other users in between', async () => {
      const held: ServerResponse[] = [];
      let holding = true;
      const hold: Reaction = (response) =>
        holding ? void held.push(response) : void response.writeHead(200).end();
      const prefix = '/limited-';
      for (const counted of [prefix, `${prefix}0`, `${prefix}1`, `${prefix}2`]) receiver.countOpen(counted);
      const webhooks = await Promise.all([0, 1, 2].map((index) => webhook(hold, user, `${prefix}${index}`)));
      for (let times = 0; times < 5; times += 1) await dispatchJobEnd(app, user);
      await waitFor('the first to be held', () => held.length >= 4);
      const free = await webhook(answer(200), await app.user());
      await free.dispatchJobEnd();
      expect(await free.ended()).toMatchObject([{ status: 'delivered' }]);
      expect(held).toHaveLength(4);
      holding = false;
      for (const response of held) response.writeHead(200).end();
      for (const sut of webhooks) {
        expect((await sut.ended(5)).every(({ status }) => status === 'delivered')).toBe(true);
      }
      expect(receiver.mostOpen(prefix)).toBe(4);
      for (const index of [0, 1, 2]) expect(receiver.mostOpen(`${prefix}${index}`)).toBeLessThanOrEqual(2);
      expect(receiver.received.filter((request) => request.path.startsWith(prefix))).toHaveLength(15);
    });

    it('should be sent once', async () => {
      const owners = [user, await app.user(), await app.user()];
      const prefix = '/once-';
      // Slow enough for the second process to be woken while the first is at work.
      const slowly: Reaction = (response) => void setTimeout(() => response.writeHead(200).end(), 50);
      const webhooks = await Promise.all(
        owners.map((owner, index) => webhook(slowly, owner, `${prefix}${index}`)),
      );
      const taken = [app.app, other!].map((one) => jest.spyOn(one.get(WebhookSender), 'attempt'));
      for (let times = 0; times < 10; times += 1) {
        await Promise.all(owners.map((owner) => dispatchJobEnd(app, owner)));
      }
      for (const sut of webhooks) {
        const rows = await sut.ended(10);
        expect(rows.map(({ status, attempts }) => [status, attempts.length])).toEqual(
          Array.from({ length: 10 }, () => ['delivered', 1]),
        );
      }
      const ids = receiver.received
        .filter((request) => request.path.startsWith(prefix))
        .map(({ path: at, headers }) => `${at} ${String(headers['webhook-id'])}`);
      expect(ids).toHaveLength(30);
      expect(new Set(ids).size).toBe(30);
      for (const made of taken) expect(made).toHaveBeenCalled();
    });

    it('should finish before the process stops, or be given back when that takes too long', async () => {
      const [slow, hanging] = [path(), path()];
      const nobodyHere = jest.spyOn(app.app.get(WebhookDeliveriesRepository), 'claim').mockResolvedValue([]);
      const late = await webhook(
        (response) => void setTimeout(() => response.writeHead(200).end(), 100),
        user,
        slow,
      );
      const never = await webhook(
        (response) => {
          if (receiver.at(hanging).length > 1) response.writeHead(200).end();
        },
        user,
        hanging,
      );
      await dispatchJobEnd(app, user);
      await waitFor('both requests', () => receiver.at(slow).length + receiver.at(hanging).length === 2);
      await stop();
      expect(await late.deliveries()).toMatchObject([{ status: 'delivered', attempts: [{ status: 200 }] }]);
      expect(await never.deliveries()).toMatchObject([
        { status: 'pending', attempts: [], lease_token: null },
      ]);
      nobodyHere.mockRestore();
      expect(await never.ended()).toMatchObject([{ status: 'delivered', attempts: [{ status: 200 }] }]);
      const [first, second] = receiver.at(hanging).map(({ headers }) => headers['webhook-id']);
      expect(first).toBe(second);
      expect(receiver.at(slow)).toHaveLength(1);
    });
  });

  it('should be taken over from a dead process, with a lost attempt', async () => {
    const sut = await webhook(answer(200));
    const claims = jest.spyOn(app.app.get(WebhookDeliveriesRepository), 'claim').mockResolvedValue([]);
    await sut.dispatchJobEnd();
    await sut.dispatchJobEnd();
    const [taken, exhausted] = await sut.deliveries();
    const lost = { at: new Date().toISOString(), status: 0, error: 'lost', durationMs: 0 };
    for (const [id, attempts] of [[taken!.id, 0] as const, [exhausted!.id, 5] as const]) {
      await app.dataSource.query(
        `UPDATE webhook_deliveries SET lease_token = gen_random_uuid(), lease_until = now(), next_attempt_at = now(),
           attempts = $2 WHERE id = $1`,
        [id, JSON.stringify(Array.from({ length: attempts }, () => lost))],
      );
    }
    claims.mockRestore();
    const rows = await sut.ended(2);
    expect(rows.map(({ status }) => status)).toEqual(['delivered', 'failed']);
    expect(rows[0]!.attempts).toMatchObject([
      { status: 0, error: 'lost', at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
      { status: 200 },
    ]);
    // What ends every process that tries is not tried for ever.
    expect(rows[1]!.attempts).toHaveLength(6);
  });

  it('should be found without a wake-up, and survive errors of the database', async () => {
    const leases = app.app.get(WebhookDeliveriesRepository);
    nobodyWakes();
    const at = path();
    const sut = await webhook(answer(200), user, at);
    const claims = jest.spyOn(leases, 'claim').mockRejectedValueOnce(new Error('the database is away'));
    const writes = jest.spyOn(leases, 'writeBack').mockRejectedValueOnce(new Error('the database is away'));
    await sut.dispatchJobEnd();
    expect(await sut.ended()).toMatchObject([{ status: 'delivered', attempts: [{ status: 200 }] }]);
    expect(claims.mock.calls.length).toBeGreaterThan(1);
    expect(writes).toHaveBeenCalledTimes(2);
    expect(receiver.at(at)).toHaveLength(1);
  });

  it.each([
    ['fails', 500, 'cancelled'],
    ['succeeds', 200, 'delivered'],
  ])('should not be retried when cancelled during an attempt that %s', async (_, status, expected) => {
    const sut: WebhookFixture = await webhook((response) => {
      app.dataSource
        .query(
          `UPDATE webhook_deliveries SET status = 'cancelled', next_attempt_at = NULL, completed_at = now()
           WHERE webhook_id = $1`,
          [sut.id],
        )
        .then(() => response.writeHead(status).end())
        .catch(() => response.destroy());
    });
    await sut.dispatchJobEnd();
    const row = await sut.attempted(1);
    expect(row).toMatchObject({ status: expected, next_attempt_at: null, attempts: [{ status }] });
    expect(row.completed_at).not.toBeNull();
  });

  it('should log a delivery that cannot be sent, and continue', async () => {
    hurry({ retriesMs: [] });
    const [broken, sound] = [await webhook(answer(200)), await webhook(answer(200))];
    await app.dataSource.query(`UPDATE webhooks SET sealed_target = 'v1.AAAA' WHERE id = $1`, [broken.id]);
    await dispatchJobEnd(app, user);
    expect(await broken.ended()).toMatchObject([
      { status: 'failed', attempts: [{ status: 0, error: 'not-sent' }] },
    ]);
    expect(await sound.ended()).toMatchObject([{ status: 'delivered' }]);
  });

  it('should be counted', async () => {
    const { bytes } = await app.anonymous.get('/metrics');
    const metrics = bytes.toString();
    expect(metrics).toMatch(/^mailroom_webhook_attempts_total\{outcome="2xx"\} [1-9]/m);
    expect(metrics).toMatch(/^mailroom_webhook_attempts_total\{outcome="redirect"\} [1-9]/m);
    expect(metrics).toMatch(/^mailroom_webhook_deliveries_open \d/m);
    expect(metrics).toMatch(/^mailroom_webhook_delivery_age_seconds \d/m);
  });

  it('should be deleted 30 days after their end', async () => {
    const sut = await webhook(answer(200));
    for (let times = 0; times < 3; times += 1) await sut.dispatchJobEnd();
    const rows = await sut.ended(3);
    const ids = rows.map(({ id }) => id);
    const age = (id: string, days: number): Promise<unknown> =>
      app.dataSource.query(
        `UPDATE webhook_deliveries SET completed_at = now() - make_interval(days => $2) WHERE id = $1`,
        [id, days],
      );
    await age(ids[0]!, 31);
    await age(ids[1]!, 29);
    const removed = await Promise.all([1, 2].map(() => app.app.get(WebhooksService).deleteOldDeliveries()));
    expect(removed[0]! + removed[1]!).toBe(1);
    expect((await sut.deliveries()).map(({ id }) => id)).toEqual(ids.slice(1));
  });
});
