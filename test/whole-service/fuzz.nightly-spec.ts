import fc from 'fast-check';
import { startTestApp, TestApp } from '../support/app';
import { HostileRequest, hostileRequests } from '../support/fuzz/hostile-requests';
import type { TestUser } from '../support/test-user';
import { waitFor } from '../support/wait';
import { WebhookReceiver } from '../support/webhooks/receiver';
import { closeConnections, exchange, WireAnswer } from '../support/world/exchange';
import { Operation, OPERATIONS } from '../support/world/operations';
import { fill } from '../support/world/requests';
import { World } from '../support/world/world';

/** More for a longer look: `FUZZ_REQUESTS=500 FUZZ_SEED=$RANDOM`. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 6);
/** Operations that take their time, and of which there are fewer. */
const PATIENT: Readonly<Record<string, number>> = {
  'POST /api/storage/test-objstore': 4,
  'POST /api/retention/run': 4,
  'POST /api/privacy/{accountId}/encryption/encrypt': 2,
  'POST /api/privacy/{accountId}/encryption/decrypt-mail': 2,
};
const SEED = Number(process.env.FUZZ_SEED ?? 7);

/** What any operation may say of a request that is none: not documented one by one. */
const OF_HTTP: Readonly<Record<number, readonly string[]>> = {
  // RFC 9110, 13.1.2: `If-None-Match: *` asks for nothing that is there.
  304: ['undefined'],
  400: ['bad-request', 'malformed-json', 'body-too-deep', 'invalid-idempotency-key'],
  413: ['payload-too-large'],
  415: ['unsupported-media-type'],
};

/** What no answer shows. */
const INSIDES =
  /node_modules|\.[tj]s:\d|\bat \w+ \(|QueryFailedError|\b(SELECT|INSERT|UPDATE) |relation "|\/tmp\//;

/** Operations that change what others need come later; those that take away last. */
const LATE = /\/(bulk|delete|encrypt|run|toggle|logout|password)$/;
const rank = ({ key, method, pathParameters }: Operation): number => {
  if (key === 'POST /api/auth/logout') return 10;
  if (key === 'DELETE /api/auth/mailbox/{accountId}') return 9;
  return method === 'DELETE' ? 8 - pathParameters.length : LATE.test(key) ? 1 : 0;
};

/** What is wrong with an answer, or null. */
function complaint(operation: Operation, request: HostileRequest, answer: WireAnswer): string | null {
  const { status, headers, body, bytes } = answer;
  if (status >= 500) return `answered ${status} ${bytes.toString().slice(0, 300)}`;
  if (status >= 400) {
    if (!headers['content-type']?.startsWith('application/problem+json'))
      return `${status} is no problem document`;
    const told = body as Record<string, unknown>;
    if (told['status'] !== status || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(String(told['code'])))
      return `${status} has the body ${bytes.toString().slice(0, 300)}`;
    for (const name of ['type', 'title', 'detail', 'instance', 'requestId'])
      if (typeof told[name] !== 'string') return `${status} has no ${name}`;
    if (INSIDES.test(String(told['detail']))) return `shows ${String(told['detail'])}`;
  }
  if (!request.isOfOperation || operation.statuses.includes(status)) return null;
  const code = String((body as { code?: unknown } | undefined)?.code);
  return OF_HTTP[status]?.includes(code) ? null : `${status} ${code} is not documented`;
}

describe('Any request', () => {
  let sut: TestApp;
  let receiver: WebhookReceiver;
  let admin: TestUser;
  let world: World;
  const tally = new Map<string, Map<number, number>>();
  /** The longest anybody waited for an answer, milliseconds. */
  const slowest = new Map<string, number>();

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    receiver = await WebhookReceiver.start();
    admin = await sut.user('admin');
    world = await World.create(sut, { name: 'fuzzed', serial: 0, admin, receiver });
  });

  afterAll(async () => {
    closeConnections();
    await sut?.close();
    await receiver?.close();
    if (!process.env.FUZZ_REQUESTS) return;
    const total = new Map<number, number>();
    for (const counts of tally.values())
      for (const [status, count] of counts) total.set(status, (total.get(status) ?? 0) + count);
    const patience = [...slowest].sort(([, a], [, b]) => b - a).slice(0, 10);
    console.log(patience.map(([key, longest]) => `${longest.toFixed(0)} ms ${key}`).join('\n'));
    console.log(
      [...total]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${status}: ${count}`)
        .join('\n'),
    );
  });

  it.each(
    [...OPERATIONS].sort((a, b) => rank(a) - rank(b)).map((operation) => [operation.key, operation] as const),
  )('should be answered as documented: %s', async (key, operation) => {
    const valid = fill(operation, world);
    const token = { owner: world.token, admin: admin.api.token, nobody: null }[valid.caller];
    const counts = new Map<number, number>();
    let longest = 0;
    tally.set(key, counts);
    const property = fc.asyncProperty(hostileRequests(valid, token), async (request) => {
      const { method, target, headers, body } = request;
      const begun = performance.now();
      const answer = await exchange(sut.url, {
        method,
        target,
        headers,
        ...(body === null ? {} : { body: Buffer.from(body, 'latin1') }),
      });
      longest = Math.max(longest, performance.now() - begun);
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
      const wrong = complaint(operation, request, answer);
      if (wrong) throw new Error(wrong);
    });
    const found = await fc.check(property, {
      numRuns: Math.ceil(REQUESTS / (PATIENT[key] ?? 1)),
      seed: SEED,
      interruptAfterTimeLimit: 100_000,
    });
    slowest.set(key, longest);
    if (!found.failed) return;
    const [request] = found.counterexample ?? [];
    const shown = JSON.stringify(request)
      .replaceAll(token ?? ' ', '…')
      .slice(0, 1_000);
    throw new Error(
      `${String(found.errorInstance)}\nseed ${found.seed}, path ${found.counterexamplePath}\n${shown}`,
    );
  });

  it('should leave the service as healthy as before', async () => {
    expect((await sut.anonymous.get('/health/live')).status).toBe(200);
    expect((await sut.anonymous.get('/health/ready')).status).toBe(200);
    expect((await admin.api.get('/api/auth/me')).status).toBe(200);
  });

  it('should leave no job that does not end, and none that failed for an unknown reason', async () => {
    const sql = (statement: string): Promise<any[]> => sut.dataSource.query(statement);
    await sql(`UPDATE jobs SET status = 'cancelled', lease_token = NULL, lease_until = NULL, completed_at = now()
                WHERE payload = '{"action": "mark_read", "messageIds": ["1"]}' AND status = 'active'`);
    await waitFor('jobs to end', async () => {
      const [{ open }] = await sql(
        `SELECT count(*)::int AS open FROM jobs WHERE status IN ('pending', 'active')`,
      );
      return open === 0;
    });
    const failed = await sql(
      `SELECT type, error_code, error, count(*)::int FROM jobs WHERE status = 'failed' GROUP BY 1, 2, 3 ORDER BY 4 DESC`,
    );
    if (process.env.FUZZ_REQUESTS) console.log(failed);
    expect(failed.filter(({ error_code: code }) => code === null || code === 'internal-error')).toEqual([]);
  });
});
