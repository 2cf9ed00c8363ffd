/**
 * The items of a source, each requested while the one before it is worked on.
 * @param stop ends the work of the source, once its items are no longer wanted
 * @param discard called for an item that was not taken
 */
export async function* prefetch<T>(
  source: AsyncGenerator<T, void, undefined>,
  stop: () => void,
  discard: (item: T) => void | Promise<void>,
): AsyncGenerator<T, void, undefined> {
  const ask = (): Promise<IteratorResult<T, void>> => {
    const answer = source.next();
    // An early rejection must not end the process: the consumer gets it in its turn.
    answer.catch(() => undefined);
    return answer;
  };
  let next = ask();
  let isOver = false;
  try {
    for (;;) {
      isOver = true;
      const { done, value } = await next;
      if (done) return;
      isOver = false;
      next = ask();
      yield value;
    }
  } finally {
    // Nothing is left of a source that has ended or failed.
    if (!isOver) {
      stop();
      const last = await next.catch(() => null);
      if (last && !last.done) await discard(last.value);
      await source.return();
    }
  }
}
