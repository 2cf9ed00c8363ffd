import type { CallPriority } from '../mailbox-provider.port';

/** Intervals of the gateway, in milliseconds; tests inject shorter ones. */
export class GatewayTimings {
  /** How long an interactive caller waits in all: for quota, pauses, slots and between attempts. */
  readonly interactivePatienceMs: number = 10_000;
  /** One attempt, plus the time a slow line needs for the bytes expected. */
  readonly attemptMs: Readonly<Record<CallPriority, number>> = { interactive: 30_000, background: 60_000 };
  /** Before the second attempt; doubles with each. */
  readonly firstBackoffMs: number = 1_000;
  /** Fewer calls at once, not time, is what cures a refusal for concurrency. */
  readonly firstConcurrencyBackoffMs: number = 250;
  readonly maxBackoffMs: number = 64_000;
  /** Full jitter may draw almost nothing; hammering a provider that has just refused pushes its limit further away. */
  readonly minBackoffMs: number = 100;
}
