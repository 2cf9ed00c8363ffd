import { Injectable } from '@nestjs/common';
import { AccountNotOwned } from '../../platform/access/access.errors';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import {
  type Coverage,
  MessageIndexReader,
  type MailboxTotals,
} from '../../mailbox/index/message-index-reader';
import {
  CallOptions,
  MailboxProfile,
  MailboxProviders,
  ProviderAccount,
} from '../../providers/port/mailbox-provider.port';
import { ArchiveStats, ArchiveTotals } from '../../archive/mails/archive-totals';
import type { MailboxStatsQuery } from './dto/dashboard.dto';
import { formatSender } from '../../mailbox/index/message-columns';
import {
  everyMonth,
  type MailboxStats,
  mailboxStats,
  type MonthCount,
  namedLabels,
  type StatsOptions,
} from './mailbox-stats';
import { Months } from './months';

/** Size of the sample: the number of newest messages. */
const SAMPLE = 500;

/** Statistics of a mailbox and its archive. */
@Injectable()
export class DashboardService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly mailbox: MessageIndexReader,
    private readonly archive: ArchiveTotals,
  ) {}

  /**
   * Statistics of the live mailbox.
   * @returns `coverage` when all messages were asked for
   * @throws the 409s of an account that cannot be used, the provider taxonomy
   */
  async computeMailboxStats(
    userId: string,
    accountId: string,
    { limit, tz, scope }: MailboxStatsQuery,
    signal: AbortSignal,
  ): Promise<{ stats: MailboxStats; profile: MailboxProfile; coverage: Coverage | null }> {
    const account = await this.accounts.requireUsable(userId, accountId);
    const provider = this.providers.forAccount(account);
    const call: CallOptions = { priority: 'interactive', signal };
    const [coverage, profile, labels] = await Promise.all([
      this.mailbox.prepare(account, { ...call, newest: SAMPLE }),
      provider.getProfile(call),
      provider.listLabels(call),
    ]);
    const options = { ownEmail: account.email, labels, limit, timeZone: tz };
    if (scope === 'all') return { stats: await this.computeStatsOfAll(account, options), profile, coverage };
    const sample = await this.mailbox.listNewest(account, SAMPLE);
    return { stats: mailboxStats(sample, options), profile, coverage: null };
  }

  /** Statistics of the archive, for accounts in any state: it outlives the connection. @throws AccountNotOwned */
  async computeArchiveStats(userId: string, accountId: string): Promise<ArchiveStats> {
    const stats = await this.archive.findOwnedStats(userId, accountId);
    if (!stats) throw new AccountNotOwned();
    return stats;
  }

  private async computeStatsOfAll(account: ProviderAccount, options: StatsOptions): Promise<MailboxStats> {
    const { labels, limit, timeZone } = options;
    const [totals, senders, biggestMails, labelled] = await Promise.all([
      this.mailbox.findTotals(account),
      this.mailbox.findTopSenders(account, limit),
      this.mailbox.listLargest(account, limit),
      this.mailbox.countByLabel(account),
    ]);
    return {
      totalMessages: totals.count,
      unreadCount: totals.unread,
      totalSizeBytes: totals.bytes,
      bySender: senders.map(({ count, bytes, ...sender }) => ({
        sender: formatSender(sender),
        count,
        sizeBytes: bytes,
      })),
      biggestMails,
      byLabel: namedLabels(labelled, labels),
      timeline: await this.computeTimeline(account, totals, new Months(timeZone)),
    };
  }

  private async computeTimeline(
    account: ProviderAccount,
    { oldest, newest }: MailboxTotals,
    months: Months,
  ): Promise<MonthCount[]> {
    if (oldest === null || newest === null) return [];
    const first = months.monthOf(oldest);
    const length = months.monthOf(newest) - first + 1;
    const starts = Array.from({ length }, (_, place) => months.startOf(first + place));
    const counts = await this.mailbox.countSince(account, starts);
    return everyMonth(new Map([...counts].map(([place, count]) => [first + place, count])));
  }
}
