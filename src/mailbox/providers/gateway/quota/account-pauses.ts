import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { isDependencyAway } from '../../../../common/http/problems/dependency-away';
import { ProviderCredentials } from '../../provider-credentials.port';
import { QuotaBucket } from './quota-bucket';

/** Shorter pauses are not worth showing to the user. */
const SHOWN_FROM_MS = 2_000;

interface Pause {
  until: number;
  /** Clears what the user is shown. */
  timer?: NodeJS.Timeout;
}

/**
 * Pauses of whole accounts: kept in Redis for all processes, remembered here so that waiting calls need not ask,
 * and shown on the account (`rate_limited`) when they last.
 */
@Injectable()
export class AccountPauses implements OnApplicationShutdown {
  private readonly logger = new Logger(AccountPauses.name);
  private readonly pauses = new Map<string, Pause>();

  constructor(
    private readonly quota: QuotaBucket,
    private readonly credentials: ProviderCredentials,
  ) {}

  /** Milliseconds until the account may be asked again, as far as this process knows. */
  remaining(accountId: string): number {
    const pause = this.pauses.get(accountId);
    return pause ? Math.max(0, pause.until - Date.now()) : 0;
  }

  /** The provider refused: nobody calls it for this account for `ms`. */
  async pause(accountId: string, ms: number): Promise<void> {
    // Calls of this process stop at once, the others' as soon as Redis knows.
    const longer = this.observe(accountId, ms);
    await this.share(accountId, ms);
    if (longer && ms >= SHOWN_FROM_MS) await this.show(accountId);
  }

  /** Remembers a pause, perhaps another process's. @returns whether it is (noticeably) longer than the one known */
  observe(accountId: string, ms: number): boolean {
    const until = Date.now() + ms;
    const pause = this.pauses.get(accountId);
    if (pause && pause.until >= until) return false;
    const longer = !pause || until - pause.until > 500;
    if (pause) pause.until = until;
    else this.pauses.set(accountId, { until });
    return longer;
  }

  onApplicationShutdown(): void {
    for (const { timer } of this.pauses.values()) clearTimeout(timer);
    this.pauses.clear();
  }

  /** Others who do not hear of it will be refused themselves. */
  private async share(accountId: string, ms: number): Promise<void> {
    try {
      this.observe(accountId, await this.quota.pause(accountId, ms));
    } catch (error) {
      if (!isDependencyAway(error)) throw error;
      this.logger.warn(`Could not share the pause of account ${accountId}: ${String(error)}`);
    }
  }

  private async show(accountId: string): Promise<void> {
    const pause = this.pauses.get(accountId);
    if (!pause) return;
    clearTimeout(pause.timer);
    pause.timer = setTimeout(() => void this.clear(accountId), pause.until - Date.now());
    pause.timer.unref();
    await this.tell(accountId, new Date(pause.until));
  }

  private async clear(accountId: string): Promise<void> {
    const pause = this.pauses.get(accountId);
    if (!pause) return;
    if (pause.until > Date.now()) return this.show(accountId);
    this.pauses.delete(accountId);
    await this.tell(accountId, null);
  }

  /** What the user is shown must not decide whether the call succeeds. */
  private async tell(accountId: string, until: Date | null): Promise<void> {
    try {
      await this.credentials.setPausedUntil(accountId, until);
    } catch (error) {
      this.logger.warn(`Could not record the pause of account ${accountId}: ${String(error)}`);
    }
  }
}
