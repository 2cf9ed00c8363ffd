import { Injectable } from '@nestjs/common';
import { FileDeletions } from '../files/file-deletions';
import type { ReservedFiles } from '../files/reserved-files';
import type { Transaction } from '../../platform/database/transactions';
import { type FileOfMail, MailEncryptionRepository, type ReplacedFile } from './mail-encryption.repository';
import type { MailPosition } from './stored-mails';
import type { ArchiveOwner } from './writing/mail-to-archive';

/** Replaces the files of plain mails by encrypted ones. */
@Injectable()
export class EncryptedMailsService {
  constructor(
    private readonly mails: MailEncryptionRepository,
    private readonly fileDeletions: FileDeletions,
  ) {}

  /** Reads the database's clock as it was some minutes ago. */
  readClockMinutesAgo(minutes: number): Promise<string> {
    return this.mails.readClockMinutesAgo(minutes);
  }

  /** The given mails that are still plain and have the same file. @returns their ids */
  findUnchanged(owner: ArchiveOwner, mails: readonly FileOfMail[]): Promise<Set<string>> {
    return this.mails.findUnchanged(owner, mails);
  }

  /** The number and size of encrypted mails whose files have a tag. @param after the position before that batch */
  countEncryptedAs(
    tag: string,
    owner: ArchiveOwner,
    after: MailPosition | null,
  ): Promise<{ mails: number; bytes: number }> {
    return this.mails.countEncryptedAs(tag, owner, after);
  }

  /**
   * Makes rows name their encrypted files, removes the text of the bodies from search and previews, and enqueues the plain files
   * to be deleted. Encrypted files of mails that were deleted or encrypted elsewhere meanwhile stay reserved.
   * @param files the encrypted files
   * @param transaction has locked the account's archive
   * @returns ids of the mails that are encrypted now
   * @throws FilesLost when the files were reserved for too long
   */
  async replaceFiles(
    owner: ArchiveOwner,
    mails: readonly ReplacedFile[],
    files: ReservedFiles,
    transaction: Transaction,
  ): Promise<ReadonlySet<string>> {
    const ids = await this.mails.markEncrypted(owner, mails, transaction);
    const encrypted = mails.filter(({ plain }) => ids.has(plain.id));
    const keys = encrypted.map(({ storageKey }) => storageKey);
    await files.keep(keys, transaction);
    const replaced = encrypted.map(({ plain: { storage, storageKey } }) => ({
      ...owner,
      storage,
      storageKey,
    }));
    await this.fileDeletions.enqueue(replaced, transaction);
    return ids;
  }
}
