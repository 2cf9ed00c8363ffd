import { Injectable } from '@nestjs/common';
import { AccountMaintenance } from '../../../mailbox/accounts/account-maintenance';
import { Transactions } from '../../../platform/database/transactions';
import { AttachedTextsRepository } from '../attached-texts/attached-texts.repository';
import { READ_ATTACHMENTS_CHORE } from '../attached-texts/attached-texts.service';
import { MailEncryptionRepository } from '../mail-encryption.repository';
import type { LocatedMail } from '../mail-content-reader';
import { OutdatedMarks } from '../rereading/outdated-marks';
import { ArchiveLock } from '../writing/archive-lock';
import type { ArchiveOwner } from '../writing/mail-to-archive';
import { IndexProbesRepository } from './index-probes.repository';

/** Puts right what the index has of a mail. */
@Injectable()
export class IndexHealer {
  constructor(
    private readonly probes: IndexProbesRepository,
    private readonly outdated: OutdatedMarks,
    private readonly texts: AttachedTextsRepository,
    private readonly encryption: MailEncryptionRepository,
    private readonly maintenance: AccountMaintenance,
    private readonly archiveLock: ArchiveLock,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Makes a mail be read again that its index does not find, unless that has changed meanwhile.
   * @param q the search that does not find it
   * @param attachmentId an attachment that is read again as well
   * @returns whether it is not found indeed
   */
  healPlain(
    owner: ArchiveOwner,
    mail: LocatedMail,
    q: string,
    attachmentId: string | null,
  ): Promise<boolean> {
    return this.transactions.run(async (transaction) => {
      if (!(await this.archiveLock.acquire(owner, transaction))) return false;
      if (!(await this.probes.isUnchanged(mail, transaction))) return false;
      if (await this.probes.isFound(mail, q, transaction)) return false;
      await this.probes.rewriteWords(mail, transaction);
      await this.outdated.markOutdated(owner.accountId, [mail.id], transaction);
      if (attachmentId !== null) {
        await this.texts.makeUnread(owner.accountId, attachmentId, transaction);
        await this.maintenance.makeDue(READ_ATTACHMENTS_CHORE, owner.accountId, transaction);
      }
      return true;
    });
  }

  /** Removes what is left of the text of an encrypted mail. @returns whether there was anything */
  removeTextOfEncrypted(owner: ArchiveOwner, mail: LocatedMail): Promise<boolean> {
    return this.transactions.run(async (transaction) => {
      if (!(await this.archiveLock.acquire(owner, transaction))) return false;
      if (!(await this.probes.hasTextOfEncrypted(mail, transaction))) return false;
      await this.encryption.removeText(owner.accountId, [mail.id], transaction);
      await this.probes.endCountedSearches(owner.accountId, transaction);
      return true;
    });
  }
}
