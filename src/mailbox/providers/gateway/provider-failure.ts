import type { DomainError } from '../../../common/http/domain-error';
import { ProviderRateLimited } from '../provider-errors';

/**
 * - `rateLimited`: the account has used up its quota; everything for it pauses
 * - `concurrency`: too many calls at once; fewer, soon
 * - `unavailable`: server or network trouble
 * - `unauthorized`: the access token was not accepted
 * - `refused`: final
 */
export type FailureKind = 'rateLimited' | 'concurrency' | 'unavailable' | 'unauthorized' | 'refused';

/**
 * What an adapter throws inside a gateway call. The gateway retries by `kind`; callers outside never see this
 * class, only `error`.
 */
export class ProviderFailure extends Error {
  readonly kind: FailureKind;
  /** The provider's machine-readable reason or an HTTP status; a metric label, so from a small set. */
  readonly reason: string;
  /** When the provider asks us to come back, epoch milliseconds; null when it does not say. */
  readonly retryAt: number | null;
  /** What the caller gets when it is not retried (any more). */
  readonly error: DomainError;

  constructor(options: { kind: FailureKind; reason: string; retryAt?: number | null; error: DomainError }) {
    super(`${options.kind}: ${options.reason}`, { cause: options.error });
    this.name = 'ProviderFailure';
    this.kind = options.kind;
    this.reason = options.reason;
    this.retryAt = options.retryAt ?? null;
    this.error = options.error;
  }

  /** A refusal for quota or concurrency, as opposed to trouble. */
  get isObjection(): boolean {
    return this.kind === 'rateLimited' || this.kind === 'concurrency';
  }

  /** The error for callers who will not wait until `retryAt` (epoch milliseconds). */
  givenUp(retryAt: number): DomainError {
    return this.isObjection ? new ProviderRateLimited(new Date(retryAt), this.error) : this.error;
  }
}
