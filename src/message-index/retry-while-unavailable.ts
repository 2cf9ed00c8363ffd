import { Injectable } from '@nestjs/common';
import { CallOptions, MailboxProviders, ProviderAccount } from '../mail-provider/mailbox-provider.port';
import { ProviderRateLimited, ProviderUnavailable } from '../mail-provider/mail-provider.errors';

/** How often background work waits for a provider that keeps failing in the middle of its history. */
const PATIENCE = 5;

/** Waiting for the provider outside of locks. */
@Injectable()
export class RetryWhileUnavailable {
  constructor(private readonly providers: MailboxProviders) {}

  /**
   * Runs work that holds a lock and therefore gives up soon. Background callers wait here, without the lock,
   * until the provider answers again.
   */
  async over<T>(account: ProviderAccount, options: CallOptions, work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        const passes = error instanceof ProviderRateLimited || error instanceof ProviderUnavailable;
        if (!passes || options.priority !== 'background' || attempt === PATIENCE) throw error;
        await this.providers.forAccount(account).profile({ priority: 'background', signal: options.signal });
      }
    }
  }
}
