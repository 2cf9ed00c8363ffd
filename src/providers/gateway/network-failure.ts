import { ProviderUnavailable } from '../port/mail-provider.errors';
import { ProviderFailure } from './provider-call';

/** Builds the failure for a network error, or an answer that is not the provider's. */
export function networkFailure(error: unknown): ProviderFailure {
  const code = (error as { code?: unknown } | null)?.code;
  return new ProviderFailure({
    kind: 'unavailable',
    reason: typeof code === 'string' && /^[A-Z_]{3,30}$/.test(code) ? code : 'network',
    error: new ProviderUnavailable(error),
  });
}

/**
 * Reads the instant that `Retry-After` names (RFC 9110, section 10.2.3), epoch milliseconds; null when there is none, or
 * it cannot be read.
 */
export function retryAfterInstant(retryAfter: string | undefined, now: number): number | null {
  if (!retryAfter) return null;
  if (/^\d+(\.\d+)?$/.test(retryAfter)) return now + Number(retryAfter) * 1_000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? null : date;
}
