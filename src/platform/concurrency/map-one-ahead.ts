/**
 * Maps a sequence in order, one item after the other: an item is worked on while the consumer is at the result before
 * it. Ending early tells the work under way by its signal, and waits for it.
 */
export async function* mapOneAhead<T, R>(
  source: AsyncIterable<T>,
  work: (item: T, signal: AbortSignal) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const stopped = new AbortController();
  let current: Promise<R> | null = null;
  try {
    for await (const item of source) {
      const before: { readonly result: R } | null = current && { result: await current };
      current = work(item, stopped.signal);
      // Looked at when its turn comes; until then a failure must not count as an unhandled rejection.
      current.catch(() => undefined);
      if (before) yield before.result;
    }
    if (current) yield await current;
  } finally {
    stopped.abort();
    await Promise.allSettled([current]);
  }
}
