import { Logger } from '@nestjs/common';
import { Ticker } from '../../platform/concurrency/ticker';
import type { Transaction } from '../../platform/database/transactions';
import { describeError } from '../../platform/logging/describe-error';
import type { FileDeletionsRepository, FileToDelete, LeasedFile } from './file-deletions.repository';

/** Rolls a transaction back: the lease of files ended before their mails were committed, and the files may be deleted. */
export class FilesLost extends Error {
  constructor() {
    super('The lease of files that were being written has ended');
    this.name = 'FilesLost';
  }
}

/**
 * Files that are being written. Each has a row that deletes it once the lease is over, so that no files are left of a
 * writer that was killed. The transaction that commits their mails removes the rows of the files it keeps; a process
 * that deletes files claims the same rows first, so that only one of the two can succeed.
 */
export class ReservedFiles {
  private readonly logger = new Logger(ReservedFiles.name);
  private readonly kept = new Set<string>();
  private readonly renewal: Ticker;

  private constructor(
    private readonly repository: FileDeletionsRepository,
    private readonly files: readonly FileToDelete[],
    private readonly leases: ReadonlyMap<string, LeasedFile>,
    leaseMs: number,
    private readonly onRelease: () => void,
  ) {
    this.renewal = new Ticker(
      leaseMs / 3,
      () => repository.extend([...leases.values()], leaseMs),
      this.logger,
    );
    this.renewal.start();
  }

  /**
   * @param files under keys that were never used before
   * @param onRelease is called when files have become due for deletion
   */
  static async reserve(
    repository: FileDeletionsRepository,
    files: readonly FileToDelete[],
    leaseMs: number,
    onRelease: () => void,
  ): Promise<ReservedFiles> {
    const leased = files.length === 0 ? [] : await repository.insertLeased(files, leaseMs);
    return new ReservedFiles(
      repository,
      files,
      new Map(leased.map((file) => [file.storageKey, file])),
      leaseMs,
      onRelease,
    );
  }

  /** Whether a transaction that kept files has committed. */
  get hasKept(): boolean {
    return this.kept.size > 0;
  }

  /**
   * Keeps files whose mails the transaction commits. Call when all files are written: leases are not renewed any more.
   * @throws FilesLost
   */
  async keep(storageKeys: readonly string[], transaction: Transaction): Promise<void> {
    // A renewal under way locks the same rows.
    await this.renewal.stop();
    if (storageKeys.length === 0) return;
    const leases = storageKeys.map((key) => this.leases.get(key)!);
    if ((await this.repository.delete(leases, transaction)) < leases.length) throw new FilesLost();
    transaction.afterCommit(() => {
      for (const key of storageKeys) this.kept.add(key);
    });
  }

  /**
   * Deletes the files that were not kept. Never fails: files whose rows cannot be changed now are deleted when their lease
   * has ended.
   * @param isLost whether files were deleted before they were committed, and may have been written after that: files that
   *   have lost their rows get new ones. Pass true only when every transaction has certainly been rolled back or committed
   */
  async release({ isLost = false } = {}): Promise<void> {
    try {
      await this.renewal.stop();
      const left = this.files.filter(({ storageKey }) => !this.kept.has(storageKey));
      if (left.length === 0) return;
      await this.repository.releaseDue(left.map(({ storageKey }) => this.leases.get(storageKey)!));
      if (isLost) await this.repository.insertUnnamed(left);
      this.onRelease();
    } catch (error) {
      this.logger.warn(`Files of an unfinished batch will be deleted later: ${describeError(error).message}`);
    }
  }
}
