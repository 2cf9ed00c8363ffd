import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchEnvironment } from '../bench-environment';
import { slope } from '../load/least-squares';
import { keepWorking, type Throughput } from '../load/load-jobs';
import { IS_LONG, LoadWorld, MAILS, MESSAGES, type LoadSetting } from '../load/load-world';
import { read, type ReadOutcome } from '../load/reader';
import { compare, REFERENCES } from '../references';
import type { RequestTimes } from '../probe/probe.types';
import { Figure, latency, printTable, quantile } from '../report';

const SECONDS = Number(process.env.BENCH_LOAD_SECONDS ?? (IS_LONG ? 120 : 8));
const READERS = Number(process.env.BENCH_LOAD_READERS ?? 50);
/** Of each reader between an answer and the next request; `BENCH_LOAD_THINK_MS=500-1500` for people who read. */
const THINK_MS = (process.env.BENCH_LOAD_THINK_MS ?? '100-200').split('-').map(Number) as [number, number];
/** `BENCH_LOAD_ROLES=all`: nothing in two processes. */
const IS_SPLIT_TOO = process.env.BENCH_LOAD_ROLES !== 'all';
/** Caches fill and code is compiled before anything counts. */
const WARM_UP_SECONDS = 12;
const READ_P99_MS = 100;
const JOB_PACE = 0.8;
/** Resident memory may grow by so much a minute, in the second half of a long run. */
const MIB_PER_MINUTE = 10;
const SAMPLE_MS = 1_000;

/** Who uses the service, and how it runs. */
interface Scene extends LoadSetting {
  readonly name: string;
  readonly readers: number;
  readonly withJobs: boolean;
}

interface Load {
  readonly scene: Scene;
  readonly reads: readonly ReadOutcome[];
  readonly jobs: readonly Throughput[];
  /** From the first job to the end of the last. */
  readonly seconds: number;
  readonly delay: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly cpuPercent: number;
  /** What the slowest reads waited for, as the service saw it. */
  readonly slowest: RequestTimes;
  /** Resident set by second, MiB. */
  readonly memory: readonly { at: number; value: number }[];
}

/**
 * Readers with the application open, and jobs of four kinds: each alone, together, and together while jobs do not yield.
 * `BENCH_LOAD_PROFILE=1` writes a CPU profile of the process that answers, of each scene in which they do.
 */
export async function benchLoad(environment: BenchEnvironment): Promise<Figure[]> {
  const world = await LoadWorld.start(environment);
  try {
    console.log(`${world.accounts.length} accounts are ready`);
    const inOne = { isSplit: false, readers: READERS, withJobs: true, yields: true };
    const alone = await play(world, { ...inOne, name: 'jobs alone', readers: 0 });
    const readersAlone = await play(world, { ...inOne, name: 'readers alone', withJobs: false });
    const one = await playTogether(world, false);
    const two = IS_SPLIT_TOO ? await playTogether(world, true) : null;
    const loads = [alone, readersAlone, ...Object.values(one), ...Object.values(two ?? {})];
    console.log(
      `\n${READERS} readers (a request ${THINK_MS.join('–')} ms after each answer), 4 jobs, ${world.accounts.length} users with an account of ${MESSAGES.toLocaleString('en')} messages and ${MAILS.toLocaleString('en')} archived mails, ${SECONDS} s each`,
    );
    printTable([HEADING, ...loads.map((load) => row(load, alone, load.scene.isSplit ? two! : one))]);
    console.log(`\nMeans of the slowest hundredth of reads, ms, in the process that answers`);
    printTable([WAITS_HEADING, ...loads.filter(({ reads }) => reads.length > 0).map(waitsRow)]);
    return [...figuresOf(one, 'ROLE=all'), ...(two ? figuresOf(two, 'ROLE=api and ROLE=worker') : [])];
  } finally {
    await world.stop();
  }
}

/** Readers and jobs at once. */
interface Together {
  readonly unyielding: Load;
  readonly yielding: Load;
}

