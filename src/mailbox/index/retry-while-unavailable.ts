import { ProviderRateLimited, ProviderUnavailable } from '../../providers/port/mail-provider.errors';
import type { CallOptions, MailboxProvider } from '../../providers/port/mailbox-provider.port';

/** Attempts of background work at a provider that keeps failing in the middle of its history. */
const MAX_ATTEMPTS = 5;

/**
 * Runs work that holds a lock and therefore fails early. Background callers wait here, without the lock, until the
 * provider answers again.
 */
export async function retryWhileUnavailable<T>(
  provider: MailboxProvider,
  options: CallOptions,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const passes = error instanceof ProviderRateLimited || error instanceof ProviderUnavailable;
      if (!passes || options.priority === 'interactive' || attempt === MAX_ATTEMPTS) throw error;
      await provider.getProfile({ priority: options.priority, signal: options.signal });
    }
  }
}
