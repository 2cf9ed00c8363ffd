import { Injectable, Logger } from '@nestjs/common';
import { isDependencyUnavailable } from '../../platform/logging/system-errors';
import { ProviderCredentials } from '../port/provider-credentials.port';
import { QuotaBucket } from './quota-bucket';

/** Shorter pauses are not worth showing to the user. */
const SHOWN_FROM_MS = 2_000;
/** Pauses that end so close to each other are one. */
const SAME_PAUSE_MS = 500;

/**
 * Pauses of whole accounts: kept in Redis for all processes, remembered here so that waiting calls need not ask,
 * and shown on the account (`rate_limited`) when they last. Redis stores the instant they end, so that
 * no process has to be alive to end them.
 */
@Injectable()
export class AccountPauses {
  private readonly logger = new Logger(AccountPauses.name);
  /** Epoch milliseconds at which each ends. */
  private readonly ends = new Map<string, number>();

  constructor(
    private readonly quota: QuotaBucket,
    private readonly credentials: ProviderCredentials,
  ) {}

  /** Milliseconds until the account may be asked again, as far as this process knows. */
  remaining(accountId: string): number {
    const remaining = (this.ends.get(accountId) ?? 0) - Date.now();
    if (remaining > 0) return remaining;
    this.ends.delete(accountId);
    return 0;
  }

  /** The provider refused: no process calls it for this account for `ms`. */
  async pause(accountId: string, ms: number): Promise<void> {
    // Calls of this process stop at once, the others' as soon as Redis knows.
    const longer = this.observe(accountId, ms);
    await this.share(accountId, ms);
    if (longer && ms >= SHOWN_FROM_MS) await this.show(accountId);
  }

  /** Remembers a pause, perhaps another process's. @returns whether it is (noticeably) longer than the one known */
  observe(accountId: string, ms: number): boolean {
    const end = Date.now() + ms;
    const known = this.ends.get(accountId) ?? 0;
    if (known >= end) return false;
    this.ends.set(accountId, end);
    return end - known > SAME_PAUSE_MS;
  }

  /** Others who do not hear of it will be refused themselves. */
  private async share(accountId: string, ms: number): Promise<void> {
    try {
      this.observe(accountId, await this.quota.pause(accountId, ms));
    } catch (error) {
      if (!isDependencyUnavailable(error)) throw error;
      this.logger.warn(`Could not share the pause of account ${accountId}: ${String(error)}`);
    }
  }

  /** Showing the pause to the user must not decide whether the call succeeds. */
  private async show(accountId: string): Promise<void> {
    try {
      await this.credentials.setPausedUntil(accountId, new Date(Date.now() + this.remaining(accountId)));
    } catch (error) {
      this.logger.warn(`Could not record the pause of account ${accountId}: ${String(error)}`);
    }
  }
}
