import { forEachConcurrently } from '../../src/platform/concurrency/for-each-concurrently';
import { startTestApp, TestApp } from '../support/app';
import { EventStream } from '../support/event-stream';
import { listsOf } from '../support/openapi/looks';
import { OpenApiDocument } from '../support/openapi/openapi-document';
import type { TestUser } from '../support/test-user';
import { WebhookReceiver } from '../support/webhooks/receiver';
import { closeConnections } from '../support/world/exchange';
import { Operation, OPERATIONS } from '../support/world/operations';
import { claimsOf } from '../support/world/tokens';
import { defaultsOf, Walker } from '../support/world/walker';
import { World } from '../support/world/world';
import contract from './service-contract.json';

/** Those make mail unreadable, end sessions or take an account away: last, in this order. */
const ENDS = [
  'POST /api/privacy/{accountId}/encryption/encrypt',
  'POST /api/unsubscribe/{accountId}/newsletters/{senderEmail}/delete',
  'PATCH /api/auth/mailbox/{accountId}/toggle',
  'DELETE /api/auth/mailbox/{accountId}',
  'POST /api/auth/password',
  'POST /api/auth/logout',
];

/** A user as they are when they have just registered. */
const NEW_USER = {
  is_active: true,
  max_mailbox_accounts: 5,
  storage_quota_bytes: 5 * 1024 ** 3,
  totp_enabled: false,
  name: null,
};
const ACCESS_TOKEN_SECONDS = 900;
const PREFERENCES = {
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

/** Lists of the first interface; each has an item in some answer. */
const LISTS = Object.entries(contract as Readonly<Record<string, { fields?: string }>>)
  .filter(([key]) => !key.endsWith('/events'))
  .flatMap(([key, { fields = '' }]) => fields.split(' ').flatMap((field) => listsOf(key, field)));

const matching = (pattern: RegExp): Operation[] =>
  OPERATIONS.filter(({ key }) => pattern.test(key) && !ENDS.includes(key));
const named = (...keys: readonly string[]): Operation[] =>
  keys.map((key) => OPERATIONS.find((operation) => operation.key === key)!);

describe('The service and its document', () => {
  let sut: TestApp;
  let receiver: WebhookReceiver;
  let admin: TestUser;
  let world: World;
  let walker: Walker;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    receiver = await WebhookReceiver.start();
    admin = await sut.user('admin');
    world = await World.create(sut, { name: 'walker', serial: 0, admin, receiver });
    walker = new Walker(world, admin);
  });

  afterAll(async () => {
    closeConnections();
    await sut?.close();
    await receiver?.close();
  });

  it('should respond as documented, operation by operation', async () => {
    expect(await walker.walk(matching(/^POST|^PUT|^PATCH/))).toEqual([]);
    expect(await walker.walk(matching(/^GET/))).toEqual([]);
  });

  it('should stream jobs as documented', async () => {
    const document = new OpenApiDocument();
    const [{ event }] = named('GET /api/jobs/events') as [Operation];
    for (const path of ['/api/jobs/events', `/api/jobs/${world.parameters['jobId']}/events`]) {
      const stream = await EventStream.open(world.user.api, path);
      await stream.until('a snapshot', () => stream.of(world.parameters['jobId']!).length > 0);
      stream.close();
      for (const { id, data } of stream.events) {
        expect(id).not.toBe('');
        expect(document.violations(event!, data)).toEqual([]);
      }
    }
  });

  it('should respond outside the document', async () => {
    const typeOf = async (path: string): Promise<unknown> => {
      const { status, headers } = await sut.anonymous.get(path);
      return [status, headers.get('content-type')?.split(';')[0]];
    };
    expect(await typeOf('/metrics')).toEqual([200, 'text/plain']);
    expect(await typeOf('/api/docs')).toEqual([200, 'text/html']);
    expect(await typeOf('/api/openapi.json')).toEqual([200, 'application/json']);
  });

  it('should accept a first passphrase of eight characters', async () => {
    const user = await sut.user('apart');
    const setup = (passphrase: string): ReturnType<TestUser['api']['post']> =>
      user.api.post('/api/privacy/encryption/setup', { passphrase });
    expect((await setup('7 place')).status).toBe(400);
    expect(await setup('8 places')).toMatchObject({ status: 200, body: { ok: true } });
  });

  it('should enforce every limit on both sides, and name the field', async () => {
    const found: string[] = [];
    // As many at a time as one user may send, even on a slow machine.
    await forEachConcurrently(matching(/./), 8, async (operation) => {
      found.push(...(await walker.probe(operation)));
    });
    expect(found).toEqual([]);
  });

  it.each(
    matching(/^GET/)
      .filter((operation) => Object.keys(defaultsOf(operation)).length > 0)
      .map((operation) => [operation.key, operation] as const),
  )('should apply the defaults of %s', async (_key, operation) => {
    expect(await walker.sameWithDefaults(operation)).toEqual([]);
  });

  describe('with a mailbox and lists that are longer than any limit', () => {
    let user: TestUser;
    let accountId: string;

    beforeAll(async () => {
      user = await sut.user('defaults');
      const email = 'defaults-510@sandbox.mailroom.test';
      accountId = await user.connect(email);
      sut.sandbox.mailbox(email).insert(withAttachment(150_000), { labelIds: ['INBOX'] });
      await sut.dataSource.query(
        `INSERT INTO jobs (id, type, lane, user_id, status, payload, completed_at)
         SELECT ('01932c5e-7d5b-7c3a-9d0e-' || lpad(to_hex(n), 12, '0'))::uuid, 'bulk_operation', 'interactive-bulk', $1, 'completed', '{}', now()
           FROM generate_series(1, 501) n`,
        [user.id],
      );
    });

    const count = async (path: string, of: (body: any) => unknown[]): Promise<number> => {
      const { status, body, bytes } = await user.api.get(path);
      if (status !== 200) throw new Error(`${path} answered ${status}: ${bytes.toString()}`);
      return of(body).length;
    };

    it('should list as many as before', async () => {
      const messages = `/api/mailbox/${accountId}/messages`;
      const stats = `/api/dashboard/${accountId}/stats`;
      expect({
        messages: await count(messages, (body) => body.messages),
        most: await count(`${messages}?maxResults=501`, (body) => body.messages),
        jobs: await count('/api/jobs', (body) => body),
        mostJobs: await count('/api/jobs?limit=501', (body) => body),
        biggest: await count(stats, (body) => body.biggestMails),
        senders: await count(stats, (body) => body.bySender),
        one: await count(`${stats}?limit=1`, (body) => body.bySender),
      }).toEqual({ messages: 50, most: 500, jobs: 100, mostJobs: 500, biggest: 20, senders: 20, one: 1 });
    });

    it('should show administrators the last 20 jobs of a user', async () => {
      const { body } = await admin.api.get(`/api/admin/users/${user.id}`);
      expect(body.recentJobs).toHaveLength(20);
    });

    it('should look at the newest 500 messages', async () => {
      const cells = await user.api.get(`/api/analytics/${accountId}/heatmap`);
      const sum = (cells.body as { count: number }[]).reduce((total, { count: n }) => total + n, 0);
      const stats = await user.api.get(`/api/dashboard/${accountId}/stats`);
      expect([sum, stats.body.totalMessages]).toEqual([500, 500]);
      expect(stats.body.profile.messagesTotal).toBeGreaterThan(500);
    });

    it('should return what smaller mailboxes lack', async () => {
      for (const operation of named(
        'GET /api/attachments/{accountId}/live',
        'GET /api/analytics/{accountId}/cleanup-suggestions',
        'GET /api/admin/users/{userId}',
      ))
        expect(await walker.walkAs(user, operation, { accountId, userId: user.id })).toEqual([]);
    });

    it('should begin as before', async () => {
      const { body: session } = await sut.anonymous.post('/api/auth/login', user);
      expect(session.user).toMatchObject(NEW_USER);
      expect(session.expires_in).toBe(ACCESS_TOKEN_SECONDS);
      const claims = claimsOf(session.access_token as string);
      expect(claims).toMatchObject({ sub: user.id, sid: expect.any(String), role: 'user' });
      expect((await user.api.get('/api/notifications/preferences')).body).toEqual(PREFERENCES);
      expect((await user.api.get('/api/storage/config')).body).toEqual({ type: 'local' });
    });

    it('should fill in the fields that a creation omits', async () => {
      const create = async (path: string, body: object): Promise<any> =>
        (await user.api.post(path, body)).body;
      expect(await create('/api/saved-searches', { name: 'x', query: 'x' })).toMatchObject({
        icon: null,
        color: null,
        sort_order: 0,
      });
      expect(await create('/api/retention', { name: 'x', maxAgeDays: 1 })).toMatchObject({
        mailbox_account_id: null,
        label: null,
        is_active: true,
        last_run_at: null,
        deleted_count: 0,
      });
      const rule = {
        conditions: [{ field: 'from', operator: 'contains', value: 'x' }],
        action: { type: 'trash' },
      };
      expect(await create(`/api/rules/${accountId}`, { name: 'x', ...rule })).toMatchObject({
        description: '',
        schedule: null,
        is_active: true,
        last_run_at: null,
      });
      const webhook = { name: 'x', url: 'https://example.org', events: ['job.failed'] };
      expect(await create('/api/webhooks', webhook)).toMatchObject({
        type: 'generic',
        is_active: true,
        secret: expect.stringMatching(/^whsec_/),
        last_triggered_at: null,
      });
    });

    it.each([
      ['archive', 'archive', { query: 'from:nobody@nowhere.example' }, { differential: true }],
      ['privacy', 'tracking/scan', undefined, { maxMessages: 500 }],
      [
        'import',
        'imap',
        { host: '127.0.0.1', user: 'x', pass: 'x' },
        { port: 993, secure: true, folder: 'INBOX' },
      ],
    ])('should fill in the fields that a job of %s/%s omits', async (area, route, body, payload) => {
      const started = await user.api.post(`/api/${area}/${accountId}/${route}`, body);
      const { body: job } = await user.api.get(`/api/jobs/${started.body.jobId}`);
      expect(job.payload).toMatchObject(payload);
    });
  });

  it('should respond to deletions and ends of sessions as documented', async () => {
    // Single ones before all: fewer would be left to delete.
    const deletions = matching(/^DELETE/).sort((a, b) => b.pathParameters.length - a.pathParameters.length);
    expect(await walker.walk([...deletions, ...named(...ENDS)])).toEqual([]);
    expect(walker.missed()).toEqual([]);
    expect(walker.unseen(LISTS)).toEqual([]);
  });
});

/** A message with a file of that size. */
const withAttachment = (bytes: number): Buffer =>
  Buffer.from(
    'From: big@example.org\r\nTo: x@example.org\r\nSubject: Big\r\nMessage-ID: <big@example.org>\r\n' +
      'MIME-Version: 1.0\r\nContent-Type: application/octet-stream; name=big.bin\r\n' +
      'Content-Disposition: attachment; filename=big.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n' +
      `${Buffer.alloc(bytes).toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n`,
  );
