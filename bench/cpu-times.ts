import { readdirSync, readFileSync } from 'node:fs';

/** `utime` and `stime` of /proc are in hundredths of a second on Linux. */
const TICK_MS = 10;

/** Processor time in milliseconds since the start, by who used it. */
export interface CpuTimes {
  readonly eventLoop: number;
  /** Threads of the worker pool. */
  readonly workers: number;
  /** File system calls, garbage collection, compilation. */
  readonly otherThreads: number;
  readonly postgres: number;
  readonly provider: number;
}

/** Processor time of the service by threads, and of what runs beside it. */
export function cpuTimes(servicePid: number, providerPid: number): CpuTimes {
  const threads = readdirSync(`/proc/${servicePid}/task`).map((id) => ({
    id: Number(id),
    ...timesIn(`/proc/${servicePid}/task/${id}/stat`),
  }));
  const sum = (times: readonly Times[]): number => times.reduce((total, { own }) => total + own, 0);
  const loopNice = threads.find(({ id }) => id === servicePid)?.nice ?? 0;
  const others = threads.filter(({ id }) => id !== servicePid);
  return {
    eventLoop: sum(threads.filter(({ id }) => id === servicePid)),
    workers: sum(others.filter(({ nice }) => nice > loopNice)),
    otherThreads: sum(others.filter(({ nice }) => nice <= loopNice)),
    postgres: postgresTime(),
    provider: timesIn(`/proc/${providerPid}/stat`).own,
  };
}

/** Processor time of a process with all its threads, in milliseconds. */
export function processorMs(pid: number): number {
  return timesIn(`/proc/${pid}/stat`).own;
}

/** `event loop 0.90, workers 0.60, … ms of processor per message` */
export function cpuPerItem(before: CpuTimes, after: CpuTimes, items: number): string {
  const per = (name: keyof CpuTimes): string => ((after[name] - before[name]) / items).toFixed(2);
  return (
    `event loop ${per('eventLoop')}, workers ${per('workers')}, other threads ${per('otherThreads')}, ` +
    `PostgreSQL ${per('postgres')}, provider ${per('provider')} ms of processor per message`
  );
}

interface Times {
  readonly own: number;
  /** Of children that have ended. */
  readonly children: number;
  readonly nice: number;
}

/** All servers that this process has started, and what served connections that have been closed. */
function postgresTime(): number {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(processes.map((id) => [Number(id), parentOf(id)]));
  const descends = (id: number | undefined): boolean =>
    id !== undefined && (id === process.pid || descends(parents.get(id)));
  let total = 0;
  for (const id of processes) {
    if (nameOf(id) !== 'postgres' || !descends(Number(id))) continue;
    const { own, children } = timesIn(`/proc/${id}/stat`);
    total += own + children;
  }
  return total;
}

function timesIn(path: string): Times {
  const fields = fieldsOf(path);
  const at = (position: number): number => Number(fields[position] ?? 0);
  return { own: (at(11) + at(12)) * TICK_MS, children: (at(13) + at(14)) * TICK_MS, nice: at(16) };
}

function parentOf(id: string): number | undefined {
  const parent = fieldsOf(`/proc/${id}/stat`)[1];
  return parent === undefined ? undefined : Number(parent);
}

const nameOf = (id: string): string => /\((.*)\)/s.exec(textOf(`/proc/${id}/stat`))?.[1] ?? '';

/** The fields after the name, which may hold anything; of a process that has ended, none. */
const fieldsOf = (path: string): readonly string[] =>
  textOf(path)
    .replace(/^.*\) /s, '')
    .split(' ');

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}
