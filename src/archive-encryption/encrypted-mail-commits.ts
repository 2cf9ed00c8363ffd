import { Injectable } from '@nestjs/common';
import { FileDeletions, FileToDelete, StoredFile } from '../archive-storage/file-deletions';
import { RemovalWatches } from '../archive-storage/removal-watch';
import { ArchiveBusy, MailboxAccountGone } from '../archive/archive.errors';
import { ArchiveWritesRepository } from '../archive/writing/archive-writes.repository';
import type { ArchiveOwner } from '../archive/writing/mail-to-archive';
import { Transactions } from '../common/database/transactions';
import type { EncryptedMail } from './mail-to-encrypt';
import { MailsToEncryptRepository } from './mails-to-encrypt.repository';

/** Carries out registered removals while the next batch is written, one batch at a time. */
export class BackgroundFileDeletions {
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly removals: FileDeletions) {}

  /** Waits for the batch before. @throws what became of it */
  async carryOut(files: readonly StoredFile[]): Promise<void> {
    await this.running;
    this.running = this.removals.carryOut(files);
    // It is looked at when its turn comes; until then a failure is nobody's unhandled rejection.
    this.running.catch(() => undefined);
  }

  /** Waits for what is under way, however it ends: what is registered is carried out later all the same. */
  async end(): Promise<void> {
    await this.running.catch(() => undefined);
  }
}

export interface CommittedMails {
  /** Ids. */
  readonly encrypted: ReadonlySet<string>;
  /**
   * Registered, and to be carried out now: the plain files of those, and the encrypted files of the others, whose mails
   * were removed or encrypted by somebody else meanwhile.
   */
  readonly removals: readonly FileToDelete[];
}

/** Makes rows name the encrypted files that lie in their stores: from then on the plain ones are nobody's. */
@Injectable()
export class EncryptedMailCommits {
  constructor(
    private readonly repository: MailsToEncryptRepository,
    private readonly archive: ArchiveWritesRepository,
    private readonly watches: RemovalWatches,
    private readonly removals: FileDeletions,
    private readonly transactions: Transactions,
  ) {}

  /**
   * All of a batch in one transaction.
   * @throws MailboxAccountGone; ArchiveBusy when somebody who takes the job for dead has removed its files
   */
  commit(owner: ArchiveOwner, mails: readonly EncryptedMail[]): Promise<CommittedMails> {
    return this.transactions.run(async (transaction) => {
      if (!(await this.archive.lockArchive(owner, transaction))) throw new MailboxAccountGone();
      for (const storage of new Set(mails.map(({ plain }) => plain.storage))) {
        const keys = mails
          .filter(({ plain }) => plain.storage === storage)
          .map(({ storageKey }) => storageKey);
        // Keys are of one attempt: whatever is known of their removal has happened since they were written.
        const endangered = await this.watches.open(storage).endangered(keys, transaction);
        if (endangered.length > 0) throw new ArchiveBusy();
      }
      const encrypted = await this.repository.markEncrypted(owner, mails, transaction);
      const removals = mails.map(({ plain, storageKey }) => ({
        ...owner,
        storage: plain.storage,
        storageKey: encrypted.has(plain.id) ? plain.storageKey : storageKey,
      }));
      await this.removals.register(removals, transaction);
      return { encrypted, removals };
    });
  }

  /**
   * Removes those of some files that no row names: of a batch that was not committed, as far as is known.
   * @returns mails that were committed after all, and their size in bytes
   */
  async discard(
    owner: ArchiveOwner,
    files: readonly StoredFile[],
  ): Promise<{ mails: number; bytes: number }> {
    if (files.length === 0) return { mails: 0, bytes: 0 };
    const removals = files.map(({ storage, storageKey }) => ({ ...owner, storage, storageKey }));
    const committed = await this.transactions.run(async (transaction) => {
      // An account that is gone needs no lock: nobody writes rows of it any more.
      await this.archive.lockArchive(owner, transaction);
      const keys = files.map(({ storageKey }) => storageKey);
      const named = await this.repository.naming(owner, keys, transaction);
      await this.removals.register(removals, transaction);
      return named;
    });
    await this.removals.carryOut(removals);
    return committed;
  }
}
