/**
 * Maps a sequence in order while the next `depth` items are already being worked on, so that store and client keep
 * each other busy. Never more than `depth` results are held beside the one given out. Ending early tells the work
 * under way by its signal, and waits for it.
 */
export async function* mapInOrder<T, R>(
  source: AsyncIterable<T>,
  work: (item: T, signal: AbortSignal) => Promise<R>,
  depth: number,
): AsyncGenerator<R, void, undefined> {
  const queue: Promise<R>[] = [];
  const items = source[Symbol.asyncIterator]();
  const stopped = new AbortController();
  let exhausted = false;
  try {
    for (;;) {
      while (!exhausted && queue.length < depth) {
        const next = await items.next();
        exhausted = next.done === true;
        if (next.done) break;
        const result = work(next.value, stopped.signal);
        // Looked at when its turn comes; until then a failure must not count as an unhandled rejection.
        result.catch(() => undefined);
        queue.push(result);
      }
      const first = queue.shift();
      if (!first) return;
      yield await first;
    }
  } finally {
    stopped.abort();
    await Promise.allSettled(queue);
    await items.return?.();
  }
}
