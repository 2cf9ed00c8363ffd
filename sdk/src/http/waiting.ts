/** Resolves after the time. @throws the signal's reason as soon as it is aborted */
export function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stopWaiting = (): void => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stopWaiting);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stopWaiting, { once: true });
  });
}

/** Waits for work that others wait for too, and that goes on without this caller. @throws the signal's reason */
export async function unlessAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return work;
  signal.throwIfAborted();
  let leave = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    const listener = (): void => reject(reasonOf(signal));
    signal.addEventListener('abort', listener, { once: true });
    leave = () => signal.removeEventListener('abort', listener);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    leave();
  }
}

const reasonOf = (signal: AbortSignal | undefined): Error => signal?.reason as Error;
