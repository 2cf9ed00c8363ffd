import { Injectable } from '@nestjs/common';
import { UsageHistory } from '../gateway/usage-history';
import { transferLimitsOf } from '../imap/login/imap-limits';
import { ProviderUsage, ProviderUsageReport } from '../port/provider-usage.port';

/** Usage that the gateway has recorded, with the limits of the account's server. */
@Injectable()
export class RecordedUsage extends ProviderUsage {
  constructor(private readonly history: UsageHistory) {
    super();
  }

  async report(userId: string, accountId: string): Promise<ProviderUsageReport> {
    const { imap, ...used } = await this.history.sum(userId, accountId);
    // The Gmail API counts units, and no bytes.
    const transfer = imap && {
      receivedBytes: imap.receivedBytes,
      sentBytes: imap.sentBytes,
      limits: transferLimitsOf(imap),
    };
    return { ...used, transfer };
  }

  deleteBefore(instant: Date): Promise<number> {
    return this.history.deleteBefore(instant);
  }
}
