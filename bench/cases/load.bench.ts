import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchEnvironment } from '../bench-environment';
import { slope } from '../load/least-squares';
import { keepWorking, type Throughput } from '../load/load-jobs';
import { LoadWorld, MAILS, MESSAGES } from '../load/load-world';
import { read, type ReadOutcome } from '../load/reader';
import { Figure, latency, quantile } from '../report';

const SECONDS = Number(process.env.BENCH_LOAD_SECONDS ?? 120);
const READERS = Number(process.env.BENCH_LOAD_READERS ?? 50);
/** Of each reader between an answer and the next request; `BENCH_LOAD_THINK_MS=500-1500` for people who read. */
const THINK_MS = (process.env.BENCH_LOAD_THINK_MS ?? '100-200').split('-').map(Number) as [number, number];
/** Caches fill and code is compiled before anything counts. */
const WARM_UP_SECONDS = 10;
const READ_P99_MS = 100;
/** Resident memory may grow by so much a minute, in the second half. */
const MIB_PER_MINUTE = 10;
const SAMPLE_MS = 1_000;

/** Readers with the application open, and jobs of four kinds, at once. `BENCH_LOAD_PROFILE=1` writes a CPU profile. */
export async function benchLoad(environment: BenchEnvironment): Promise<Figure[]> {
  const world = await LoadWorld.start(environment);
  try {
    console.log(`${world.accounts.length} accounts are ready; ${READERS} readers and 4 jobs begin`);
    const load = await underLoad(world);
    return [
      ...readFigures(load.reads, world.setting),
      ...serviceFigures(load),
      ...load.jobs.map(({ name, jobs, items }) => ({
        work: `load: ${name} meanwhile`,
        measured: `${(items / load.seconds).toFixed(0)} items/s (${items} in ${jobs} jobs)`,
        budget: '–',
      })),
    ];
  } finally {
    await world.stop();
  }
}

interface Load {
  readonly reads: readonly ReadOutcome[];
  readonly jobs: readonly Throughput[];
  /** From the first job to the end of the last. */
  readonly seconds: number;
  readonly delay: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly cpuPercent: number;
  /** Resident set by second, MiB. */
  readonly memory: readonly { at: number; value: number }[];
}

async function underLoad(world: LoadWorld): Promise<Load> {
  const { service, users, accounts } = world;
  const reads: ReadOutcome[] = [];
  const startedAt = performance.now();
  const stop = new AbortController();
  const working = keepWorking(world, stop.signal);
  let counts = false;
  const reading = Array.from({ length: READERS }, (_, index) => {
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
  const before = await service.probe.figures();
  if (process.env.BENCH_LOAD_PROFILE) await service.probe.startProfile();
  const memory = await sampleMemory(service);
  counts = false;
  const figures = await service.probe.figures();
  if (process.env.BENCH_LOAD_PROFILE) {
    const path = join(tmpdir(), 'mailroom-load.cpuprofile');
    await service.probe.stopProfile(path);
    console.log(`Profile: ${path}`);
  }
  stop.abort();
  await Promise.all(reading);
  const jobs = await working;
  return {
    reads,
    jobs,
    seconds: (performance.now() - startedAt) / 1_000,
    delay: figures.delay,
    cpuPercent: (figures.cpuMs - before.cpuMs) / (SECONDS * 10),
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

function readFigures(reads: readonly ReadOutcome[], setting: string): Figure[] {
  const failures = reads.filter(({ failure }) => failure !== null);
  for (const { failure } of failures.slice(0, 20)) console.log(`✗ ${failure}`);
  const times = (some: readonly ReadOutcome[]): number[] => some.map(({ ms }) => ms);
  const max = (some: readonly ReadOutcome[]): string =>
    some.reduce((most, { ms }) => Math.max(most, ms), 0).toFixed(0);
  const mixed = `${MESSAGES.toLocaleString('en')} messages and ${MAILS.toLocaleString('en')} archived mails`;
  const p99 = quantile(times(reads), 0.99);
  const names = [...new Set(reads.map(({ name }) => name))];
  const byName = names
    .map((name) => reads.filter((outcome) => outcome.name === name))
    .sort((one, other) => quantile(times(other), 0.99) - quantile(times(one), 0.99));
  return [
    {
      work: `load: ${READERS} readers (a request ${THINK_MS.join('–')} ms after each answer) and 4 jobs, 5 accounts of ${mixed}, ${setting}, ${SECONDS} s`,
      measured: `${reads.length} reads (${(reads.length / SECONDS).toFixed(0)}/s), ${failures.length} errors, ${latency(times(reads))}, longest ${max(reads)} ms`,
      budget: `no errors, p99 < ${READ_P99_MS} ms`,
      met: failures.length === 0 && p99 < READ_P99_MS,
    },
    ...byName.map((some) => ({
      work: `load: ${some[0]!.name}`,
      measured: `${some.length} reads, ${latency(times(some))}, longest ${max(some)} ms, ${(some.reduce((sum, { bytes }) => sum + bytes, 0) / some.length / 1024).toFixed(1)} KiB`,
      budget: '–',
    })),
  ];
}

function serviceFigures({ delay: lateness, memory, cpuPercent }: Load): Figure[] {
  const perMinute = slope(memory.slice(Math.floor(memory.length / 2))) * 60;
  const [start, middle, end] = [0, Math.floor(memory.length / 2), memory.length - 1].map((at) =>
    memory[at]!.value.toFixed(0),
  );
  return [
    {
      work: 'load: event-loop delay of the service (timers of 5 ms)',
      measured: `p50 ${lateness.p50.toFixed(1)} / p99 ${lateness.p99.toFixed(1)} / longest ${lateness.max.toFixed(0)} ms; ${cpuPercent.toFixed(0)} % of a core`,
      budget: '–',
    },
    {
      work: 'load: resident set of the service',
      measured: `start ${start} / middle ${middle} / end ${end} MiB, ${perMinute.toFixed(1)} MiB a minute in the second half`,
      budget: `≤ ${MIB_PER_MINUTE} MiB a minute`,
      met: perMinute <= MIB_PER_MINUTE,
    },
  ];
}
