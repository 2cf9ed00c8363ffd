import { Injectable, Logger } from '@nestjs/common';
import { isDependencyUnavailable } from '../../platform/logging/system-errors';
import { ProviderCredentials } from '../port/provider-credentials.port';
import { QuotaBucket } from './quota-bucket';

/** Length from which a pause is shown to the user, in milliseconds. */
const SHOWN_FROM_MS = 2_000;
/** Pauses that end within this time of each other count as one, in milliseconds. */
const SAME_PAUSE_MS = 500;

/**
 * Pauses of whole accounts. Redis keeps them for all processes; this class caches them, so that waiting calls need not
 * ask Redis, and shows longer ones on the account (`rate_limited`). Redis stores the instant at which a pause ends, so
 * no process has to be alive to end it.
 */
@Injectable()
export class AccountPauses {
  private readonly logger = new Logger(AccountPauses.name);
  /** Epoch milliseconds at which each pause ends, by account id. */
  private readonly ends = new Map<string, number>();

  constructor(
    private readonly quota: QuotaBucket,
    private readonly credentials: ProviderCredentials,
  ) {}

  /** Milliseconds until the account may be asked again, as far as this process knows. */
  remainingMsOf(accountId: string): number {
    const remaining = (this.ends.get(accountId) ?? 0) - Date.now();
    if (remaining > 0) return remaining;
    this.ends.delete(accountId);
    return 0;
  }

  /** Pauses the account in all processes for `ms` milliseconds, because the provider refused. */
  async pause(accountId: string, ms: number): Promise<void> {
    // Calls of this process stop at once, calls of other processes as soon as Redis has the pause.
    const longer = this.observe(accountId, ms);
    await this.share(accountId, ms);
    if (longer && ms >= SHOWN_FROM_MS) await this.show(accountId);
  }

  /** Records a pause, which another process may have set. @returns whether it is (noticeably) longer than the one known */
  observe(accountId: string, ms: number): boolean {
    const end = Date.now() + ms;
    const known = this.ends.get(accountId) ?? 0;
    if (known >= end) return false;
    this.ends.set(accountId, end);
    return end - known > SAME_PAUSE_MS;
  }

  /** Shares the pause with other processes. When that fails, the provider refuses their calls too. */
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
      await this.credentials.setPausedUntil(accountId, new Date(Date.now() + this.remainingMsOf(accountId)));
    } catch (error) {
      this.logger.warn(`Could not record the pause of account ${accountId}: ${String(error)}`);
    }
  }
}
