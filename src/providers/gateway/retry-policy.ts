import type { CallPriority } from '../port/mailbox-provider.port';
import type { ProviderFailure } from './provider-call';

/** Intervals of the gateway, in milliseconds; tests inject shorter ones. */
export class GatewayTimings {
  /** How long an interactive caller waits in all: for quota, pauses, slots and between attempts. */
  readonly interactiveWaitMs: number = 10_000;
  /** One attempt, plus the time a slow line needs for the bytes expected. */
  readonly attemptMs: Readonly<Record<CallPriority, number>> = {
    interactive: 30_000,
    background: 60_000,
    spare: 60_000,
  };
  /** Of the providers where one attempt is a series of commands. */
  readonly longAttemptMs: Readonly<Record<string, Readonly<Record<CallPriority, number>>>> = {
    imap: { interactive: 60_000, background: 10 * 60_000, spare: 10 * 60_000 },
  };
  /** How long nobody logs in after a password was refused. */
  readonly refusedLoginMs: number = 60_000;
  /** Longer than a login takes: the one retry is expected to have ended by then. */
  readonly loginTrialMs: number = 60_000;
  /** Before the second attempt; doubles with each. */
  readonly firstBackoffMs: number = 1_000;
  /** A refusal for concurrency is cured by fewer calls at once, not by time. */
  readonly firstConcurrencyBackoffMs: number = 250;
  readonly maxBackoffMs: number = 64_000;
  /** Full jitter may draw almost nothing; hammering a provider that has just refused pushes its limit further away. */
  readonly minBackoffMs: number = 100;
}

/** A provider may ask for a long rest; beyond this we ask again ourselves. */
const MAX_ASKED_DELAY_MS = 15 * 60_000;
const DEFAULTS = new GatewayTimings();
const MAX_ATTEMPTS: Readonly<Record<CallPriority, number>> = { interactive: 6, background: 8, spare: 8 };

export interface RetryContext {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly priority: CallPriority;
  /** Epoch milliseconds until which the caller is willing to wait. */
  readonly deadline?: number;
  /** 0 ≤ x < 1; `Math.random` unless a test says otherwise. */
  readonly random?: () => number;
  readonly timings?: GatewayTimings;
}

export interface RetryDecision {
  readonly retry: boolean;
  /** How long to wait before the next attempt; when not retried: when the caller might try again. */
  readonly delayMs: number;
  /** Applies to every call of the account, in every process. */
  readonly pauseAccount: boolean;
}

/**
 * Whether, and when, a failed call is tried again. The instant the provider asked for has precedence (capped at
 * 15 minutes), then exponential backoff with full jitter (1 s, for concurrency ¼ s, doubling to 64 s).
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
