/**
 * Maps a sequence in order while the next `depth` items are already being worked on, so that store and client keep
 * each other busy. Never more than `depth` results are held beside the one given out, and none waits for an item that
 * the source has yet to bring. Ending early tells the work under way by its signal, and waits for it. The signal of a
 * sequence that has come to its end stays quiet: what the results still have to read may use it.
 * @param source must stand concurrent `next()` calls, as generators do
 */
export async function* mapInOrder<T, R>(
  source: AsyncIterable<T>,
  work: (item: T, signal: AbortSignal) => Promise<R>,
  depth: number,
): AsyncGenerator<R, void, undefined> {
  const queue: Promise<{ readonly result: R } | null>[] = [];
  const items = source[Symbol.asyncIterator]();
  const stopped = new AbortController();
  let isComplete = false;
  /** @returns null when there are no more items */
  const begin = async (): Promise<{ readonly result: R } | null> => {
    const next = await items.next();
    if (next.done || stopped.signal.aborted) return null;
    return { result: await work(next.value, stopped.signal) };
  };
  try {
    for (;;) {
      while (queue.length < depth) {
        const begun = begin();
        // Looked at when its turn comes; until then a failure must not count as an unhandled rejection.
        begun.catch(() => undefined);
        queue.push(begun);
      }
      const first = await queue[0]!;
      if (!first) {
        isComplete = true;
        return;
      }
      void queue.shift();
      yield first.result;
    }
  } finally {
    if (!isComplete) stopped.abort();
    await Promise.allSettled(queue);
    await items.return?.();
  }
}
