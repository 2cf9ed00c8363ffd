import type { TransferredBytes } from '../port/provider-usage.port';
import type { DomainError } from '../../platform/http/domain-error';
import { ProviderRateLimited, RequestsPaced } from '../port/mail-provider.errors';
import type { CallPriority, ProviderAccount } from '../port/mailbox-provider.port';

/** One call to a provider, or one batch of calls that travel together. */
export interface ProviderCall {
  readonly account: ProviderAccount;
  /** The provider's method, e.g. `messages.get`: decides the units and names the usage record. */
  readonly endpoint: string;
  /** Number of calls that the provider counts (default 1), e.g. the parts of a batch. */
  readonly calls?: number;
  /** Quota units of all these calls in sum; default: the configured cost × `calls`. */
  readonly units?: number;
  readonly priority: CallPriority;
  readonly signal?: AbortSignal;
  /** See `CallOptions.fence`. */
  readonly fence?: () => void;
  /** Bytes the answer is likely to hold in memory, reserved before the request; see `CallAttempt.reserve`. */
  readonly expectedBytes?: number;
  /**
   * False for calls that would take effect twice when repeated. A refused call is still repeated; a call whose answer
   * was lost is not, and ends with `OutcomeUnknown`.
   */
  readonly repeatable?: boolean;
}

/** One attempt at a call, as the gateway hands it to an adapter. */
export interface CallAttempt {
  /** Number of the attempt, from 1. Above 1, an earlier attempt may have taken effect although its answer was lost. */
  readonly number: number;
  /** The OAuth access token, or the password. */
  readonly secret: string;
  readonly secretKind: 'token' | 'password';
  /** Aborts with the caller's signal or when the attempt takes too long. */
  readonly signal: AbortSignal;
  /**
   * Makes sure that `bytes` in all (those expected included) are reserved in the process's budget for bodies in flight.
   * These are the bytes that the adapter holds of an answer: the pieces it has read, their decoded form, and the copy
   * made when they are joined; not socket buffers. An adapter reserves what has been announced before reading on, and
   * stops reading while it waits. The gateway releases the bytes when the call's result has reached the caller.
   * @returns undefined when there was room
   * @throws the signal's reason when it aborts first
   */
  reserve(bytes: number): Promise<void> | undefined;
  /** Corrects the number of calls that the attempt makes: fewer than planned, perhaps none. Usage counts only these. */
  correctCallCount(calls: number): void;
  /**
   * Counts additional calls of this attempt, of this or another endpoint, e.g. the commands that an answer took. To be
   * called as they are made: their units are taken from the account's quota at once, and later calls wait for them.
   */
  countFurtherCalls(endpoint: string, calls: number): void;
  /** Counts transferred bytes, for providers that limit them. */
  countBytes(bytes: TransferredBytes): void;
}

/**
 * - `rateLimited`: the account has used up its quota; everything for it pauses
 * - `concurrency`: too many calls at once; fewer, soon
 * - `unavailable`: server or network trouble
 * - `unauthorized`: the access token or the password was not accepted
 * - `refused`: final
 */
export type FailureKind = 'rateLimited' | 'concurrency' | 'unavailable' | 'unauthorized' | 'refused';

export type FailureOrigin = 'provider' | 'process' | 'others';

/**
 * The error of an adapter inside a gateway call. The gateway retries by `kind`; callers outside never see this
 * class, only `error`.
 */
export class ProviderFailure extends Error {
  readonly kind: FailureKind;
  /** The provider's machine-readable reason or an HTTP status; a metric label, so from a small set. */
  readonly reason: string;
  /** When the provider asks us to come back, epoch milliseconds; null when it does not say. */
  readonly retryAt: number | null;
  /** Whose limit it is: the provider's, this process's, or the one that all processes share. */
  readonly origin: FailureOrigin;
  /** Thrown to the caller when there is no (further) retry. */
  readonly error: DomainError;

  constructor(options: {
    kind: FailureKind;
    reason: string;
    retryAt?: number | null;
    origin?: FailureOrigin;
    error: DomainError;
  }) {
    super(`${options.kind}: ${options.reason}`, { cause: options.error });
    this.name = 'ProviderFailure';
    this.kind = options.kind;
    this.reason = options.reason;
    this.retryAt = options.retryAt ?? null;
    this.origin = options.origin ?? 'provider';
    this.error = options.error;
  }

  /** A refusal for quota or concurrency, as opposed to trouble. */
  get isObjection(): boolean {
    return this.kind === 'rateLimited' || this.kind === 'concurrency';
  }

  /** The error for callers who will not wait until `retryAt` (epoch milliseconds). */
  toDomainError(retryAt: number): DomainError {
    if (!this.isObjection) return this.error;
    const at = new Date(retryAt);
    return this.origin === 'provider' ? new ProviderRateLimited(at, this.error) : new RequestsPaced(at);
  }
}
