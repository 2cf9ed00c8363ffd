import { Injectable } from '@nestjs/common';
import { ResultCache } from '../../platform/redis/result-cache';
import { CallOptions, MailboxProviders, ProviderAccount } from '../../providers/port/mailbox-provider.port';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { INTERACTIVE, KEEP_SECONDS } from './figures';
import { InboxCounts, InboxDay, InboxDaysRepository } from './inbox-days.repository';
import { KeptFigure } from './kept-figures';

const HISTORY_DAYS = 30;
const INBOX = 'INBOX';

export interface InboxOverview extends Streaks {
  readonly current: InboxCounts;
  readonly history: readonly InboxDay[];
}

/** Counts of the inbox, now and over time. */
@Injectable()
export class InboxZeroService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly days: InboxDaysRepository,
    private readonly cache: ResultCache,
  ) {}

  /** @throws the 409s of an account that cannot be used */
  async getOverview(userId: string, accountId: string, refresh: boolean): Promise<InboxOverview> {
    const account = await this.accounts.requireUsable(userId, accountId);
    const current = await this.countInbox(account, refresh, INTERACTIVE);
    const today = dayOf(new Date());
    const [history, emptyDays] = await Promise.all([
      this.days.listHistory(account.id, today, HISTORY_DAYS),
      this.days.listEmptyDays(account.id, today),
    ]);
    return { current, history, ...streaksOf(emptyDays, today) };
  }

  /** Counts the inbox now. @throws the 409s of an account that cannot be used */
  async takeSnapshot(userId: string, accountId: string): Promise<InboxCounts> {
    return this.countInbox(await this.accounts.requireUsable(userId, accountId), true, INTERACTIVE);
  }

  /** Counts the inbox now, on schedule. One call of one unit neither queues behind bulk work nor waits for long. */
  async takeScheduledSnapshot(account: ProviderAccount, signal: AbortSignal): Promise<void> {
    await this.countInbox(account, true, { ...INTERACTIVE, signal });
  }

  private countInbox(account: ProviderAccount, refresh: boolean, options: CallOptions): Promise<InboxCounts> {
    return this.cache.getOrCompute([KeptFigure.InboxCounts, account.id], refresh, async () => ({
      value: await this.countAndRecord(account, options),
      keepSeconds: KEEP_SECONDS,
    }));
  }

  private async countAndRecord(account: ProviderAccount, options: CallOptions): Promise<InboxCounts> {
    const label = await this.providers.forAccount(account).getLabel(INBOX, options);
    const counts = { inboxCount: label.messagesTotal ?? 0, unreadCount: label.messagesUnread ?? 0 };
    await this.days.record(account.id, dayOf(new Date()), counts);
    return counts;
  }
}

const DAY_MS = 86_400_000;

export interface Streaks {
  /** Consecutive days up to today, or up to yesterday while today's is still possible. */
  readonly streak: number;
  /** The longest streak ever, in days. */
  readonly bestStreak: number;
}

/**
 * Streaks of consecutive days on which the inbox was seen empty. A day without a snapshot breaks a streak.
 * @param emptyDays `YYYY-MM-DD`, each once, ascending
 * @param today `YYYY-MM-DD`
 */
export function streaksOf(emptyDays: readonly string[], today: string): Streaks {
  const now = dayNumber(today);
  let run = 0;
  let bestStreak = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const day of emptyDays) {
    const number = dayNumber(day);
    run = number === last + 1 ? run + 1 : 1;
    last = number;
    bestStreak = Math.max(bestStreak, run);
  }
  return { streak: last >= now - 1 ? run : 0, bestStreak };
}

/** Number of a day in UTC, so that consecutive days differ by one all the year round. */
function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

/** The day of an instant in UTC, `YYYY-MM-DD`. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
