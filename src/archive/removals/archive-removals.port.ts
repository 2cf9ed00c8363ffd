import type { Transaction } from '../../common/database/transactions';

/** Where a stored file lies. */
export interface StoredFile {
  /** As in `archived_mails.storage`. */
  readonly storage: string;
  readonly storageKey: string;
}

/** A stored file, by where it lies and whose it is. */
export interface FileToRemove extends StoredFile {
  readonly userId: string;
  readonly accountId: string;
}

/**
 * The one way files leave the archive. Deleting a row and its file cannot be one step, and the keys of mails repeat:
 * archiving a deleted mail once more writes the same key. So the removal is registered in the transaction that deletes
 * the row, carried out after it, and remembered for a day: whoever writes a key checks, under the account's lock, that
 * no removal of it is pending or was carried out since it began to write, and otherwise writes the file again
 * (`RemovalWatch`).
 */
export abstract class ArchiveRemovals {
  /**
   * Registers files for removal. The transaction holds the lock of the account's archive
   * (`ArchiveWritesRepository.lockArchive`), or has found the account gone, and has deleted, or found missing, the rows
   * that named them. A file that a row names after all is left alone.
   */
  abstract register(files: readonly FileToRemove[], transaction: Transaction): Promise<void>;

  /**
   * Deletes registered files; those of a store that cannot be reached stay registered and are deleted later by a
   * schedule, so this fails for no outage. When it returns, nobody else is deleting any of them either. Call after the
   * registering transaction has committed, and outside of any.
   * @returns how many files are gone because of this call
   */
  abstract carryOut(files: readonly StoredFile[]): Promise<number>;

  /** Deletes whatever is registered for an account, e.g. before its last traces go. @returns files still waiting */
  abstract carryOutFor(accountId: string, signal: AbortSignal): Promise<number>;
}
