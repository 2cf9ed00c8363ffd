import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transactions';
import { MailPresenceRepository, type RelabelledMail } from './mail-presence.repository';

/**
 * Records where the messages of archived mails are, and their labels, as the mailbox has reported them. Every transaction
 * holds the lock of the archive.
 */
@Injectable()
export class MailPresenceService {
  constructor(private readonly presences: MailPresenceRepository) {}

  /**
   * Records new labels. A mail that may be offloaded stays so: the next part of the history may say otherwise.
   * @param follow whether the mails take the labels over; mails in spam or trash keep the labels they had before
   */
  relabel(
    accountId: string,
    mails: readonly RelabelledMail[],
    follow: boolean,
    transaction: Transaction,
  ): Promise<void> {
    return this.presences.relabel(accountId, mails, follow, transaction);
  }

  /** Records that messages are no longer in the mailbox: only their archived mails are left. */
  markGone(accountId: string, messageIds: readonly string[], transaction: Transaction): Promise<void> {
    return this.presences.markGone(accountId, messageIds, transaction);
  }

  /**
   * Records that a listing of the mailbox has these messages outside of the trash: no offload since the restored backup has
   * moved them.
   */
  clearDoubts(accountId: string, messageIds: readonly string[], transaction: Transaction): Promise<void> {
    return this.presences.clearDoubts(accountId, messageIds, transaction);
  }
}
