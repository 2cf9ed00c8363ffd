import { Injectable } from '@nestjs/common';
import { ResultCache } from '../../common/cache/result-cache';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import {
  CallOptions,
  MailboxProviders,
  ProviderAccount,
} from '../../mailbox/providers/mailbox-provider.port';
import { INTERACTIVE, KEEP_SECONDS } from '../figures';
import { InboxCounts, InboxDay, InboxDaysRepository } from './inbox-days.repository';
import { dayOf, Streaks, streaksOf } from './streaks';

const HISTORY_DAYS = 30;
const INBOX = 'INBOX';

export interface InboxOverview extends Streaks {
  readonly current: InboxCounts;
  readonly history: readonly InboxDay[];
}

/** How empty the inbox is and was. */
@Injectable()
export class InboxZeroService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly days: InboxDaysRepository,
    private readonly cache: ResultCache,
  ) {}

  /** @throws the 409s of an account that cannot be used */
  async overview(userId: string, accountId: string, refresh: boolean): Promise<InboxOverview> {
    const account = await this.accounts.usable(userId, accountId);
    const current = await this.counts(account, refresh, INTERACTIVE);
    const today = dayOf(new Date());
    const [history, emptyDays] = await Promise.all([
      this.days.history(account.id, today, HISTORY_DAYS),
      this.days.emptyDays(account.id, today),
    ]);
    return { current, history, ...streaksOf(emptyDays, today) };
  }

  /** Looks now. @throws the 409s of an account that cannot be used */
  async snapshot(userId: string, accountId: string): Promise<InboxCounts> {
    return this.counts(await this.accounts.usable(userId, accountId), true, INTERACTIVE);
  }

  /** Looks now, of our own accord. One call of one unit neither queues behind bulk work nor waits for long. */
  async snapshotUnasked(account: ProviderAccount, signal: AbortSignal): Promise<void> {
    await this.counts(account, true, { ...INTERACTIVE, signal });
  }

  private counts(account: ProviderAccount, refresh: boolean, options: CallOptions): Promise<InboxCounts> {
    return this.cache.through(['inbox-counts', account.id], refresh, async () => ({
      value: await this.look(account, options),
      keepSeconds: KEEP_SECONDS,
    }));
  }

  private async look(account: ProviderAccount, options: CallOptions): Promise<InboxCounts> {
    const label = await this.providers.forAccount(account).label(INBOX, options);
    const counts = { inboxCount: label.messagesTotal ?? 0, unreadCount: label.messagesUnread ?? 0 };
    await this.days.record(account.id, dayOf(new Date()), counts);
    return counts;
  }
}
