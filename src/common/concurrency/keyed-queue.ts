/**
 * One look-up at a time for each user. Few threads ask the system's resolver, and a name whose servers never answer holds
 * one for long after nobody waits for it any more: a user's names hold one at most.
 */
export class KeyedQueue {
  private readonly last = new Map<string, Promise<void>>();

  /**
   * Looks up when the user's look-ups before it are over.
   * @throws what `lookUp` throws; an `Error` as soon as `signal` is aborted, whatever goes on in the background
   */
  within<T>(userId: string, signal: AbortSignal, lookUp: () => Promise<T>): Promise<T> {
    const turn = (this.last.get(userId) ?? Promise.resolve()).then(() => {
      signal.throwIfAborted();
      return lookUp();
    });
    const over = turn
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        if (this.last.get(userId) === over) this.last.delete(userId);
      });
    this.last.set(userId, over);
    return unlessAborted(turn, signal);
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new Error('aborted'));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
