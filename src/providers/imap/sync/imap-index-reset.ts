import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transactions';
import { ImapFoldersRepository } from '../store/imap-folders.repository';
import { ImapHistoryRepository } from '../store/imap-history.repository';

/** Makes the next sync of an IMAP mailbox a first one, when the index is deleted or the mailbox is a different one. */
@Injectable()
export class ImapIndexReset {
  constructor(
    private readonly folders: ImapFoldersRepository,
    private readonly history: ImapHistoryRepository,
  ) {}

  /**
   * Invalidates all known UIDs and cursors. The numbers of the history continue, so that an earlier cursor never refers
   * to a later change.
   */
  async reset(accountId: string, transaction: Transaction): Promise<void> {
    await this.history.lock(accountId, transaction);
    await this.history.beginAnew(accountId, transaction);
    await this.folders.distrustAll(accountId, transaction);
  }
}
