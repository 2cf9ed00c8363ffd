import { setTimeout } from './timers';
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

/** The outcome of `promise`, or the signal's reason as soon as it aborts; the work itself goes on. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** True once the time ran out (rather than the parent having aborted). */
  readonly timedOut: boolean;
  /** Adds to the time left. */
  extend(ms: number): void;
  /** Stops the clock until `wait` is over. */
  suspend(wait: Promise<void>): Promise<void>;
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
  let released = false;
  let timer: NodeJS.Timeout | undefined;
  let end = performance.now() + timeoutMs;
  const onTimeout = () => {
    timedOut = true;
    controller.abort(reason());
  };
  const run = () => {
    clearTimeout(timer);
    if (!released && Number.isFinite(end))
      timer = setTimeout(onTimeout, Math.max(0, end - performance.now()));
  };
  const onParentAbort = () => controller.abort(parent!.reason);
  run();
  if (parent?.aborted) onParentAbort();
  else parent?.addEventListener('abort', onParentAbort, { once: true });
  return {
    signal: controller.signal,
    get timedOut() {
      return timedOut;
    },
    extend: (ms) => {
      end += ms;
      run();
    },
    suspend: async (wait) => {
      clearTimeout(timer);
      const since = performance.now();
      try {
        await wait;
      } finally {
        end += performance.now() - since;
        run();
      }
    },
    abort: (cause) => controller.abort(cause),
    release: () => {
      released = true;
      clearTimeout(timer);
      parent?.removeEventListener('abort', onParentAbort);
    },
  };
}

export interface DelayedAbort {
  readonly signal: AbortSignal;
  /** Must be called when the work is over. */
  release(): void;
}

/**
 * A signal that follows its parent `graceMs` later: a call already on its way may come to its end and be counted,
 * while one that would wait for long is given up.
 */
export function delayedAbort(parent: AbortSignal, graceMs: number): DelayedAbort {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    timer = setTimeout(() => controller.abort(parent.reason), graceMs);
  };
  if (parent.aborted) onAbort();
  else parent.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer);
      parent.removeEventListener('abort', onAbort);
    },
  };
}
