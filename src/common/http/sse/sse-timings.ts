/** Intervals of event streams, in milliseconds; tests inject shorter ones. */
export class SseTimings {
  /** A comment that keeps proxies from closing a quiet stream, and a look at what its news may have missed. */
  readonly heartbeatMs: number = 15_000;
}
