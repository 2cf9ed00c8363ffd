import { Injectable } from '@nestjs/common';
import { UsageHistory } from '../../gateway/usage-history';
import { TransferLimitReached } from '../../port/mail-provider.errors';
import type { CallPriority } from '../../port/mailbox-provider.port';
import { ImapAccountsRepository } from '../login/imap-accounts.repository';
import { SHARE_OF_JOBS } from '../forecast/transfer-forecast';
import { transferLimitsOf } from '../login/imap-limits';

/** Time for which a result is cached, in milliseconds. Recorded bytes are a few seconds late in any case. */
const KNOWN_MS = 15_000;
const MAX_KNOWN = 10_000;

interface Known {
  /** Instant at which jobs may go on; null: now. */
  readonly retryAt: Date | null;
  readonly until: number;
}

/** Keeps jobs below the bytes that a mailbox may transfer in 24 hours. */
@Injectable()
export class ImapTransferLimits {
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly accounts: ImapAccountsRepository,
    private readonly usage: UsageHistory,
  ) {}

  /** @throws TransferLimitReached for background work when jobs have used their share of the day's bytes */
  async check(accountId: string, priority: CallPriority): Promise<void> {
    if (priority === 'interactive') return;
    const now = Date.now();
    let known = this.known.get(accountId);
    if (!known || known.until < now) {
      known = { retryAt: await this.retryAt(accountId, new Date(now)), until: now + KNOWN_MS };
      if (this.known.size >= MAX_KNOWN) this.known.clear();
      this.known.set(accountId, known);
    }
    if (known.retryAt && known.retryAt.getTime() > now) throw new TransferLimitReached(known.retryAt);
  }

  private async retryAt(accountId: string, now: Date): Promise<Date | null> {
    const server = await this.accounts.find(accountId);
    const limits = server && transferLimitsOf(server);
    if (!limits) return null;
    return this.usage.findWhenBelow(accountId, now, {
      receivedBytes: limits.receivedBytes * SHARE_OF_JOBS,
      sentBytes: limits.sentBytes * SHARE_OF_JOBS,
    });
  }
}
