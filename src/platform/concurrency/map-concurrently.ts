import { setTimeout } from './timers';
export interface MapLimits<R> {
  /** Items being worked on at a time. */
  readonly concurrency: number;
  /** Results waiting to be taken; no new item is begun while there are as many. */
  readonly maxWaiting: number;
  /** Weight of the results waiting (e.g. bytes) beyond which no new item is begun. */
  readonly maxWaitingWeight: number;
  readonly weigh: (result: R) => number;
}

/**
 * Maps items concurrently and yields results as they come, in no particular order. Work goes on while the consumer is
 * busy, within the limits. The first error ends it: results already there are yielded first, and it throws only when
 * nothing runs any more, so that no work outlives the iteration. Ending the iteration early also waits for the rest.
 */
export async function* mapConcurrently<T, R>(
  items: Iterable<T>,
  work: (item: T) => Promise<R>,
  limits: MapLimits<R>,
): AsyncGenerator<R, void, undefined> {
  const source = items[Symbol.iterator]();
  const waiting: R[] = [];
  const running = new Set<Promise<void>>();
  let weight = 0;
  let exhausted = false;
  let failure: { error: unknown } | null = null;

  const begin = (): void => {
    while (
      !exhausted &&
      !failure &&
      running.size < limits.concurrency &&
      waiting.length + running.size < limits.maxWaiting &&
      weight < limits.maxWaitingWeight
    ) {
      const next = source.next();
      if (next.done) {
        exhausted = true;
        return;
      }
      const run = work(next.value)
        .then((result) => {
          waiting.push(result);
          weight += limits.weigh(result);
        })
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => {
          running.delete(run);
          begin();
        });
      running.add(run);
    }
  };

  try {
    begin();
    while (waiting.length > 0 || running.size > 0) {
      if (waiting.length === 0) {
        await Promise.race(running);
        continue;
      }
      const result = waiting.shift() as R;
      weight -= limits.weigh(result);
      begin();
      yield result;
    }
  } finally {
    exhausted = true;
    await Promise.all(running);
  }
  if (failure) throw (failure as { error: unknown }).error;
}

/**
 * Groups what a source yields. A group is handed on when it is full by count or weight, or when the source is slower
 * than `maxDelayMs` and there is something to hand on; items gathered before an error are handed on before it.
 */
export async function* groupInBatches<R>(
  source: AsyncGenerator<R, void, undefined>,
  limits: { maxCount: number; maxWeight: number; maxDelayMs: number; weigh: (item: R) => number },
): AsyncGenerator<R[], void, undefined> {
  let batch: R[] = [];
  let weight = 0;
  let pending: Promise<IteratorResult<R, void>> | null = null;
  let failure: { error: unknown } | null = null;
  let startedAt = 0;
  try {
    for (;;) {
      pending ??= source.next();
      const left = batch.length === 0 ? null : Math.max(0, startedAt + limits.maxDelayMs - performance.now());
      const next: IteratorResult<R, void> | 'late' | null = await waitAtMost(pending, left).catch(
        (error: unknown) => {
          failure = { error };
          return null;
        },
      );
      if (next === null || (next !== 'late' && next.done)) {
        pending = null;
        break;
      }
      if (next !== 'late') {
        pending = null;
        if (batch.length === 0) startedAt = performance.now();
        batch.push(next.value);
        weight += limits.weigh(next.value);
        if (batch.length < limits.maxCount && weight < limits.maxWeight) continue;
      }
      yield batch;
      batch = [];
      weight = 0;
    }
    if (batch.length > 0) yield batch;
    if (failure) throw (failure as { error: unknown }).error;
  } finally {
    // The consumer stopped early: an element may still be on its way.
    await pending?.catch(() => undefined);
    await source.return();
  }
}

async function waitAtMost<T>(promise: Promise<T>, milliseconds: number | null): Promise<T | 'late'> {
  if (milliseconds === null) return promise;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
