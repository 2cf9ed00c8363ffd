import { Injectable } from '@nestjs/common';
import { LedgerService } from '../ledger/ledger.service';
import { MailboxProviders, type ProviderAccount } from '../../../providers/port/mailbox-provider.port';
import { MessageIndexService } from '../../../mailbox/index/message-index.service';
import { ArchivingSettingsRepository } from '../settings/archiving-settings.repository';

/** Attempts at a mailbox in use, until nothing comes between two calls. */
const ATTEMPTS = 3;

interface Count {
  /** The provider's count. */
  readonly total: number;
  readonly rows: number;
}

/**
 * Compares the provider's count of messages with the ledger. The provider does not say what it counts: what counts is that
 * the difference stays the same.
 */
@Injectable()
export class ProviderTotals {
  constructor(
    private readonly providers: MailboxProviders,
    private readonly index: MessageIndexService,
    private readonly ledger: LedgerService,
    private readonly settings: ArchivingSettingsRepository,
  ) {}

  /** Measures the provider's count less the rows of the ledger; null: the mailbox keeps changing. */
  async measureOffset(account: ProviderAccount, signal: AbortSignal): Promise<number | null> {
    const count = await this.count(account, signal);
    return count && count.total - count.rows;
  }

  /** Compares both counts. A ledger whose difference has changed is no longer exact. */
  async check(account: ProviderAccount, signal: AbortSignal): Promise<void> {
    const settings = await this.settings.find(account.id);
    if (!settings || settings.mode === 'off' || settings.paused || !settings.exact) return;
    const count = await this.count(account, signal);
    if (!count) return;
    const offset = count.total - count.rows;
    const known = await this.settings.findProviderOffset(account.id);
    const agreed = known === null || known === offset;
    if (known === null) await this.settings.setProviderOffset(account.id, offset);
    await this.ledger.recordProviderCount(account.id, { total: count.total, agreed });
    if (!agreed) await this.ledger.loseTrack(account.id);
  }

  /** Counts both at the same cursor; null when the mailbox kept changing. */
  private async count(account: ProviderAccount, signal: AbortSignal): Promise<Count | null> {
    const options = { priority: 'background', signal } as const;
    const provider = this.providers.forAccount(account);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const { messagesTotal: total, historyId } = await provider.getProfile(options);
      const cursor = await this.index.sync(account, options);
      const rows = await this.settings.countRowsAt(account.id, cursor);
      if (cursor === historyId && rows !== null) return { total, rows };
    }
    return null;
  }
}
