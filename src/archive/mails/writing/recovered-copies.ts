import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions';
import { MailboxAccountGone } from '../archive.errors';
import { ArchiveLock } from './archive-lock';
import type { ArchiveOwner, MailToArchive } from './mail-to-archive';
import { RecoveredCopiesRepository } from './recovered-copies.repository';

/**
 * Finds bytes that an account has already, although not under the message's id: of imported mail, and of mail whose message
 * is gone from the mailbox. They are not stored twice; the archived mail becomes that of the message.
 */
@Injectable()
export class RecoveredCopies {
  constructor(
    private readonly repository: RecoveredCopiesRepository,
    private readonly archiveLock: ArchiveLock,
    private readonly transactions: Transactions,
  ) {}

  /**
   * @returns ids of the messages that have an archived mail now
   * @throws MailboxAccountGone
   */
  async take(owner: ArchiveOwner, mails: readonly MailToArchive[]): Promise<ReadonlySet<string>> {
    const found = await this.repository.findMatching(owner.accountId, mails);
    if (found.length === 0) return new Set();
    return this.transactions.run(async (transaction) => {
      if (!(await this.archiveLock.acquire(owner, transaction))) throw new MailboxAccountGone();
      return this.repository.rename(owner.accountId, mails, transaction);
    });
  }
}
