import type { Figure } from '../report';
import { slope } from '../load/least-squares';
import type { Measure, Sample } from './samples';

interface Limit {
  readonly measure: Measure;
  readonly name: string;
  readonly unit: string;
  /** Growth per minute of the lowest values over the second half of the run; null: it grows with what users keep, and is only reported. */
  readonly perMinute: number | null;
  readonly most?: number;
}

/** The pool's size, the listener besides. */
const MOST_CONNECTIONS = 22;

const LIMITS: readonly Limit[] = [
  { measure: 'rssMib', name: 'resident set', unit: 'MiB', perMinute: 2, most: 600 },
  { measure: 'heapMib', name: 'heap after collection', unit: 'MiB', perMinute: 0.5 },
  { measure: 'externalMib', name: 'external memory after collection', unit: 'MiB', perMinute: 0.5 },
  { measure: 'openHandles', name: 'open handles', unit: '', perMinute: 1 },
  {
    measure: 'connections',
    name: 'PostgreSQL connections',
    unit: '',
    perMinute: 0.5,
    most: MOST_CONNECTIONS,
  },
  { measure: 'redisMib', name: 'Redis memory', unit: 'MiB', perMinute: 0.1 },
  { measure: 'redisKeys', name: 'Redis keys', unit: '', perMinute: 5 },
  { measure: 'temporaryFiles', name: 'temporary files', unit: '', perMinute: 0.5 },
  { measure: 'databaseMib', name: 'database size', unit: 'MiB', perMinute: null },
  { measure: 'delayP99Ms', name: 'event-loop delay, p99 of 10 s', unit: 'ms', perMinute: null },
  { measure: 'cpuPercent', name: 'processor time', unit: '%', perMinute: null },
];

/** Samples of the first part are the warm-up: caches fill, code is compiled. */
const WARM_UP = 0.15;
/** What is compared are means over this part of the run at the start, in the middle and at the end. */
const WINDOW = 0.1;

const FLOOR_SECONDS = 120;
/** A shorter run shows errors, leftovers and the most of each measure, but no growth: its second half has too few points. */
const SHORTEST_FOR_GROWTH_SECONDS = 600;

/** Start (after warm-up), middle and end of every measure, its growth, and whether that is within its limit. */
export function verdicts(samples: readonly Sample[]): Figure[] {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP));
  const isLong = (samples.at(-1)?.seconds ?? 0) >= SHORTEST_FOR_GROWTH_SECONDS;
  return LIMITS.map(({ measure, name, unit, perMinute: allowed, most }) => {
    const perMinute = isLong ? allowed : null;
    const points = pointsOf(warm, measure);
    const growth = slope(lowest(points.slice(Math.floor(points.length / 2)))) * 60;
    const values = points.map(({ value }) => value);
    const highest = Math.max(...values);
    const window = Math.max(1, Math.floor(values.length * WINDOW));
    const places = [0, Math.floor((values.length - window) / 2), values.length - window];
    const [start, midway, end] = places.map((at) => mean(values.slice(at, at + window)).toFixed(1));
    const limits = [
      ...(perMinute === null ? [] : [`≤ ${perMinute} a minute`]),
      ...(most === undefined ? [] : [`at most ${most}`]),
    ];
    return {
      work: unit === '' ? name : `${name}, ${unit}`,
      measured: `start ${start} / middle ${midway} / end ${end}, most ${highest.toFixed(1)}, ${growth >= 0 ? '+' : ''}${growth.toFixed(2)} a minute`,
      budget: limits.join(', ') || '–',
      met:
        limits.length === 0 ? undefined : growth <= (perMinute ?? Infinity) && highest <= (most ?? Infinity),
    };
  });
}

function pointsOf(samples: readonly Sample[], measure: Measure): { at: number; value: number }[] {
  return samples.flatMap((sample) => {
    const value = sample[measure];
    return value === null ? [] : [{ at: sample.seconds, value }];
  });
}

/** The lowest of every two minutes: what is held, without garbage that has not been collected yet. */
function lowest(points: readonly { at: number; value: number }[]): { at: number; value: number }[] {
  const windows = new Map<number, { at: number; value: number }>();
  for (const point of points) {
    const window = Math.floor(point.at / FLOOR_SECONDS);
    const known = windows.get(window);
    if (!known || point.value < known.value) windows.set(window, point);
  }
  return [...windows.values()];
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
