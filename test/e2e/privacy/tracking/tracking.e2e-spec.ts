import dns from 'node:dns';
import { createConnection, Socket } from 'node:net';
import { messageTrackers } from '../../../../src/privacy/tracking/detection/find-trackers';
import type { SandboxMailbox } from '../../../../sandbox/src/sandbox-server';
import { startTestApp, TestApp } from '../../../support/app';
import { TestUser } from '../../../support/test-user';
import { htmlMail, LINK, PIXEL } from '../../../support/tracking/html-mail';
import { waitFor } from '../../../support/wait';

const UNKNOWN = '01932c5e-7d5b-7c3a-9b2f-0d6f0e2a4b11';

/** Address that a socket connects to: `host:port`, or the path of a local socket. */
function addressOf(to: unknown): string {
  const options = (Array.isArray(to) ? to[0] : to) as { host?: string; port?: number; path?: string };
  return options.path ?? `${options.host ?? 'localhost'}:${options.port}`;
}

describe('Tracking', () => {
  let sut: TestApp;
  let user: TestUser;
  let boxes = 0;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    user = await sut.user();
    await sut.dataSource.query('UPDATE users SET max_mailbox_accounts = 50');
  });

  afterAll(() => sut?.close());

  beforeEach(() => sut.sandbox.clearFaults());

  interface Box {
    readonly id: string;
    readonly path: string;
    readonly mailbox: SandboxMailbox;
    /** Ids of the messages put in, oldest first. */
    readonly ids: readonly string[];
  }

  /** A mailbox with these messages, a minute apart, all of it indexed. */
  async function connect(...messages: readonly Buffer[]): Promise<Box> {
    const email = `tracking${(boxes += 1)}-1@sandbox.mailroom.test`;
    const id = await user.connect(email);
    const mailbox = sut.sandbox.mailbox(email);
    for (const generated of mailbox.ids()) mailbox.remove(generated);
    const first = Date.now() - messages.length * 60_000;
    const ids = messages.map((raw, at) =>
      mailbox.insert(raw, { labelIds: ['INBOX'], internalDate: new Date(first + at * 60_000) }),
    );
    await indexed(id, messages.length);
    sut.sandbox.stats.reset();
    return { id, path: `/api/privacy/${id}/tracking`, mailbox, ids };
  }

  /** Until nothing reads the mailbox in the background. */
  async function indexed(accountId: string, messages: number): Promise<void> {
    await user.jobEnd((await user.api.post(`/api/unsubscribe/${accountId}/scan`)).body.jobId as string);
    const [{ count }] = await sut.dataSource.query(
      'SELECT count(*)::int AS count FROM mailbox_messages WHERE account_id = $1',
      [accountId],
    );
    expect(count).toBeGreaterThanOrEqual(messages);
  }

  async function scan({ path }: Box, body?: object): Promise<any> {
    const answer = await user.api.post(`${path}/scan`, body);
    expect([answer.status, answer.body]).toEqual([
      202,
      { jobId: expect.stringMatching(/^scan_tracking-\d+$/), message: 'Tracking scan started' },
    ]);
    return user.jobEnd(answer.body.jobId as string);
  }

  const items = async ({ path }: Box, query = ''): Promise<any> =>
    (await user.api.get(`${path}${query}`)).body;
  const reads = (): number => sut.sandbox.stats.calls['messages.get'] ?? 0;

  it('should connect only to the provider, and resolve no host of a message', async () => {
    const raw = htmlMail(
      `${PIXEL}${LINK}<img src="http://203.0.113.9/o?id=1" width="1" height="1">` +
        '<link rel="stylesheet" href="https://fonts.example/a.css"><img src="http://127.0.0.1:9/open?id=2">',
    );
    const box = await connect(raw);
    const connected = jest.spyOn(Socket.prototype, 'connect');
    const lookedUp = jest.spyOn(dns, 'lookup');
    try {
      // Connections to the provider are kept and used again: this one shows that new ones are seen.
      const { port } = new URL(sut.url);
      createConnection(Number(port), '127.0.0.1').destroy();
      expect((await scan(box)).result).toMatchObject({ fetched: 1, tracked: 1 });
      // The work of the thread is done here, where its sockets can be seen.
      expect(messageTrackers(raw).length).toBeGreaterThan(2);
      const hosts = connected.mock.calls.map(([to]) => addressOf(to));
      expect(hosts).toContain(`127.0.0.1:${port}`);
      expect(hosts.filter((host) => !/^(?:localhost|127\.0\.0\.1|::1):(?!9$)|^\//.test(host))).toEqual([]);
      expect(lookedUp.mock.calls.map(([host]) => host).filter((host) => host !== 'localhost')).toEqual([]);
    } finally {
      connected.mockRestore();
      lookedUp.mockRestore();
    }
  });

  it('should page through the list', async () => {
    const box = await connect(
      ...Array.from({ length: 5 }, (_, at) => htmlMail(PIXEL, { subject: `Mail ${at}` })),
    );
    await scan(box);
    const subjects = async (query: string): Promise<string[]> =>
      (await items(box, query)).items.map(({ subject }: any) => subject);
    expect(await subjects('?limit=2')).toEqual(['Mail 4', 'Mail 3']);
    expect(await subjects('?limit=2&page=3')).toEqual(['Mail 0']);
    expect(await subjects('?page=2')).toEqual([]);
    expect(await items(box, '?limit=1000')).toMatchObject({ limit: 100, total: 5, page: 1 });
    for (const query of ['?page=0', '?limit=0', '?limit=x', '?page=-1']) {
      const { status, body } = await user.api.get(`${box.path}${query}`);
      expect([status, body.errors[0].field]).toEqual([400, query.includes('page') ? 'page' : 'limit']);
    }
  });

  it('should name the invalid parameters of a request', async () => {
    const box = await connect();
    for (const maxMessages of [0, 5_001, -1, 1.5, '10', null, 'many']) {
      const { status, body } = await user.api.post(`${box.path}/scan`, { maxMessages });
      expect([maxMessages, status, body.code, body.errors?.[0]?.field]).toEqual([
        maxMessages,
        400,
        'validation-failed',
        'maxMessages',
      ]);
    }
    expect((await scan(box, {})).payload).toEqual({ maxMessages: 500 });
  });

  it('should be empty before the first scan', async () => {
    const box = await connect();
    expect(await items(box)).toEqual({ items: [], total: 0, page: 1, limit: 50 });
    expect((await user.api.get(`${box.path}/stats`)).body).toEqual({
      trackedMessages: 0,
      totalTrackers: 0,
      topDomains: [],
    });
  });

  it('should not be visible to another user', async () => {
    const box = await connect(htmlMail(PIXEL));
    await scan(box);
    const stranger = await sut.user('stranger');
    for (const [method, path] of [
      ['GET', box.path],
      ['GET', `${box.path}/stats`],
      ['POST', `${box.path}/scan`],
    ] as const) {
      expect([path, (await sut.anonymous.fetch(method, path)).status]).toEqual([path, 401]);
      const refused = await stranger.api.fetch(method, path);
      expect([path, refused.status]).toEqual([path, 403]);
      expect(((await refused.json()) as any).code).toBe('account-not-owned');
      const unknown = await user.api.fetch(method, path.replace(box.id, UNKNOWN));
      expect([path, unknown.status]).toEqual([path, 403]);
      expect((await user.api.fetch(method, path.replace(box.id, 'x'))).status).toBe(400);
    }
  });

  it('should keep the findings of a disconnected account readable, and drop them with the account', async () => {
    const box = await connect(htmlMail(PIXEL));
    await scan(box);
    expect((await user.api.delete(`/api/auth/mailbox/${box.id}`)).status).toBe(204);
    expect((await items(box)).total).toBe(1);
    expect((await user.api.get(`${box.path}/stats`)).body.totalTrackers).toBe(1);
    const refused = await user.api.post(`${box.path}/scan`);
    expect([refused.status, refused.body.code]).toEqual([409, 'mailbox-disconnected']);
    expect((await user.api.delete(`/api/auth/mailbox/${box.id}?purge=true`)).status).toBe(204);
    await waitFor('the account to be gone', async () => {
      const rows = await sut.dataSource.query('SELECT 1 FROM tracking_scans WHERE account_id = $1', [box.id]);
      return rows.length === 0;
    });
  });

  describe('of a job', () => {
    const many = (count: number): Buffer[] => Array.from({ length: count }, () => htmlMail(PIXEL));

    it('should count unreadable messages separately', async () => {
      const box = await connect(htmlMail(PIXEL), htmlMail(PIXEL));
      sut.sandbox.fault({
        endpoint: 'messages.get',
        messageId: box.ids[0]!,
        times: 'always',
        answer: { kind: 'error', status: 400, reason: 'invalidArgument', message: 'No' },
      });
      const job = await scan(box);
      expect(job).toMatchObject({ status: 'completed', total: 2, processed: 1, failed: 1 });
      expect(JSON.stringify(job.result)).toContain(box.ids[0]);
      expect((await items(box)).total).toBe(1);
      sut.sandbox.clearFaults();
      sut.sandbox.stats.reset();
      expect((await scan(box)).result).toMatchObject({ scanned: 2, fetched: 1, unchanged: 1 });
      expect(reads()).toBe(1);
    });

    it('should stop when it is cancelled, keep its findings, and continue from there', async () => {
      const box = await connect(...many(300));
      sut.sandbox.fault({
        endpoint: 'messages.get',
        times: 'always',
        answer: { kind: 'slow', delayMs: 60 },
      });
      const { body } = await user.api.post(`${box.path}/scan`);
      const processed = async (): Promise<any> => (await user.api.get(`/api/jobs/${body.jobId}`)).body;
      await waitFor('some messages to be scanned', async () => (await processed()).processed > 0);
      expect((await user.api.delete(`/api/jobs/${body.jobId}`)).status).toBe(204);
      const cancelled = await user.jobEnd(body.jobId as string);
      expect(cancelled.status).toBe('cancelled');
      expect(cancelled.processed).toBeLessThan(300);
      const { total } = await items(box);
      expect(total).toBeGreaterThan(0);
      sut.sandbox.clearFaults();
      sut.sandbox.stats.reset();
      const job = await scan(box);
      expect(job.result).toMatchObject({ scanned: 300, tracked: 300 });
      expect(reads()).toBe(job.result.fetched);
      expect(job.result.fetched + job.result.unchanged).toBe(300);
      expect(job.result.unchanged).toBeGreaterThanOrEqual(total as number);
    });

    it('should fail with a reason when the mailbox can no longer be read', async () => {
      const box = await connect(htmlMail(PIXEL));
      sut.sandbox.fault({ endpoint: 'oauth.token', answer: { kind: 'invalidGrant' }, times: 'always' });
      sut.sandbox.fault({ endpoint: 'messages.get', answer: { kind: 'unauthorized' }, times: 'always' });
      const job = await scan(box);
      expect(job).toMatchObject({ status: 'failed', error_code: 'mailbox-reauth-required' });
      expect(job.error).toMatch(/\w+/);
      sut.sandbox.clearFaults();
      const refused = await user.api.post(`${box.path}/scan`);
      expect([refused.status, refused.body.code]).toEqual([409, 'mailbox-reauth-required']);
    });

    it('should be started once for one idempotency key', async () => {
      const box = await connect();
      const request = { headers: { 'idempotency-key': 'tracking-once' } };
      const first = await user.api.post(`${box.path}/scan`, undefined, request);
      await user.jobEnd(first.body.jobId as string);
      expect((await user.api.post(`${box.path}/scan`, undefined, request)).body).toEqual(first.body);
    });
  });
});
