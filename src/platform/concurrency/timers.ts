import * as promises from 'node:timers/promises';

/** The longest delay of a timer of Node.js, which runs a longer one after a millisecond. */
export const MAX_TIMER_MS = 2_147_483_647;

/**
 * The `setTimeout` of the service: a delay that is too long for a timer becomes the longest there is.
 * @throws RangeError for NaN, which Node.js takes for a millisecond
 */
export function setTimeout(callback: () => void, ms: number): NodeJS.Timeout {
  return globalThis.setTimeout(callback, boundedDelay(ms));
}

/** The `setInterval` of the service, bounded like `setTimeout`. */
export function setInterval(callback: () => void, ms: number): NodeJS.Timeout {
  return globalThis.setInterval(callback, boundedDelay(ms));
}

/** `AbortSignal.timeout`, bounded like `setTimeout`. */
export function timeoutSignal(ms: number): AbortSignal {
  return AbortSignal.timeout(boundedDelay(ms));
}

/** `setTimeout` of `node:timers/promises`, bounded like `setTimeout`. */
export function delay<T = void>(
  ms: number,
  value?: T,
  options?: { signal?: AbortSignal; ref?: boolean },
): Promise<T> {
  return promises.setTimeout(boundedDelay(ms), value, options);
}

function boundedDelay(ms: number): number {
  if (Number.isNaN(ms)) throw new RangeError('The delay of a timer must be a number');
  return Math.min(Math.max(0, ms), MAX_TIMER_MS);
}