async function playTogether(world: LoadWorld, isSplit: boolean): Promise<Together> {
  const together = { isSplit, readers: READERS, withJobs: true };
  return {
    unyielding: await play(world, { ...together, name: 'jobs do not yield', yields: false }),
    yielding: await play(world, { ...together, name: 'jobs yield', yields: true }),
  };
}

function figuresOf({ unyielding, yielding }: Together, processes: string): Figure[] {
  return [
    ...readFigures(yielding.reads, processes),
    paceFigure(yielding, unyielding, processes),
    ...(IS_LONG ? [memoryFigure(yielding, processes)] : []),
  ];
}

async function play(world: LoadWorld, scene: Scene): Promise<Load> {
  await world.run(scene);
  const { service, users, accounts } = world;
  const reads: ReadOutcome[] = [];
  const startedAt = performance.now();
  const stop = new AbortController();
  const working = scene.withJobs ? keepWorking(world, stop.signal) : Promise.resolve([]);
  let counts = false;
  const reading = Array.from({ length: scene.readers }, (_, index) => {
    const user = users[index % users.length]!;
    return read({
      api: user.api,
      accounts: accounts.filter((account) => account.user === user),
      seed: index + 1,
      thinkMs: THINK_MS,
      signal: stop.signal,
      onRead: (outcome) => {
        if (counts) reads.push(outcome);
      },
    });
  });
  await delay(WARM_UP_SECONDS * 1_000);
  counts = true;
  await service.probe.resetDelay();
  await service.probe.resetRequests();
  const before = await service.probe.figures();
  const isProfiled = Boolean(process.env.BENCH_LOAD_PROFILE) && scene.name === 'jobs yield';
  if (isProfiled) await service.probe.startProfile();
  const memory = await sampleMemory(service);
  counts = false;
  const figures = await service.probe.figures();
  const slowest = await service.probe.slowestRequests();
  if (isProfiled) {
    const path = join(tmpdir(), `mailroom-load-${scene.isSplit ? 'api' : 'all'}.cpuprofile`);
    await service.probe.stopProfile(path);
    console.log(`Profile: ${path}`);
  }
  stop.abort();
  await Promise.all(reading);
  const jobs = await working;
  return {
    scene,
    reads,
    jobs,
    seconds: (performance.now() - startedAt) / 1_000,
    delay: figures.delay,
    cpuPercent: (figures.cpuMs - before.cpuMs) / (SECONDS * 10),
    slowest,
    memory,
  };
}

async function sampleMemory(service: LoadWorld['service']): Promise<{ at: number; value: number }[]> {
  const samples: { at: number; value: number }[] = [];
  for (let second = 0; second < SECONDS; second += SAMPLE_MS / 1_000) {
    samples.push({ at: second, value: service.memory().now });
    await delay(SAMPLE_MS);
  }
  return samples;
}

const HEADING = [
  'processes',
  'scene',
  'reads/s',
  'errors',
  'p50 / p95 / p99 ms',
  'event-loop delay p50 / p99 ms',
  'answering process, % of a core',
  'archive, bulk, scan, import: items/s',
  'pace: alone = 1',
  'pace: not yielding = 1',
];

function row(load: Load, alone: Load, { unyielding }: Together): string[] {
  const { scene, reads, jobs, seconds, delay: late, cpuPercent } = load;
  const ms = reads.map((outcome) => outcome.ms);
  return [
    scene.isSplit ? 'api, worker' : 'all',
    scene.name,
    (reads.length / SECONDS).toFixed(0),
    String(reads.filter(({ failure }) => failure !== null).length),
    ms.length === 0 ? '–' : [0.5, 0.95, 0.99].map((q) => quantile(ms, q).toFixed(0)).join(' / '),
    `${late.p50.toFixed(0)} / ${late.p99.toFixed(0)}`,
    cpuPercent.toFixed(0),
    jobs.map(({ items }) => (items / seconds).toFixed(0)).join(', ') || '–',
    scene.withJobs ? paces(load, alone) : '–',
    scene.withJobs ? paces(load, unyielding) : '–',
  ];
}

