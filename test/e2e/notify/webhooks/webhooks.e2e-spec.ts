import { newId } from '../../../../src/platform/crypto/ids';
import { startTestApp, TestApp } from '../../../support/app';
import type { ApiAnswer } from '../../../support/api-client';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';
import {
  ContractReceiver,
  readBlocks,
  readEmbed,
  readGeneric,
  readPush,
} from '../../../support/webhooks/contract-receiver';

const PATH = '/api/webhooks';
const EVENTS = [
  'job.completed',
  'job.failed',
  'rule.executed',
  'quota.warning',
  'integrity.failed',
  'archiving.unhealthy',
  'archiving.recovered',
];
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('Webhooks', () => {
  let sut: TestApp;
  let receiver: ContractReceiver;
  let user: TestUser;
  let stranger: TestUser;

  beforeAll(async () => {
    receiver = await ContractReceiver.start();
    sut = await startTestApp({ sandbox: { messages: 1 } });
    [user, stranger] = [await sut.user(), await sut.user()];
  });

  afterAll(async () => {
    await sut?.close();
    await receiver?.close();
  });

  beforeEach(async () => {
    receiver.status = 200;
    await sut.dataSource.query('DELETE FROM webhooks');
  });

  const fields = (more: object = {}): object => ({
    name: 'Chat',
    url: receiver.url(`/${newId()}`),
    events: ['job.completed'],
    ...more,
  });

  const add = async (more: object = {}): Promise<any> => {
    const { status, body } = await user.api.post(PATH, fields(more));
    expect(status).toBe(201);
    return body;
  };

  const list = async (of = user): Promise<any[]> => (await of.api.get(PATH)).body as any[];

  const test = (id: string): Promise<ApiAnswer> => user.api.post(`${PATH}/${id}/test`);

  const deliveries = async (id: string, query = ''): Promise<any> => {
    const { status, body } = await user.api.get(`${PATH}/${id}/deliveries${query}`);
    expect(status).toBe(200);
    return body;
  };

  const wrongFields = ({ status, body }: ApiAnswer): unknown[] => [
    status,
    body.code,
    body.errors?.map((error: any) => error.field),
  ];

  /** Adds a delivery as the dispatcher does, not due for an hour. */
  const deliver = async (webhookId: string, status = 'pending'): Promise<string> => {
    const id = newId();
    await sut.dataSource.query(
      `INSERT INTO webhook_deliveries
         (id, webhook_id, user_id, event_id, event, data, occurred_at, status, next_attempt_at)
       VALUES ($1, $2, $3, $4, 'job.failed', '{}', now(), $5, now() + interval '1 hour')`,
      [id, webhookId, user.id, newId(), status],
    );
    return id;
  };

  const acts = async (webhookId: string): Promise<unknown[]> => {
    const rows: { action: string; details: object }[] = await sut.dataSource.query(
      `SELECT action, details FROM audit_entries
       WHERE user_id = $1 AND actor_id = $1 AND target_type = 'webhook' AND target_id = $2 ORDER BY sequence`,
      [user.id, webhookId],
    );
    return rows.map(({ action, details }) => [action, details]);
  };

  describe('adding', () => {
    it('should return the new webhook, with a secret if it is generic, and list the newest first', async () => {
      const first = await add({ events: EVENTS });
      expect(first).toEqual({
        id: expect.any(String),
        user_id: user.id,
        name: 'Chat',
        url: expect.stringContaining('http://127.0.0.1:'),
        type: 'generic',
        events: EVENTS,
        is_active: true,
        secret: expect.stringMatching(SECRET),
        last_triggered_at: null,
        last_status: 0,
        created_at: expect.stringMatching(ISO),
        disabled_reason: null,
      });
      const others: any[] = [];
      for (const type of ['embedchat', 'blockchat', 'pushnotify', 'generic'])
        others.push(await add({ type }));
      expect(others.map(({ type }) => type)).toEqual(['embedchat', 'blockchat', 'pushnotify', 'generic']);
      expect(others.slice(0, 3).map(({ secret }) => secret)).toEqual([null, null, null]);
      expect(others[3].secret).toMatch(SECRET);
      expect(others[3].secret).not.toBe(first.secret);
      expect(await list()).toEqual([first, ...others].reverse());
      expect(await acts(first.id)).toEqual([['webhook.created', { type: 'generic', events: EVENTS }]]);
    });

    it('should ignore repeated events and trim the name', async () => {
      const webhook = await add({
        name: '  a\u00a0b ',
        events: ['job.failed', 'quota.warning', 'job.failed'],
      });
      expect(webhook).toMatchObject({ name: 'a\u00a0b', events: ['job.failed', 'quota.warning'] });
    });

    it('should store address and secret encrypted', async () => {
      const { url, secret } = await add();
      const [row] = await sut.dataSource.query(
        'SELECT webhooks::text AS text FROM webhooks WHERE user_id = $1',
        [user.id],
      );
      expect(row.text).not.toContain(new URL(url as string).pathname.slice(1));
      expect(row.text).not.toContain((secret as string).slice(6));
    });

    it('should stop at 50, even with concurrent requests', async () => {
      const answers = await Promise.all(Array.from({ length: 56 }, () => user.api.post(PATH, fields())));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
        Array.from({ length: 6 }, () => [409, 'webhook-limit']),
      );
      const [oldest] = (await list()).slice(-1);
      await user.api.delete(`${PATH}/${oldest.id}`);
      await add();
      expect(await list()).toHaveLength(50);
    });

    it('should name every missing field', async () => {
      const answer = await user.api.post(PATH, {});
      expect(wrongFields(answer)).toEqual([400, 'validation-failed', ['name', 'url', 'events']]);
    });
  });

  it.each<[string, object, string]>([
    ['an empty name', { name: ' ' }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(101) }, 'name'],
    ['a name of two lines', { name: 'a\nb' }, 'name'],
    ['no name', { name: null }, 'name'],
    ['a number as address', { url: 7 }, 'url'],
    ['no address', { url: null }, 'url'],
    ['an address that is none', { url: 'example.org/hook' }, 'url'],
    ['a file', { url: 'file:///etc/passwd' }, 'url'],
    ['an address with a password', { url: 'https://a:b@example.org/' }, 'url'],
    ['an address that is too long', { url: `https://example.org/${'x'.repeat(2_048)}` }, 'url'],
    ['the metadata service', { url: 'http://169.254.169.254/latest' }, 'url'],
    ['the metadata service in other digits', { url: 'http://2852039166/' }, 'url'],
    ['the metadata service as IPv6', { url: 'http://[::ffff:a9fe:a9fe]/' }, 'url'],
    ['a link-local address', { url: 'https://[fe80::1]:8443/' }, 'url'],
    ['an unknown type', { type: 'smoke' }, 'type'],
    ['no type', { type: null }, 'type'],
    ['no event', { events: [] }, 'events'],
    ['an event without a list', { events: 'job.failed' }, 'events'],
    ['an unknown event', { events: ['job.failed', 'weekly.report'] }, 'events'],
    ['events that are null', { events: null }, 'events'],
    ['an event that is null', { events: [null] }, 'events'],
  ])('should refuse %s', async (_what, wrong, field) => {
    const { id } = await add({ type: 'embedchat' });
    const before = await list();
    expect(wrongFields(await user.api.post(PATH, fields(wrong)))).toEqual([
      400,
      'validation-failed',
      [field],
    ]);
    expect(wrongFields(await user.api.put(`${PATH}/${id}`, wrong))).toEqual([
      400,
      'validation-failed',
      [field],
    ]);
    expect(await list()).toEqual(before);
  });

  describe('changing', () => {
    const change = async (id: string, changes: object): Promise<any> => {
      const { status, body } = await user.api.put(`${PATH}/${id}`, changes);
      expect(status).toBe(200);
      return body;
    };

    it('should change only the given fields', async () => {
      const webhook = await add({ type: 'embedchat', events: ['job.failed'] });
      expect(await change(webhook.id, { name: 'Renamed' })).toEqual({ ...webhook, name: 'Renamed' });
      const generic = await add();
      const url = receiver.url('/elsewhere');
      expect(await change(generic.id, { url })).toEqual({ ...generic, url });
      const events = ['quota.warning', 'quota.warning'];
      expect(await change(generic.id, { events, id: newId(), is_active: false, secret: 'mine' })).toEqual({
        ...generic,
        url,
        events: ['quota.warning'],
      });
      expect(await acts(generic.id)).toEqual([
        ['webhook.created', { type: 'generic', events: ['job.completed'] }],
        ['webhook.changed', { fields: ['url'] }],
        ['webhook.changed', { fields: ['events'] }],
      ]);
    });

    it('should create a secret when the type becomes generic, and delete it when it no longer is', async () => {
      const webhook = await add({ type: 'pushnotify' });
      const generic = await change(webhook.id, { type: 'generic' });
      expect(generic).toEqual({ ...webhook, type: 'generic', secret: expect.stringMatching(SECRET) });
      expect(await change(webhook.id, { type: 'generic', name: 'Same' })).toEqual({
        ...generic,
        name: 'Same',
      });
      expect(await change(webhook.id, { type: 'blockchat' })).toMatchObject({
        type: 'blockchat',
        secret: null,
      });
      const again = await change(webhook.id, { type: 'generic' });
      expect(again.secret).toMatch(SECRET);
      expect(again.secret).not.toBe(generic.secret);
    });

    it.each([{}, { secret: 'x', is_active: true }])('should refuse %j', async (body) => {
      const answer = await user.api.put(`${PATH}/${(await add()).id}`, body);
      expect([answer.status, answer.body.code]).toEqual([400, 'no-fields']);
    });

    it('should ask for the address again when it can no longer be read', async () => {
      const webhook = await add();
      await sut.dataSource.query(`UPDATE webhooks SET sealed_target = 'v1.AAAA' WHERE id = $1`, [webhook.id]);
      expect(await list()).toEqual([{ ...webhook, url: '', secret: null }]);
      for (const answer of [
        await test(webhook.id),
        await user.api.put(`${PATH}/${webhook.id}`, { name: 'x' }),
      ]) {
        expect([answer.status, answer.body.code]).toEqual([409, 'webhook-target-unreadable']);
      }
      const restored = await change(webhook.id, { url: webhook.url });
      expect(restored).toEqual({ ...webhook, secret: expect.stringMatching(SECRET) });
      expect(restored.secret).not.toBe(webhook.secret);
    });
  });

  describe('switching', () => {
    const toggle = async (id: string): Promise<any> => {
      const { status, body } = await user.api.patch(`${PATH}/${id}/toggle`);
      expect(status).toBe(200);
      return body;
    };

    it('should toggle the webhook, cancel open deliveries, and clear the reason it was off', async () => {
      const webhook = await add();
      const [open, done] = [await deliver(webhook.id), await deliver(webhook.id, 'failed')];
      const underWay = await deliver(webhook.id);
      await sut.dataSource.query(
        `UPDATE webhook_deliveries SET lease_token = $1, lease_until = now() + interval '1 hour' WHERE id = $2`,
        [newId(), underWay],
      );
      expect(await toggle(webhook.id)).toEqual({ ...webhook, is_active: false });
      const byId = new Map((await deliveries(webhook.id)).deliveries.map((each: any) => [each.id, each]));
      expect(byId.get(open)).toMatchObject({
        status: 'cancelled',
        next_attempt_at: null,
        completed_at: expect.stringMatching(ISO),
      });
      expect(byId.get(done)).toMatchObject({ status: 'failed' });
      expect(byId.get(underWay)).toMatchObject({ status: 'pending', completed_at: null });
      await sut.dataSource.query(`UPDATE webhooks SET disabled_reason = 'gone' WHERE id = $1`, [webhook.id]);
      expect(await list()).toMatchObject([{ is_active: false, disabled_reason: 'gone' }]);
      expect(await toggle(webhook.id)).toEqual(webhook);
      expect(await acts(webhook.id)).toEqual([
        expect.anything(),
        ['webhook.switched-off', { cancelled: 1 }],
        ['webhook.switched-on', {}],
      ]);
    });

    it('should toggle once per request, even concurrently', async () => {
      const { id } = await add();
      await Promise.all(Array.from({ length: 5 }, () => toggle(id)));
      expect(await list()).toMatchObject([{ is_active: false }]);
    });

    it('should cancel deliveries that an event adds at the same moment', async () => {
      const { id } = await add();
      const event = sut.dataSource.createQueryRunner();
      await event.startTransaction();
      await event.query('SELECT id FROM webhooks WHERE id = $1 AND is_active FOR KEY SHARE', [id]);
      const toggled = toggle(id);
      await waitFor('the switch to wait', async () => {
        const [{ waiting }] = await sut.dataSource.query(
          `SELECT count(*)::int AS waiting FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting > 0;
      });
      await event.query(
        `INSERT INTO webhook_deliveries
           (id, webhook_id, user_id, event_id, event, data, occurred_at, next_attempt_at)
         VALUES ($1, $2, $3, $4, 'job.failed', '{}', now(), now() + interval '1 hour')`,
        [newId(), id, user.id, newId()],
      );
      await event.commitTransaction();
      await event.release();
      await toggled;
      expect((await deliveries(id)).deliveries).toMatchObject([{ status: 'cancelled' }]);
    });
  });

  it('should delete a webhook with its deliveries', async () => {
    const [{ id }, kept] = [await add(), await add()];
    await deliver(id);
    const { status, bytes } = await user.api.delete(`${PATH}/${id}`);
    expect([status, bytes.length]).toEqual([204, 0]);
    expect(await list()).toEqual([kept]);
    expect((await user.api.delete(`${PATH}/${id}`)).status).toBe(404);
    const left = await sut.dataSource.query('SELECT 1 FROM webhook_deliveries WHERE webhook_id = $1', [id]);
    expect(left).toEqual([]);
    expect(await acts(id)).toEqual([expect.anything(), ['webhook.deleted', {}]]);
  });

  describe('testing', () => {
    const pathOf = ({ url }: { url: string }): string => new URL(url).pathname;

    it('should send a generic sample whose signatures a receiver accepts', async () => {
      const webhook = await add({ events: ['quota.warning'] });
      const { status, body } = await test(webhook.id);
      expect([status, body]).toEqual([200, { success: true }]);
      const [request, ...others] = receiver.at(pathOf(webhook));
      expect([request!.method, others]).toEqual(['POST', []]);
      const event = readGeneric(request!, webhook.secret as string);
      expect(event).toMatchObject({
        event: 'job.completed',
        data: {
          jobId: 'webhook_test-0',
          type: 'webhook_test',
          status: 'completed',
          accountId: null,
          total: 1,
          processed: 1,
          failed: 0,
          error: null,
        },
      });
      expect((await deliveries(webhook.id)).deliveries).toEqual([
        {
          id: expect.any(String),
          event_id: event.id,
          event: 'job.completed',
          data: event.data,
          status: 'delivered',
          attempts: [
            {
              at: expect.stringMatching(ISO),
              status: 200,
              error: null,
              duration_ms: expect.any(Number),
            },
          ],
          next_attempt_at: null,
          created_at: expect.stringMatching(ISO),
          completed_at: expect.stringMatching(ISO),
        },
      ]);
      expect(await list()).toEqual([
        { ...webhook, last_status: 200, last_triggered_at: expect.stringMatching(ISO) },
      ]);
    });

    it('should use the formats of chat platforms and push services, active or not', async () => {
      const sent = async (type: string): Promise<any> => {
        const webhook = await add({ type });
        await user.api.patch(`${PATH}/${webhook.id}/toggle`);
        expect((await test(webhook.id)).body).toEqual({ success: true });
        return receiver.at(pathOf(webhook))[0];
      };
      const [title, text] = ['Webhook test completed', '1 item was processed.'];
      expect(readEmbed(await sent('embedchat'))).toEqual({ title, text, colour: 'green' });
      expect(readBlocks(await sent('blockchat'))).toEqual({ title, text, summary: `${title}: ${text}` });
      expect(readPush(await sent('pushnotify'))).toEqual({
        title,
        text,
        priority: 3,
        tags: ['white_check_mark', 'job.completed'],
      });
    });

    it('should report a refused or unanswered sample, and leave the webhook switched on', async () => {
      const webhook = await add();
      receiver.status = 410;
      expect((await test(webhook.id)).body).toEqual({ success: false });
      expect(await list()).toMatchObject([{ last_status: 410, is_active: true, disabled_reason: null }]);
      await user.api.put(`${PATH}/${webhook.id}`, { url: 'http://127.0.0.1:1/' });
      expect((await test(webhook.id)).body).toEqual({ success: false });
      expect(await list()).toMatchObject([{ last_status: 0 }]);
      expect((await deliveries(webhook.id)).deliveries).toMatchObject([
        { status: 'failed', attempts: [{ status: 0, error: 'connection-refused' }], next_attempt_at: null },
        { status: 'failed', attempts: [{ status: 410, error: null }] },
      ]);
    });

    it('should allow one test at a time per webhook, and ten a minute per user', async () => {
      const eager = await sut.user();
      const owned = async (): Promise<any> => (await eager.api.post(PATH, fields())).body;
      const once = (id: string): Promise<ApiAnswer> => eager.api.post(`${PATH}/${id}/test`);
      const [one, other] = [await owned(), await owned()];
      let answer: () => void = () => undefined;
      receiver.ready = new Promise<void>((resolve) => (answer = resolve));
      const ended: ApiAnswer[] = [];
      const tests = [1, 2, 3].map(() => once(one.id).then((ending) => void ended.push(ending)));
      await waitFor('the refusals', async () => ended.length === 2);
      answer();
      await Promise.all(tests);
      expect(ended.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
      expect(receiver.at(pathOf(one))).toHaveLength(1);
      const refused = ended.find(({ status }) => status === 429)!;
      expect(refused.body.code).toBe('too-many-requests');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      const statuses: number[] = [];
      for (let time = 0; time < 8; time += 1) statuses.push((await once(other.id)).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 429]);
    });
  });

  it('should list deliveries by pages, newest first', async () => {
    const { id } = await add();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift(await deliver(id));
    const page = async (query: string): Promise<unknown> => {
      const { deliveries: found, ...rest } = await deliveries(id, query);
      return { ids: found.map((each: any) => each.id), ...rest };
    };
    expect(await page('')).toEqual({ ids, total: 5, page: 1, limit: 50 });
    expect(await page('?page=2&limit=2')).toEqual({ ids: ids.slice(2, 4), total: 5, page: 2, limit: 2 });
    expect(await page('?page=9&limit=1000')).toEqual({ ids: [], total: 5, page: 9, limit: 100 });
    for (const query of ['page=0', 'limit=x']) {
      const answer = await user.api.get(`${PATH}/${id}/deliveries?${query}`);
      expect(wrongFields(answer)).toEqual([400, 'validation-failed', [query.split('=')[0]]]);
    }
  });

  it('should answer 404 for unknown and foreign ids, and 400 for malformed ones', async () => {
    const webhook = await add();
    const calls = (id: string): [string, string, unknown?][] => [
      ['PUT', `${PATH}/${id}`, { name: 'x' }],
      ['PATCH', `${PATH}/${id}/toggle`],
      ['POST', `${PATH}/${id}/test`],
      ['GET', `${PATH}/${id}/deliveries`],
      ['DELETE', `${PATH}/${id}`],
    ];
    for (const [id, wanted, code] of [
      [webhook.id, 404, 'webhook-not-found'],
      [newId(), 404, 'webhook-not-found'],
      ['7', 400, 'validation-failed'],
    ] as const) {
      for (const [method, path, body] of calls(id)) {
        const response = await stranger.api.fetch(method, path, { body });
        const problem = (await response.json()) as { code: string };
        expect([method, response.status, problem.code]).toEqual([method, wanted, code]);
      }
    }
    expect(await list()).toEqual([webhook]);
    expect(await list(stranger)).toEqual([]);
    expect(receiver.at(new URL(webhook.url as string).pathname)).toEqual([]);
  });

  it('should require a token', async () => {
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', PATH],
      ['POST', `${PATH}/${newId()}/test`],
    ] as const) {
      expect((await sut.anonymous.fetch(method, path)).status).toBe(401);
    }
  });
});
