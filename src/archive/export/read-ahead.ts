/**
 * Maps a sequence in order while the next `depth` items are already being worked on, so that disk and client keep
 * each other busy. Never more than `depth` results are held. Ending early waits for work under way.
 */
export async function* readAhead<T, R>(
  source: AsyncIterable<T>,
  work: (item: T) => Promise<R>,
  depth: number,
): AsyncGenerator<R, void, undefined> {
  const queue: Promise<R>[] = [];
  const items = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      while (queue.length < depth) {
        const next = await items.next();
        if (next.done) break;
        const result = work(next.value);
        // Looked at when its turn comes; until then a failure is nobody's unhandled rejection.
        result.catch(() => undefined);
        queue.push(result);
      }
      const first = queue.shift();
      if (!first) return;
      yield await first;
    }
  } finally {
    await Promise.allSettled(queue);
    await items.return?.();
  }
}
