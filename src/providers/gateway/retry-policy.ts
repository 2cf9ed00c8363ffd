import type { CallPriority } from '../port/mailbox-provider.port';
import type { ProviderFailure } from './provider-call';

/** Intervals of the gateway, in milliseconds; tests inject shorter ones. */
export class GatewayTimings {
  /** Time for which an interactive caller waits in sum: for quota, pauses, slots and between attempts. */
  readonly interactiveWaitMs: number = 10_000;
  /** Timeout of one attempt. The time that a slow line needs for the expected bytes is added. */
  readonly attemptMs: Readonly<Record<CallPriority, number>> = {
    interactive: 30_000,
    background: 60_000,
    spare: 60_000,
  };
  /** Timeout of one attempt at providers where it is a series of commands, by wire name. */
  readonly longAttemptMs: Readonly<Record<string, Readonly<Record<CallPriority, number>>>> = {
    imap: { interactive: 60_000, background: 10 * 60_000, spare: 10 * 60_000 },
  };
  /** Time without logins after a password, or a token that had just been renewed, was refused. */
  readonly refusedLoginMs: number = 60_000;
  /** Time after which the one further try counts as ended; longer than a login takes. */
  readonly loginTrialMs: number = 60_000;
  /** Longest wait before the second attempt; it doubles with each further one. */
  readonly firstBackoffMs: number = 1_000;
  /** The same after a refusal for concurrency, which fewer calls at once cure, not time. */
  readonly firstConcurrencyBackoffMs: number = 250;
  readonly maxBackoffMs: number = 64_000;
  /**
   * Shortest wait. Full jitter may choose almost no wait, and calling a provider again that has just refused prolongs
   * its limit.
   */
  readonly minBackoffMs: number = 100;
}

/** Longest wait that a provider can ask for, in milliseconds. After it the gateway tries again regardless. */
const MAX_ASKED_DELAY_MS = 15 * 60_000;
const DEFAULTS = new GatewayTimings();
const MAX_ATTEMPTS: Readonly<Record<CallPriority, number>> = { interactive: 6, background: 8, spare: 8 };

export interface RetryContext {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly priority: CallPriority;
  /** Epoch milliseconds until which the caller is willing to wait. */
  readonly deadline?: number;
  /** Returns a number x with 0 ≤ x < 1; default: `Math.random`. */
  readonly random?: () => number;
  readonly timings?: GatewayTimings;
}

export interface RetryDecision {
  readonly retry: boolean;
  /** Milliseconds before the next attempt; without a retry, before the caller may try again. */
  readonly delayMs: number;
  /** Whether the wait applies to every call of the account, in every process. */
  readonly pauseAccount: boolean;
}

/**
 * Decides whether and when a failed call is repeated. The instant that the provider asked for has precedence (at most
 * 15 minutes from now); otherwise exponential backoff with full jitter (1 s, for concurrency ¼ s, doubling to 64 s).
 *
 * @param attempt number of the attempt that failed, from 1
 */
export function decideRetry(failure: ProviderFailure, attempt: number, context: RetryContext): RetryDecision {
  const retryable = failure.isObjection || failure.kind === 'unavailable';
  if (!retryable) return { retry: false, delayMs: 0, pauseAccount: false };
  const delayMs = delayFor(failure, attempt, context);
  // A concurrency refusal says nothing about the account's quota: fewer calls at once is the answer to it.
  const pauseAccount = failure.kind === 'rateLimited' || (failure.isObjection && failure.retryAt !== null);
  const exhausted = attempt >= MAX_ATTEMPTS[context.priority];
  const late = context.now + delayMs > (context.deadline ?? Infinity);
  return { retry: !exhausted && !late, delayMs, pauseAccount };
}

function delayFor(failure: ProviderFailure, attempt: number, context: RetryContext): number {
  const { minBackoffMs, maxBackoffMs, ...timings } = context.timings ?? DEFAULTS;
  if (failure.retryAt !== null) {
    const asked = failure.retryAt - context.now;
    return Math.ceil(Math.min(MAX_ASKED_DELAY_MS, Math.max(minBackoffMs, asked)));
  }
  const first = failure.kind === 'concurrency' ? timings.firstConcurrencyBackoffMs : timings.firstBackoffMs;
  const ceiling = Math.min(maxBackoffMs, first * 2 ** (attempt - 1));
  const random = context.random ?? Math.random;
  return Math.ceil(minBackoffMs + random() * (ceiling - minBackoffMs));
}