const WAITS_HEADING = [
  'processes',
  'scene',
  'total',
  "waited for the user's turn",
  'a connection',
  'statements',
  'Redis',
  'provider',
];

/** Waits overlap: their sum may be more than the total. What no wait explains, the event loop does. */
function waitsRow({ scene, slowest }: Load): string[] {
  const { total, turn, connection, statements, redis, provider } = slowest;
  return [
    scene.isSplit ? 'api, worker' : 'all',
    scene.name,
    ...[total, turn, connection, statements, redis, provider].map((ms) => ms.toFixed(0)),
  ];
}

/** `0.81, 0.92, 1.03, 0.88: 0.91`, of each kind and their mean. */
function paces(load: Load, reference: Load): string {
  const each = paceOfEach(load, reference).map((ratio) => ratio.toFixed(2));
  return `${each.join(', ')}: ${pace(load, reference).toFixed(2)}`;
}

/** The mean of the ratios of each kind. */
function pace(load: Load, reference: Load): number {
  const each = paceOfEach(load, reference);
  return each.reduce((sum, ratio) => sum + ratio, 0) / each.length;
}

function paceOfEach(load: Load, reference: Load): number[] {
  const perSecond = ({ jobs, seconds }: Load): number[] => jobs.map(({ items }) => items / seconds);
  const theirs = perSecond(reference);
  return perSecond(load).map((ours, index) => ours / theirs[index]!);
}

function readFigures(reads: readonly ReadOutcome[], processes: string): Figure[] {
  const failures = reads.filter(({ failure }) => failure !== null);
  for (const { failure } of failures.slice(0, 20)) console.log(`✗ ${failure}`);
  const times = (some: readonly ReadOutcome[]): number[] => some.map(({ ms }) => ms);
  const p99 = quantile(times(reads), 0.99);
  const names = [...new Set(reads.map(({ name }) => name))];
  const slowest = names
    .map((name) => reads.filter((outcome) => outcome.name === name))
    .sort((one, other) => quantile(times(other), 0.95) - quantile(times(one), 0.95))
    .slice(0, IS_LONG ? names.length : 6);
  return [
    {
      work: `load: reads while 4 jobs run, ${processes}`,
      measured: `${(reads.length / SECONDS).toFixed(0)}/s, ${failures.length} errors, ${latency(times(reads))}`,
      compared: compare(REFERENCES.readsUnderLoad, p99),
      budget: `no errors, p99 ≤ ${READ_P99_MS} ms`,
      met: failures.length === 0 && p99 <= READ_P99_MS,
    },
    ...slowest.map((some) => ({
      work: `load: ${some[0]!.name}, ${processes}`,
      measured: `${some.length} reads, ${latency(times(some))}`,
      budget: '–',
    })),
  ];
}

function paceFigure(yielding: Load, unyielding: Load, processes: string): Figure {
  const kept = pace(yielding, unyielding);
  return {
    work: `load: pace of jobs that yield, as part of what they have if they do not, ${processes}`,
    measured: kept.toFixed(2),
    budget: `≥ ${JOB_PACE}`,
    met: kept >= JOB_PACE,
  };
}

function memoryFigure({ memory }: Load, processes: string): Figure {
  const perMinute = slope(memory.slice(Math.floor(memory.length / 2))) * 60;
  const [start, middle, end] = [0, Math.floor(memory.length / 2), memory.length - 1].map((at) =>
    memory[at]!.value.toFixed(0),
  );
  return {
    work: `load: resident set of the API process, ${processes}`,
    measured: `start ${start} / middle ${middle} / end ${end} MiB, ${perMinute.toFixed(1)} MiB a minute in the second half`,
    budget: `≤ ${MIB_PER_MINUTE} MiB a minute`,
    met: perMinute <= MIB_PER_MINUTE,
  };
}
