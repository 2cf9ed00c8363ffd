/**
 * Works on every item, `concurrency` at a time, in the order of the items. The first failure ends it: no other item is
 * begun, and it throws once nothing runs any more.
 * @param items an asynchronous source must stand concurrent `next()` calls, as generators do
 */
export async function forEachConcurrently<T>(
  items: Iterable<T> | AsyncIterable<T>,
  concurrency: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    try {
      while (failures.length === 0) {
        const next = await source.next();
        if (next.done || failures.length > 0) return;
        await work(next.value);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (failures.length === 0) return;
  await source.return?.();
  throw failures[0];
}
