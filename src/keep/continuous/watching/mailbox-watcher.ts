import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions';
import { describeError } from '../../../platform/logging/describe-error';
import { withLogContext } from '../../../platform/logging/log-context';
import { AppConfig } from '../../../platform/config/app-config';
import { KEEP_COPIES_CHORE } from '../copying/copy-jobs';
import type { ProviderAccount } from '../../../providers/port/mailbox-provider.port';
import { MailboxWatches, type WatchEnd } from '../../../providers/port/mailbox-watches.port';
import { AccountMaintenance } from '../../../mailbox/accounts/account-maintenance';
import { MESSAGE_INDEX_CHORE } from '../../../mailbox/index/index-refresh.cron';

/** Accounts beyond these are polled. */
const MOST_ACCOUNTS = 2_000;
/** A connection that ended sooner was no watch. */
const SHORT_WATCH_MS = 60_000;
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 60 * 60_000;

interface Pause {
  /** Failures in a row. */
  readonly failures: number;
  readonly until: number;
}

/**
 * Watches mailboxes whose servers push changes, up to the process's limit, and makes their chores due.
 * See ADR 82.
 */
@Injectable()
export class MailboxWatcher implements BeforeApplicationShutdown {
  private readonly logger = new Logger(MailboxWatcher.name);
  private readonly running = new Map<
    string,
    { readonly over: AbortController; readonly ended: Promise<void> }
  >();
  private readonly pauses = new Map<string, Pause>();
  private stopping = false;

  constructor(
    private readonly config: AppConfig,
    private readonly watches: MailboxWatches,
    private readonly maintenance: AccountMaintenance,
    private readonly transactions: Transactions,
  ) {}

  /** Begins watches of usable accounts that have none, and ends those of accounts that are no longer usable. */
  async review(): Promise<void> {
    if (this.stopping) return;
    const usable = await this.maintenance.listUsable(this.watches.providers, MOST_ACCOUNTS);
    const ids = new Set(usable.map(({ id }) => id));
    for (const [id, { over }] of this.running) if (!ids.has(id)) over.abort();
    for (const id of this.pauses.keys()) if (!ids.has(id)) this.pauses.delete(id);
    for (const account of usable) {
      if (this.stopping || this.running.size >= this.config.imap.watches) return;
      const isPaused = (this.pauses.get(account.id)?.until ?? 0) > Date.now();
      if (!isPaused && !this.running.has(account.id)) this.begin(account);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    for (const { over } of this.running.values()) over.abort();
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  private begin(account: ProviderAccount): void {
    const over = new AbortController();
    const context = { userId: account.userId, accountId: account.id };
    const ended = withLogContext(context, () => this.watch(account, over.signal)).finally(() =>
      this.running.delete(account.id),
    );
    this.running.set(account.id, { over, ended });
  }

  private async watch(account: ProviderAccount, signal: AbortSignal): Promise<void> {
    const startedAt = Date.now();
    try {
      const onChange = (): void => void this.lookSoon(account.id);
      const end = await this.watches.watch(account, { signal, onChange });
      if (!signal.aborted) this.settle(account.id, end, startedAt);
    } catch (error) {
      if (signal.aborted) return;
      this.logger.debug(`Could not watch the mailbox: ${describeError(error).message}`);
      this.pause(account.id);
    }
  }

  private settle(accountId: string, end: WatchEnd, startedAt: number): void {
    if (end === 'impossible')
      this.pauses.set(accountId, { failures: 0, until: Date.now() + LONGEST_PAUSE_MS });
    else if (end === 'ended' && Date.now() - startedAt < SHORT_WATCH_MS) this.pause(accountId);
    else this.pauses.delete(accountId);
  }

  private pause(accountId: string): void {
    const failures = (this.pauses.get(accountId)?.failures ?? 0) + 1;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
    this.pauses.set(accountId, { failures, until: Date.now() + pauseMs });
  }

  /** Makes the chores that follow the mailbox due now. */
  private async lookSoon(accountId: string): Promise<void> {
    try {
      await this.transactions.run(async (transaction) => {
        for (const chore of [KEEP_COPIES_CHORE, MESSAGE_INDEX_CHORE])
          await this.maintenance.makeDue(chore, accountId, transaction);
      });
    } catch (error) {
      this.logger.warn(`A change will be noticed at the next regular sync: ${describeError(error).message}`);
    }
  }
}
