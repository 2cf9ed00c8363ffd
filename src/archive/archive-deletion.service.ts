import { Injectable } from '@nestjs/common';
import {
  ArchiveBucketMissing,
  ArchiveStoreRefused,
  ArchiveStoreUnavailable,
} from '../archive-storage/archive-store.errors';
import { type ArchiveStore, ArchiveStores } from '../archive-storage/archive-store.port';
import { LOCAL_STORAGE } from '../archive-storage/archive-stores.service';
import { FileDeletions } from '../archive-storage/file-deletions';
import { accountPrefix, userPrefix } from '../archive-storage/storage-key';
import { Transaction, Transactions } from '../common/database/transactions';
import { DomainError } from '../common/http/domain-error';
import type { JobContext } from '../jobs/job-definition';
import { ArchiveDeletionRepository, DeletedMail } from './archive-deletion.repository';
import { ExpiredMails, ExpiredMailsRepository } from './expired-mails.repository';
import { ArchiveWritesRepository } from './writing/archive-writes.repository';
import type { ArchiveOwner } from './writing/mail-to-archive';

/** What a batch, or all of them, deleted. */
export interface ArchiveDeletionResult {
  readonly mails: number;
  /** Of their EML files. */
  readonly bytes: number;
  /** Files that are gone already; those of a store that is away follow when it is back. */
  readonly files: number;
}

const BATCH = 1_000;
/** Files without rows deleted at the same time. */
const CLEARED_AT_ONCE = 8;

/** Deletes everything archived for an account or a user: rows before their files. */
@Injectable()
export class ArchiveDeletionService {
  constructor(
    private readonly repository: ArchiveDeletionRepository,
    private readonly expiredMails: ExpiredMailsRepository,
    private readonly writes: ArchiveWritesRepository,
    private readonly fileDeletions: FileDeletions,
    private readonly stores: ArchiveStores,
    private readonly transactions: Transactions,
  ) {}

  /** Mails of an account, and the bytes of their EML files. */
  sizeOf(userId: string, accountId: string): Promise<{ mails: number; bytes: number }> {
    return this.repository.sizeOf(userId, accountId);
  }

  /**
   * Deletes those of some mails that have still expired, and enqueues their files to be deleted.
   * @param transaction has locked the account's archive
   * @returns mails deleted
   */
  async deleteExpired(
    expired: ExpiredMails,
    ids: readonly string[],
    transaction: Transaction,
  ): Promise<number> {
    const files = await this.expiredMails.delete(expired, ids, transaction);
    if (files.length > 0) await this.fileDeletions.enqueue(files, transaction);
    return files.length;
  }

  /**
   * Deletes rows and their files in batches that can be interrupted and repeated; nothing else is touched. Mail may
   * still arrive meanwhile: delete the account next, which ends that, then the leftover files.
   * @param afterBatch receives the counts of each batch; without it, mails are reported as the job's progress
   * @returns what was deleted by this call
   */
  async deleteAccount(
    userId: string,
    accountId: string,
    job: JobContext,
    afterBatch: (batch: ArchiveDeletionResult) => Promise<void> = async ({ mails }) =>
      job.progress({ processed: mails }),
  ): Promise<ArchiveDeletionResult> {
    const deleted = { mails: 0, bytes: 0, files: 0 };
    const away = new Set<string>();
    for (;;) {
      job.throwIfCancelled();
      const rows = await this.deleteBatch({ userId, accountId });
      if (rows.length === 0) break;
      const waiting = await this.fileDeletions.drain(accountId, { away });
      const bytes = rows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      deleted.mails += rows.length;
      deleted.bytes += bytes;
      // Those of earlier batches that waited may have gone with this one.
      const files = Math.max(0, deleted.mails - waiting - deleted.files);
      deleted.files += files;
      await afterBatch({ mails: rows.length, bytes, files });
    }
    return deleted;
  }

