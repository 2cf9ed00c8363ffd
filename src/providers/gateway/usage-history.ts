import { Injectable } from '@nestjs/common';
import type { ProviderUsageReport, TransferredBytes } from '../port/provider-usage.port';
import { type LastDay, ProviderUsageRepository } from './provider-usage.repository';
import { RecentUsage } from './recent-usage';
import { UsageRecorder } from './usage-recorder';
import { summarize } from './usage-summary';

/** Records deleted by one statement, few enough that it does not hold its locks for long. */
const DELETED_AT_ONCE = 5_000;

/** Usage up to now, without the limits of transfer, which depend on the server. */
export interface UsedSoFar extends Omit<ProviderUsageReport, 'transfer'> {
  /** Transfer and server of an IMAP account; null for other providers. */
  readonly imap: LastDay['imap'];
}

/** Units, calls and bytes that the gateway has recorded. */
@Injectable()
export class UsageHistory {
  constructor(
    private readonly recorder: UsageRecorder,
    private readonly recent: RecentUsage,
    private readonly records: ProviderUsageRepository,
  ) {}

  /** Sums the usage of the last minute, hour and day, calls of this moment included. */
  async sum(userId: string, accountId: string): Promise<UsedSoFar> {
    await this.recorder.flush();
    const now = new Date();
    const [lastMinute, { provider, sums, imap }] = await Promise.all([
      this.recent.sumLastMinute(accountId, now.getTime()),
      this.records.sumLastDay(userId, accountId, now),
    ]);
    return { provider, lastMinute, imap, ...summarize(sums, now) };
  }

  /**
   * Finds the instant at which the bytes of the preceding 24 hours are below both limits again. The caller must have
   * checked that the account is the user's.
   * @returns null when they are below the limits now
   */
  findWhenBelow(accountId: string, now: Date, limits: TransferredBytes): Promise<Date | null> {
    return this.records.findWhenBelow(accountId, now, limits);
  }

  /** Deletes records of all accounts. @returns how many */
  async deleteBefore(instant: Date): Promise<number> {
    for (let deleted = 0; ;) {
      const batch = await this.records.deleteBefore(instant, DELETED_AT_ONCE);
      deleted += batch;
      if (batch < DELETED_AT_ONCE) return deleted;
    }
  }
}
