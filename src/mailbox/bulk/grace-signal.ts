export interface GraceSignal {
  readonly signal: AbortSignal;
  /** Must be called when the work is over. */
  release(): void;
}

/**
 * A signal that follows its parent `graceMs` later: a call already on its way may come to its end and be counted,
 * while one that would wait for long is given up.
 */
export function graceSignal(parent: AbortSignal, graceMs: number): GraceSignal {
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
