import { Injectable } from '@nestjs/common';
import type { ProviderAccount } from '../../../providers/port/mailbox-provider.port';
import { LabelNames } from '../../../mailbox/labels/label-names';
import { MessageIndexService } from '../../../mailbox/index/message-index.service';
import { ArchivingSettingsRepository } from '../settings/archiving-settings.repository';
import { ProviderTotals } from './provider-totals';

/** Checks every hour what leaves no trace in the history: the provider's count, and the labels. */
@Injectable()
export class MailboxCheck {
  constructor(
    private readonly settings: ArchivingSettingsRepository,
    private readonly totals: ProviderTotals,
    private readonly labels: LabelNames,
    private readonly index: MessageIndexService,
  ) {}

  async perform(account: ProviderAccount, signal: AbortSignal): Promise<void> {
    const settings = await this.settings.find(account.id);
    if (!settings || settings.mode === 'off' || settings.paused) return;
    // A label that was deleted elsewhere leaves its messages without a word in the history.
    const vanished = await this.labels.readAll(account, { priority: 'background', signal });
    for (const labelId of vanished) await this.index.removeLabel(account.id, labelId);
    await this.totals.check(account, signal);
  }
}
