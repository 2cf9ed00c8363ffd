import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transactions';
import { ImapFoldersRepository } from '../store/imap-folders.repository';
import { ImapHistoryRepository } from '../store/imap-history.repository';

/** Makes the next look at an IMAP mailbox a first one: the index is being deleted, or the mailbox is another one. */
@Injectable()
export class ImapIndexReset {
  constructor(
    private readonly folders: ImapFoldersRepository,
    private readonly history: ImapHistoryRepository,
  ) {}

  /**
   * No UID that is known is used any more, and no cursor is answered. The numbers of the history go on: a cursor from before
   * never comes to name a later change.
   */
  async reset(accountId: string, transaction: Transaction): Promise<void> {
    await this.history.lock(accountId, transaction);
    await this.history.beginAnew(accountId, transaction);
    await this.folders.distrustAll(accountId, transaction);
  }
}
