import { Injectable } from '@nestjs/common';
import { AccountNotOwned } from '../access/access.errors';
import { MailboxAccountsService } from '../mailbox/mailbox-accounts.service';
import { MessageIndexReader } from '../message-index/message-index-reader';
import type { SampledMessage } from '../message-index/indexed-messages';
import {
  CallOptions,
  MailboxProfile,
  MailboxProviders,
  ProviderAccount,
} from '../mail-provider/mailbox-provider.port';
import { ArchiveStats, ArchiveTotalsRepository } from '../archive/archive-totals.repository';
import type { MailboxStatsQuery } from './dto/dashboard.dto';
import { MailboxStats, mailboxStats } from './mailbox-stats';

/** Size of the sample: this many of the newest messages. */
const SAMPLE = 500;

/** Statistics of a mailbox and its archive. */
@Injectable()
export class DashboardService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly mailbox: MessageIndexReader,
    private readonly archive: ArchiveTotalsRepository,
  ) {}

  /** @throws the 409s of an account that cannot be used, the provider taxonomy */
  async mailboxStats(
    userId: string,
    accountId: string,
    { limit, tz }: MailboxStatsQuery,
    signal: AbortSignal,
  ): Promise<{ stats: MailboxStats; profile: MailboxProfile }> {
    const account = await this.accounts.usable(userId, accountId);
    const provider = this.providers.forAccount(account);
    const call: CallOptions = { priority: 'interactive', signal };
    const [sample, profile, labels] = await Promise.all([
      this.sample(account, call),
      provider.profile(call),
      provider.listLabels(call),
    ]);
    const options = { ownEmail: account.email, labels, limit, timeZone: tz };
    return { stats: mailboxStats(sample, options), profile };
  }

  /** For accounts in any state: the archive outlives the connection. @throws AccountNotOwned */
  async archiveStats(userId: string, accountId: string): Promise<ArchiveStats> {
    const stats = await this.archive.statsOwned(userId, accountId);
    if (!stats) throw new AccountNotOwned();
    return stats;
  }

  private async sample(account: ProviderAccount, call: CallOptions): Promise<SampledMessage[]> {
    await this.mailbox.ready(account, { ...call, newest: SAMPLE });
    return this.mailbox.newest(account, SAMPLE);
  }
}
