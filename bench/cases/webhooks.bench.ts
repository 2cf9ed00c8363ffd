import type { INestApplicationContext } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { TestUser } from '../../test/support/test-user';
import { waitFor } from '../../test/support/wait';
import { BenchEnvironment, registerUser } from '../bench-environment';
import { Figure, quantile } from '../report';
import { serviceContext, tellJobEnd } from '../service-context';
import { ServiceProcess } from '../service-process';
import { addWebhook, BenchReceiver, removeWebhooks } from '../webhook-receiver';

const USERS = 10;
const EVENTS = 3_000;
const TOLD_AT_ONCE = 8;
const RECEIVER_MS = 20;
/** Events that come singly, one every so often. */
const SINGLE_EVENTS = 300;
const EVERY_MS = 20;
const PATIENCE_MS = 45_000;

/** Which event was committed when, of `performance.now()`. */
type Commits = Map<string, number>;

/**
 * Events of ten users, each with a receiver that takes 20 ms; the first has another that never answers. All at once,
 * for what is delivered a second, and then one after the other, for how soon each is there.
 */
export async function benchWebhooks(environment: BenchEnvironment): Promise<Figure[]> {
  const receiver = await BenchReceiver.start(RECEIVER_MS);
  const service = await ServiceProcess.start(environment.environment(null));
  const context = await serviceContext(environment);
  try {
    const users: TestUser[] = [];
    for (let index = 0; index < USERS; index += 1) {
      const user = await registerUser(service.url);
      await addWebhook(user, receiver.url(`/user-${index}`));
      if (index === 0) await addWebhook(user, receiver.hangingUrl);
      users.push(user);
    }
    service.resetPeak();
    const burst = await allAtOnce(context, users);
    await received(receiver, burst);
    const singly = await oneByOne(context, users);
    await received(receiver, singly);
    const { peak } = service.memory();
    const counted = await counts(context, receiver, [...burst.keys(), ...singly.keys()]);
    for (const user of users) await removeWebhooks(user);
    return [...figures(receiver, burst, singly), outcome(counted, peak)];
  } finally {
    await context.close();
    await service.stop();
    await receiver.close();
  }
}

async function allAtOnce(context: INestApplicationContext, users: readonly TestUser[]): Promise<Commits> {
  const commits: Commits = new Map();
  const turns = Array.from({ length: EVENTS }, (_, index) => users[index % users.length]!).values();
  const tell = async (): Promise<void> => {
    for (const user of turns) await tellOne(context, user, commits);
  };
  await Promise.all(Array.from({ length: TOLD_AT_ONCE }, tell));
  return commits;
}

async function oneByOne(context: INestApplicationContext, users: readonly TestUser[]): Promise<Commits> {
  const commits: Commits = new Map();
  for (let index = 0; index < SINGLE_EVENTS; index += 1) {
    await tellOne(context, users[index % users.length]!, commits);
    await delay(EVERY_MS);
  }
  return commits;
}

async function tellOne(context: INestApplicationContext, user: TestUser, commits: Commits): Promise<void> {
  const jobId = randomUUID();
  await tellJobEnd(context, user.id, jobId);
  commits.set(jobId, performance.now());
}

async function received(receiver: BenchReceiver, commits: Commits): Promise<void> {
  await waitFor(
    'all deliveries',
    () => [...commits.keys()].every((jobId) => receiver.receipts.has(jobId)),
    PATIENCE_MS,
  );
}

interface Counts {
  readonly received: number;
  readonly lost: number;
  readonly doubled: number;
  /** Rows that say delivered, after exactly one attempt. */
  readonly delivered: number;
  /** Rows of the receiver that hangs, none of them delivered. */
  readonly waiting: number;
  readonly hanging: number;
}

async function counts(
  context: INestApplicationContext,
  receiver: BenchReceiver,
  jobIds: readonly string[],
): Promise<Counts> {
  const dataSource = context.get(DataSource);
  // The last answers are being written down.
  await waitFor('the last deliveries to be written down', async () => {
    const [row] = await dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM webhook_deliveries WHERE status = 'delivered'`,
    );
    return row!.count >= jobIds.length;
  });
  const [row] = await dataSource.query<{ delivered: number; waiting: number }[]>(
    `SELECT count(*) FILTER (WHERE status = 'delivered' AND jsonb_array_length(attempts) = 1)::int AS delivered,
            count(*) FILTER (WHERE status = 'pending')::int AS waiting
     FROM webhook_deliveries WHERE data->>'jobId' = ANY($1)`,
    [jobIds],
  );
  const times = jobIds.map((jobId) => receiver.receipts.get(jobId)?.length ?? 0);
  return {
    ...row!,
    received: receiver.receipts.size,
    lost: times.filter((count) => count === 0).length,
    doubled: times.filter((count) => count > 1).length,
    hanging: receiver.hanging,
  };
}

function figures(receiver: BenchReceiver, burst: Commits, singly: Commits): Figure[] {
  const receipt = (jobId: string): number => receiver.receipts.get(jobId)![0]!;
  const waits = (commits: Commits): number[] =>
    // The commit is noted after it is told: what arrives before that was there at once.
    [...commits].map(([jobId, at]) => Math.max(0, receipt(jobId) - at));
  const first = Math.min(...burst.values());
  const seconds = (Math.max(...[...burst.keys()].map(receipt)) - first) / 1_000;
  const told = (Math.max(...burst.values()) - first) / 1_000;
  const wait = (commits: Commits): string =>
    `commit to receipt p50 ${quantile(waits(commits), 0.5).toFixed(0)} / p95 ${quantile(waits(commits), 0.95).toFixed(0)} ms`;
  return [
    {
      work: `webhooks: ${EVENTS} events of ${USERS} users at once, receivers of ${RECEIVER_MS} ms, one that hangs`,
      measured: `${(EVENTS / seconds).toFixed(0)} deliveries/s in ${seconds.toFixed(1)} s (events came for ${told.toFixed(1)} s), ${wait(burst)}`,
      budget: '–',
    },
    {
      work: `webhooks: ${SINGLE_EVENTS} events, one every ${EVERY_MS} ms, the one still hanging`,
      measured: wait(singly),
      budget: '–',
    },
  ];
}

function outcome(counted: Counts, peak: number): Figure {
  const total = EVENTS + SINGLE_EVENTS;
  const { received, lost, doubled, delivered, waiting, hanging } = counted;
  return {
    work: `webhooks: what became of ${total} events`,
    measured: `${received} received, ${lost} lost, ${doubled} doubled, ${delivered} rows delivered at once; ${waiting} wait for the one that hangs (${hanging} requests); peak RSS ${peak.toFixed(0)} MiB`,
    budget: 'none lost or doubled, < 400 MB',
    met:
      received === total &&
      lost === 0 &&
      doubled === 0 &&
      delivered === total &&
      waiting === total / USERS &&
      peak < 381,
  };
}
