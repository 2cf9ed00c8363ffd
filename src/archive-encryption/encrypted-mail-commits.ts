import { Injectable } from '@nestjs/common';
import { FileDeletions } from '../archive-storage/file-deletions';
import type { ReservedFiles } from '../archive-storage/reserved-files';
import { MailboxAccountGone } from '../archive/archive.errors';
import { MailEncryptionRepository } from '../archive/mail-encryption.repository';
import { ArchiveWritesRepository } from '../archive/writing/archive-writes.repository';
import type { ArchiveOwner } from '../archive/writing/mail-to-archive';
import { Transactions } from '../common/database/transactions';
import type { EncryptedMail } from './mail-to-encrypt';

/** Makes rows name the encrypted files that lie in their stores; the plain files are deleted. */
@Injectable()
export class EncryptedMailCommits {
  constructor(
    private readonly repository: MailEncryptionRepository,
    private readonly archive: ArchiveWritesRepository,
    private readonly fileDeletions: FileDeletions,
    private readonly transactions: Transactions,
  ) {}

  /**
   * All of a batch in one transaction. Encrypted files of mails that were deleted, or encrypted by somebody else,
   * meanwhile stay reserved.
   * @returns ids of the mails that are encrypted now
   * @throws MailboxAccountGone; FilesLost when the files were reserved for too long
   */
  commit(
    owner: ArchiveOwner,
    mails: readonly EncryptedMail[],
    files: ReservedFiles,
  ): Promise<ReadonlySet<string>> {
    return this.transactions.run(async (transaction) => {
      if (!(await this.archive.lockArchive(owner, transaction))) throw new MailboxAccountGone();
      const ids = await this.repository.markEncrypted(owner, mails, transaction);
      const encrypted = mails.filter(({ plain }) => ids.has(plain.id));
      await files.keep(
        encrypted.map(({ storageKey }) => storageKey),
        transaction,
      );
      const plain = encrypted.map(({ plain: { storage, storageKey } }) => ({
        ...owner,
        storage,
        storageKey,
      }));
      await this.fileDeletions.enqueue(plain, transaction);
      return ids;
    });
  }
}
