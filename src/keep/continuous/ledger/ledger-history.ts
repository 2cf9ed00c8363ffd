import { Injectable } from '@nestjs/common';
import { MailPresenceService } from '../../../archive/mails/mail-presence.service';
import { ArchiveLock } from '../../../archive/mails/writing/archive-lock';
import type { Transaction } from '../../../platform/database/transactions';
import { HistoryListener, type HistoryChanges } from '../../../mailbox/index/history-listener.port';
import { ArchivingSettingsRepository } from '../settings/archiving-settings.repository';
import { LedgerRepository } from './ledger.repository';
import type { LedgerOwner } from './ledger.service';

/**
 * Moves the rows of the ledger with the stored cursor, so that they are the mailbox as of that cursor, and tells archived
 * mails where their messages are. Stretches that come again change nothing. Accounts without a ledger cost one look-up.
 * See ADR 70.
 */
@Injectable()
export class LedgerHistory extends HistoryListener {
  constructor(
    private readonly ledger: LedgerRepository,
    private readonly settings: ArchivingSettingsRepository,
    private readonly presence: MailPresenceService,
    private readonly archiveLock: ArchiveLock,
  ) {
    super();
  }

  async apply(
    { id: accountId, userId }: LedgerOwner,
    { labels, deleted }: HistoryChanges,
    transaction: Transaction,
  ): Promise<void> {
    if (!isOn(await this.settings.findLedgerState(accountId, transaction))) return;
    // Before the ledger: the triggers of archived mail hold the archive when they want the ledger.
    if (!(await this.archiveLock.acquire({ userId, accountId }, transaction))) return;
    const state = await this.settings.lockLedgerState(accountId, transaction);
    if (!state || !isOn(state)) return;
    const relabelled = await this.ledger.relabel(accountId, labels, transaction);
    const added = await this.ledger.add(accountId, labels.flatMap(listedMessages), transaction);
    await this.presence.relabel(accountId, [...relabelled, ...added], state.followLabels, transaction);
    await this.ledger.remove(accountId, deleted, transaction);
    await this.presence.markGone(accountId, deleted, transaction);
  }

  onCursorLost(accountId: string, transaction: Transaction): Promise<void> {
    return this.settings.markInexact(accountId, transaction);
  }

  async onLabelRemoved(accountId: string, labelId: string, transaction: Transaction): Promise<void> {
    if (!isOn(await this.settings.lockLedgerState(accountId, transaction))) return;
    await this.ledger.removeLabel(accountId, labelId, transaction);
  }
}

const isOn = (state: { readonly mode: string } | null): boolean => state !== null && state.mode !== 'off';

/** A message whose labels are known in full; of others only differences are, and a listing has to bring them. */
const listedMessages = ({ id, labelIds, add, remove, added }: HistoryChanges['labels'][number]) =>
  labelIds || added
    ? [
        {
          id,
          labelIds: [
            ...(labelIds ?? []).filter((label) => !remove.includes(label) && !add.includes(label)),
            ...add,
          ],
        },
      ]
    : [];
