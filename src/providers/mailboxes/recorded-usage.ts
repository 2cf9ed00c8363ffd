import { Injectable } from '@nestjs/common';
import { transferLimitsOf } from '../imap/login/imap-presets';
import { ProviderUsage, ProviderUsageReport } from '../port/provider-usage.port';
import { ProviderUsageRepository } from '../gateway/provider-usage.repository';
import { RecentUsage } from '../gateway/recent-usage';
import { UsageRecorder } from '../gateway/usage-recorder';
import { summarize } from '../gateway/usage-summary';

/** Records deleted by one statement, few enough that it does not hold its locks for long. */
const DELETED_AT_ONCE = 5_000;

/** Usage that the gateway has recorded. */
@Injectable()
export class RecordedUsage extends ProviderUsage {
  constructor(
    private readonly recorder: UsageRecorder,
    private readonly recent: RecentUsage,
    private readonly records: ProviderUsageRepository,
  ) {
    super();
  }

  async report(userId: string, accountId: string): Promise<ProviderUsageReport> {
    await this.recorder.flush();
    const now = new Date();
    const [lastMinute, { provider, sums, imap }] = await Promise.all([
      this.recent.sumLastMinute(accountId, now.getTime()),
      this.records.sumLastDay(userId, accountId, now),
    ]);
    // The Gmail API counts units, and no bytes.
    const transfer = imap && {
      receivedBytes: imap.receivedBytes,
      sentBytes: imap.sentBytes,
      limits: transferLimitsOf(imap),
    };
    return { provider, lastMinute, transfer, ...summarize(sums, now) };
  }

  async deleteBefore(instant: Date): Promise<number> {
    for (let deleted = 0; ;) {
      const batch = await this.records.deleteBefore(instant, DELETED_AT_ONCE);
      deleted += batch;
      if (batch < DELETED_AT_ONCE) return deleted;
    }
  }
}
