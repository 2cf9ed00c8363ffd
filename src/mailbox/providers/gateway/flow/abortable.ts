/** Waits; rejects with the signal's reason as soon as it aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.max(0, ms),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** True once the time ran out (rather than the parent having aborted). */
  readonly timedOut: boolean;
  abort(reason: Error): void;
  /** Must be called when the work is over: unhooks the timer and the parent. */
  release(): void;
}

/**
 * A signal that aborts with its parent or after `timeoutMs`, whichever comes first. `AbortSignal.any` would do,
 * but keeps every derived signal alive as long as a long-lived parent (a job's) on Node 20.
 *
 * @param timeoutMs Infinity for no limit
 * @param reason made when the time runs out; becomes the signal's reason
 */
export function linkedSignal(
  parent: AbortSignal | undefined,
  timeoutMs: number,
  reason: () => Error = () => new Error('Timed out'),
): LinkedSignal {
  const controller = new AbortController();
  let timedOut = false;
  const onParentAbort = () => controller.abort(parent!.reason);
  const timer = Number.isFinite(timeoutMs)
    ? setTimeout(
        () => {
          timedOut = true;
          controller.abort(reason());
        },
        Math.max(0, timeoutMs),
      )
    : undefined;
  if (parent?.aborted) onParentAbort();
  else parent?.addEventListener('abort', onParentAbort, { once: true });
  return {
    signal: controller.signal,
    get timedOut() {
      return timedOut;
    },
    abort: (cause) => controller.abort(cause),
    release: () => {
      clearTimeout(timer);
      parent?.removeEventListener('abort', onParentAbort);
    },
  };
}
