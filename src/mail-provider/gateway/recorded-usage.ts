import { Injectable } from '@nestjs/common';
import { ImapAccounts } from '../imap/imap-accounts.repository';
import { transferLimitsOf } from '../imap/imap-presets';
import { DayTransfer, ProviderUsage, ProviderUsageReport } from '../provider-usage.port';
import { ProviderUsageRepository } from './provider-usage.repository';
import { RecentUsage } from './recent-usage';
import { UsageRecorder } from './usage-recorder';
import { summarize } from './usage-summary';

/** Small enough that no statement holds its locks for long. */
const DELETED_AT_ONCE = 5_000;

/** Usage as the gateway has recorded it. */
@Injectable()
export class RecordedUsage extends ProviderUsage {
  constructor(
    private readonly recorder: UsageRecorder,
    private readonly recent: RecentUsage,
    private readonly records: ProviderUsageRepository,
    private readonly imapAccounts: ImapAccounts,
  ) {
    super();
  }

  async report(userId: string, accountId: string): Promise<ProviderUsageReport> {
    await this.recorder.flush();
    const now = new Date();
    const [lastMinute, { provider, sums }, transfer] = await Promise.all([
      this.recent.lastMinute(accountId, now.getTime()),
      this.records.sumLastDay(userId, accountId, now),
      this.transferOf(userId, accountId, now),
    ]);
    return { provider, lastMinute, transfer, ...summarize(sums, now) };
  }

  /** Of IMAP servers only: the Gmail API counts units. */
  private async transferOf(userId: string, accountId: string, now: Date): Promise<DayTransfer | null> {
    const server = await this.imapAccounts.findOwned(userId, accountId);
    if (!server) return null;
    const bytes = await this.records.transferredLastDay(userId, accountId, now);
    return { ...bytes, limits: transferLimitsOf(server) };
  }

  async deleteBefore(instant: Date): Promise<number> {
    for (let deleted = 0; ;) {
      const batch = await this.records.deleteBefore(instant, DELETED_AT_ONCE);
      deleted += batch;
      if (batch < DELETED_AT_ONCE) return deleted;
    }
  }
}