  /**
   * Deletes whatever files still lie in the account's folders: of rows that went in an interrupted attempt, or that
   * went with the account, or that never came. Call when the account's row is gone, so that no batch can be committed
   * any more; one that is then on its way deletes its own files.
   */
  async deleteLeftoverFiles(userId: string, accountId: string, job: JobContext): Promise<void> {
    const waiting = await this.fileDeletions.drain(accountId, { signal: job.signal });
    if (waiting > 0) job.logger.warn(`${waiting} files wait until their store can be reached`);
    for (const { storage, store } of await this.stores.ofUser(userId)) {
      try {
        await this.clear(store, accountPrefix(userId, accountId), job);
      } catch (error) {
        // A bucket that is gone for good must not keep an account for ever; the check for orphans looks there again.
        if (!isStoreFailure(error)) throw error;
        job.logger.warn(`Files may remain in store ${storage}: ${error.detail}`);
      }
    }
  }

  /**
   * Deletes whatever lies in the folders of a user whose accounts are gone, in every store they ever used, finished or
   * half-written. Waits for a store that is away; a bucket that does not exist any more holds nothing.
   * @returns files deleted
   * @throws ArchiveStoreUnavailable, ArchiveStoreRefused when files may remain in a store; the others are cleared even so
   */
  async deleteFilesOfUser(userId: string, job: JobContext): Promise<number> {
    let files = 0;
    let failure: DomainError | undefined;
    // The local one comes first: nothing there waits for a bucket that is away.
    for (const { store } of await this.stores.ofUser(userId)) {
      try {
        files += await this.clearPatiently(store, userPrefix(userId), job);
      } catch (error) {
        if (!isStoreFailure(error)) throw error;
        failure ??= error;
      }
    }
    if (failure) throw failure;
    return files;
  }

  /** Deletes the local folder of a user, whatever it holds. */
  async deleteLocalFolder(userId: string): Promise<void> {
    const local = await this.stores.named(LOCAL_STORAGE);
    await local.removeFolder?.(userPrefix(userId));
  }

  /** Listing waits for a store that is away, deleting does not: begins anew as long as files go. */
  private async clearPatiently(store: ArchiveStore, prefix: string, job: JobContext): Promise<number> {
    if (store.removeFolder) {
      await store.removeUnfinished(prefix);
      return store.removeFolder(prefix);
    }
    let files = 0;
    for (;;) {
      const before = files;
      try {
        await this.clear(store, prefix, job, () => (files += 1));
        return files;
      } catch (error) {
        if (error instanceof ArchiveBucketMissing) return files;
        if (!(error instanceof ArchiveStoreUnavailable) || files === before) throw error;
      }
    }
  }

  private async clear(
    store: ArchiveStore,
    prefix: string,
    job: JobContext,
    onDeleted: () => void = () => undefined,
  ): Promise<void> {
    let batch: string[] = [];
    for await (const { key } of store.list(prefix)) {
      job.throwIfCancelled();
      batch.push(key);
      if (batch.length < CLEARED_AT_ONCE) continue;
      await this.deleteAll(store, batch, onDeleted);
      batch = [];
    }
    await this.deleteAll(store, batch, onDeleted);
    await store.removeUnfinished(prefix);
  }

  private async deleteAll(
    store: ArchiveStore,
    keys: readonly string[],
    onDeleted: () => void,
  ): Promise<void> {
    const outcomes = await Promise.allSettled(keys.map((key) => store.delete(key).then(onDeleted)));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  /** Deletes rows and enqueues their files in one transaction. */
  private deleteBatch(owner: ArchiveOwner): Promise<DeletedMail[]> {
    return this.transactions.run(async (transaction) => {
      // Rows of an account that is gone went with it.
      if (!(await this.writes.lockArchive(owner, transaction))) return [];
      const batch = await this.repository.deleteBatch(owner, BATCH, transaction);
      await this.fileDeletions.enqueue(batch, transaction);
      return batch;
    });
  }
}

const isStoreFailure = (error: unknown): error is ArchiveStoreUnavailable | ArchiveStoreRefused =>
  error instanceof ArchiveStoreUnavailable || error instanceof ArchiveStoreRefused;
