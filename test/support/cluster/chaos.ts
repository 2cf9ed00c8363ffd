import { setTimeout as delay } from 'node:timers/promises';
import { Cluster, MemberName } from './cluster';
import type { Workload } from './workload';

/** Faults in one round: every job may lose as many attempts, and has one left. */
const MOST_FAULTS = 2;
const LONGEST_OUTAGE_MS = 6_000;
const LONGEST_PAUSE_MS = 3_000;

type Fault = (cluster: Cluster, work: Workload, random: () => number) => Promise<void>;

const restart =
  (...names: readonly MemberName[]): Fault =>
  async (cluster) => {
    await Promise.all(names.map((name) => cluster.kill(name)));
    await Promise.all(names.map((name) => cluster.startMember(name)));
  };

const replace =
  (name: MemberName): Fault =>
  async (cluster) => {
    await cluster.member(name).stop();
    await cluster.startMember(name);
  };

/** Longer than a lease, or not. */
const freeze =
  (name: MemberName): Fault =>
  async (cluster, _work, random) => {
    cluster.member(name).signal('SIGSTOP');
    await delay(random() * 3 * LONGEST_OUTAGE_MS);
    cluster.member(name).signal('SIGCONT');
  };

const FAULTS: Readonly<Record<string, Fault>> = {
  'worker killed': restart('worker1'),
  'both workers killed': restart('worker1', 'worker2'),
  'api killed': restart('api2'),
  'worker and api killed': restart('worker2', 'api1'),
  'worker replaced': replace('worker1'),
  'api replaced': replace('api1'),
  'worker frozen': freeze('worker2'),
  'redis wiped': async ({ redis }, _work, random) => {
    await redis.kill();
    await delay(random() * LONGEST_OUTAGE_MS);
    await redis.start();
  },
  'postgresql restarted': async ({ postgres }, _work, random) => {
    await postgres.stop();
    await delay(random() * LONGEST_OUTAGE_MS);
    await postgres.start();
  },
  'postgresql backend killed': ({ postgres }) => postgres.killBackend(),
};

export interface ChaosFigures {
  rounds: number;
  readonly faults: Record<string, number>;
  /** Seconds from the end of a fault until every process is ready. */
  longestRecovery: number;
}

/**
 * Round after round of everything at once, with one or two faults in the midst of each.
 * @param random 0 to 1; the same sequence makes the same faults
 */
export async function chaos(
  cluster: Cluster,
  work: Workload,
  minutes: number,
  random: () => number,
): Promise<ChaosFigures> {
  const figures: ChaosFigures = { rounds: 0, faults: {}, longestRecovery: 0 };
  const names = anyOrder(Object.keys(FAULTS), random);
  for (const end = Date.now() + minutes * 60_000; Date.now() < end; figures.rounds += 1) {
    const starting = work.begin({ messages: 60, imported: 40 });
    await work.underWay();
    for (let faults = 1 + Math.floor(random() * MOST_FAULTS); faults > 0; faults -= 1) {
      const name = names.next().value;
      figures.faults[name] = (figures.faults[name] ?? 0) + 1;
      await FAULTS[name]!(cluster, work, random);
      const over = performance.now();
      await cluster.ready();
      figures.longestRecovery = Math.max(figures.longestRecovery, (performance.now() - over) / 1_000);
      await delay(random() * LONGEST_PAUSE_MS);
    }
    await starting;
    await work.ended();
  }
  return figures;
}

/** All of them in some order, and again in another, for ever. */
function* anyOrder(names: readonly string[], random: () => number): Generator<string, never> {
  for (;;) {
    const left = [...names];
    while (left.length > 0) yield left.splice(Math.floor(random() * left.length), 1)[0]!;
  }
}

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
