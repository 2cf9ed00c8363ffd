/**
 * Maps a sequence in order while the next `depth` items are already being worked on, so that disk and client keep
 * each other busy. Never more than `depth` results are held. Ending early waits for work under way
 * and hands to `discard` what nobody will take any more.
 */
export async function* readAhead<T, R>(
  source: AsyncIterable<T>,
  work: (item: T) => Promise<R>,
  depth: number,
  discard: (result: R) => void,
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
    for (const result of await Promise.allSettled(queue)) {
      if (result.status === 'fulfilled') discard(result.value);
    }
    await items.return?.();
  }
}
