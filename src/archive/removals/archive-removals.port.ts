import type { Transaction } from '../../common/database/transactions';

/** A stored file, by where it lies and whose it is. */
export interface FileToRemove {
  /** As in `archived_mails.storage`. */
  readonly storage: string;
  readonly storageKey: string;
  readonly userId: string;
  readonly accountId: string;
}

/**
 * The one way files leave the archive. Deleting a row and its file cannot be one step, and the keys of mails repeat:
 * archiving a deleted mail once more writes the same key. So the removal is registered in the transaction that deletes
 * the row, carried out after it, and remembered for an hour: whoever writes a key checks, under the account's lock,
 * that no removal of it is pending or was carried out since it began to write, and otherwise writes the file again.
 */
export abstract class ArchiveRemovals {
  /**
   * Registers files for removal. The transaction holds the lock of the account's archive
   * (`ArchiveWritesRepository.lockArchive`) and has deleted, or found missing, the rows that named them.
   */
  abstract register(files: readonly FileToRemove[], transaction: Transaction): Promise<void>;

  /**
   * Deletes registered files; those of a store that cannot be reached stay registered and are deleted later by a
   * schedule, so this fails for no outage. Call after the registering transaction has committed.
   * @returns how many files are gone now
   */
  abstract carryOut(files: readonly Pick<FileToRemove, 'storage' | 'storageKey'>[]): Promise<number>;

  /** Deletes whatever is registered for an account, e.g. before its last traces go. @returns files still waiting */
  abstract carryOutFor(accountId: string, signal: AbortSignal): Promise<number>;
}
