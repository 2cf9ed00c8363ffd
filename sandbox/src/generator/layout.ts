import { Random, seedOf } from './random';

export const KINDS = [
  'conversation',
  'newsletter',
  'receipt',
  'notification',
  'shipping',
  'social',
  'discussion',
  'photos',
  'sensitive',
  'charset',
  'awkward',
  'spam',
] as const;
export type Kind = (typeof KINDS)[number];

const WEIGHTS: Record<Exclude<Kind, 'spam'>, number> = {
  conversation: 36,
  newsletter: 23,
  receipt: 8,
  notification: 11,
  shipping: 4,
  social: 7,
  discussion: 2,
  photos: 2,
  sensitive: 2,
  charset: 2.5,
  awkward: 2.5,
};
const SPAM_SHARE_OF_NEWEST_TENTH = 0.12;
const BLOCK = 64;
const OPEN_THREADS = 4;
const CONTINUES_THREAD = 0.55;
const THREADED: readonly Kind[] = ['conversation', 'discussion'];

export const SPAN_DAYS = 1461;
const DAY_MS = 86_400_000;

/** Share of a day's mail that has arrived by each hour: little at night, peaks before noon and after lunch. */
const ARRIVED_BY_HOUR: readonly number[] = [
  0, 0.01, 0.015, 0.02, 0.025, 0.03, 0.045, 0.08, 0.15, 0.24, 0.34, 0.43, 0.5, 0.56, 0.64, 0.72, 0.79, 0.85, 0.89,
  0.92, 0.945, 0.965, 0.98, 0.99, 1,
]; // prettier-ignore

/**
 * The kind, date and parent of every message, oldest first, in a few bytes each. Threads stay
 * within a block of 64 messages, so that a thread's members are found without an index.
 */
export interface Layout {
  readonly count: number;
  /** Index into KINDS. */
  readonly kind: Uint8Array;
  /** Number of messages of that kind that came before: spreads variants evenly. */
  readonly ordinal: Uint32Array;
  /** The first message of the thread. */
  readonly head: Uint32Array;
  /** The message answered, or -1. */
  readonly parent: Int32Array;
  readonly fromMe: Uint8Array;
  /** Epoch milliseconds, ascending. */
  readonly date: Float64Array;
}

/** The block of indices a thread beginning at `head` can reach, end exclusive. */
export function threadWindow(head: number, count: number): number {
  return Math.min(count, (Math.floor(head / BLOCK) + 1) * BLOCK);
}

/** A pure function of its arguments; 200,000 messages take some 50 ms. */
export function layOut(seed: number, count: number, endMs: number): Layout {
  const layout: Layout = {
    count,
    kind: new Uint8Array(count),
    ordinal: new Uint32Array(count),
    head: new Uint32Array(count),
    parent: new Int32Array(count).fill(-1),
    fromMe: new Uint8Array(count),
    date: new Float64Array(count),
  };
  const ordinals = new Uint32Array(KINDS.length);
  for (let start = 0; start < count; start += BLOCK) {
    const random = new Random(seedOf(seed, 'block', start));
    const open = new Map<Kind, number[]>(THREADED.map((kind) => [kind, []]));
    for (let index = start; index < Math.min(count, start + BLOCK); index++) {
      const kind = pickKind(random, index / count);
      const code = KINDS.indexOf(kind);
      layout.kind[index] = code;
      layout.ordinal[index] = ordinals[code] as number;
      ordinals[code] = (ordinals[code] as number) + 1;
      layout.head[index] = index;
      layout.date[index] = dateOf(index, count, endMs);
      const threads = open.get(kind);
      if (threads !== undefined) placeInThread(layout, index, threads, random);
    }
  }
  return layout;
}

function placeInThread(layout: Layout, index: number, threads: number[], random: Random): void {
  if (threads.length > 0 && random.chance(CONTINUES_THREAD)) {
    const at = random.int(threads.length);
    const parent = threads[at] as number;
    layout.parent[index] = parent;
    layout.head[index] = layout.head[parent] as number;
    layout.fromMe[index] = layout.fromMe[parent] === 1 ? 0 : random.chance(0.7) ? 1 : 0;
    threads[at] = index;
    return;
  }
  layout.fromMe[index] = random.chance(0.25) ? 1 : 0;
  threads.push(index);
  if (threads.length > OPEN_THREADS) threads.shift();
}

const TOTAL_WEIGHT = Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0);

function pickKind(random: Random, age: number): Kind {
  if (age >= 0.9 && random.chance(SPAM_SHARE_OF_NEWEST_TENTH)) return 'spam';
  let left = random.next() * TOTAL_WEIGHT;
  for (const kind of KINDS) {
    if (kind === 'spam') continue;
    left -= WEIGHTS[kind];
    if (left < 0) return kind;
  }
  return 'conversation';
}

/** Evenly over four years with a mild growth, at the hours people write; strictly ascending. */
function dateOf(index: number, count: number, endMs: number): number {
  const position = 1 - (1 - (index + 0.5) / count) ** 1.1;
  const days = position * SPAN_DAYS;
  const day = Math.floor(days);
  const share = days - day;
  const hour = ARRIVED_BY_HOUR.findIndex((arrived) => arrived > share) - 1;
  const low = ARRIVED_BY_HOUR[hour] as number;
  const high = ARRIVED_BY_HOUR[hour + 1] as number;
  const within = (hour + (share - low) / (high - low)) / 24;
  return Math.floor(endMs - (SPAN_DAYS - day - within) * DAY_MS);
}
