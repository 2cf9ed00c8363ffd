import { Injectable } from '@nestjs/common';
import {
  ArchiveBucketMissing,
  ArchiveStoreEndless,
  ArchiveStoreRefused,
  ArchiveStoreUnavailable,
} from '../files/archive-store.errors';
import { ArchiveStores, LOCAL_STORAGE, type NamedStore } from '../files/archive-store.port';
import { type DeletionPass, FileDeletions } from '../files/file-deletions';
import { accountPrefix, userPrefix } from '../files/storage-key';
import type { StoreTime } from '../files/store-time';
import { Transactions } from '../../platform/database/transactions';
import { DomainError } from '../../platform/http/domain-error';
import type { JobContext } from '../../platform/jobs/job-definition';
import { MailboxAccountGone } from './archive.errors';
import { ArchiveDeletionRepository, DeletedMail } from './archive-deletion.repository';
import { ArchiveHolds } from './holds/archive-holds';
import { ArchiveLock } from './writing/archive-lock';
import type { ArchiveOwner } from './writing/mail-to-archive';

/** Counts of what one batch or all batches deleted. */
export interface ArchiveDeletionResult {
  readonly mails: number;
  /** Bytes of the EML files of these mails. */
  readonly bytes: number;
  /** Files deleted so far; files in a store that cannot be reached follow when it is back. */
  readonly files: number;
}

const BATCH = 1_000;
/** Files without rows that are deleted at the same time. */
const CLEARED_AT_ONCE = 8;

/** Deletes everything archived for an account or a user: rows before their files. */
@Injectable()
export class ArchiveDeletionService {
  constructor(
    private readonly repository: ArchiveDeletionRepository,
    private readonly archiveLock: ArchiveLock,
    private readonly holds: ArchiveHolds,
    private readonly fileDeletions: FileDeletions,
    private readonly stores: ArchiveStores,
    private readonly transactions: Transactions,
  ) {}

  /** The number of mails of an account, and the bytes of their EML files. */
  sizeOf(userId: string, accountId: string): Promise<{ mails: number; bytes: number }> {
    return this.repository.sizeOf(userId, accountId);
  }

  /**
   * Deletes the given mails that exist; their files follow.
   * @param pass of this call and others of the same job
   * @returns ids of the mails that stay, because their messages are being moved out of the mailbox
   * @throws MailboxAccountGone
   */
  async deleteMails(
    owner: ArchiveOwner,
    ids: readonly string[],
    pass: DeletionPass,
  ): Promise<ReadonlySet<string>> {
    const held = await this.transactions.run(async (transaction) => {
      if (!(await this.archiveLock.acquire(owner, transaction))) throw new MailboxAccountGone();
      const files = await this.repository.deleteThese(owner, ids, transaction);
      await this.fileDeletions.enqueue(files, transaction);
      return this.holds.findHeld(ids, transaction);
    });
    await this.fileDeletions.drain(owner.accountId, { pass });
    return held;
  }

  /** The state of one job's deletions, which remembers stores that cannot be reached. */
  beginPass(): DeletionPass {
    return this.fileDeletions.beginPass();
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
    const pass = this.fileDeletions.beginPass();
    for (;;) {
      job.throwIfCancelled();
      const rows = await this.deleteBatch({ userId, accountId });
      if (rows.length === 0) break;
      const waiting = await this.fileDeletions.drain(accountId, { signal: job.signal, pass });
      const bytes = rows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      deleted.mails += rows.length;
      deleted.bytes += bytes;
      // Files of earlier batches that waited may have been deleted with this one.
      const files = Math.max(0, deleted.mails - waiting - deleted.files);
      deleted.files += files;
      await afterBatch({ mails: rows.length, bytes, files });
    }
    return deleted;
  }

  /**
   * Deletes all files that still lie in the account's folders: their rows were deleted in an interrupted attempt or with
   * the account, or were never written. Call it when the account's row is gone, so that no batch can be committed any
   * more; a batch that is then being written deletes its own files.
   */
  async deleteLeftoverFiles(userId: string, accountId: string, job: JobContext): Promise<void> {
    const pass = this.fileDeletions.beginPass();
    const waiting = await this.fileDeletions.drain(accountId, { signal: job.signal, pass });
    if (waiting > 0) job.logger.warn(`${waiting} files wait until their store is reachable`);
    for (const named of await this.stores.listOfUser(userId)) {
      try {
        await this.clear(named, accountPrefix(userId, accountId), pass.time, job);
      } catch (error) {
        job.throwIfCancelled();
        // A bucket that is gone for good must not keep an account for ever; the check for orphans looks there again.
        if (!isStoreFailure(error)) throw error;
        job.logger.warn(`Files may remain in store ${named.storage}: ${error.detail}`);
      }
    }
  }

  /**
   * Deletes everything in the folders of a user whose accounts are gone, in every store they ever used, and unfinished
   * uploads. Waits for a store that is away; a bucket that does not exist any more holds nothing. A store
   * whose listing never ends is left once every file that is known to be there is deleted: it is the user's own store.
   * @returns files deleted, and stores that were left
   * @throws ArchiveStoreUnavailable, ArchiveStoreRefused, ArchiveStoreEndless when files may remain in a store; the
   *   others are cleared even so
   */
  async deleteFilesOfUser(userId: string, job: JobContext): Promise<{ files: number; storesLeft: number }> {
    const { time } = this.fileDeletions.beginPass();
    const cleared = { files: 0, storesLeft: 0 };
    let failure: DomainError | undefined;
    // The local one comes first: nothing there waits for a bucket that is away.
    for (const named of await this.stores.listOfUser(userId)) {
      try {
        await this.clearPatiently(named, userPrefix(userId), time, job, (files) => {
          cleared.files += files;
        });
      } catch (error) {
        job.throwIfCancelled();
        if (!isStoreFailure(error)) throw error;
        const { storage } = named;
        const isLeft =
          error instanceof ArchiveStoreEndless && !(await this.fileDeletions.hasLeft(userId, storage));
        if (!isLeft) failure ??= error;
        else {
          cleared.storesLeft += 1;
          job.logger.warn(
            `Store ${storage} of user ${userId} has an endless listing and is skipped: ${error.detail}`,
          );
        }
      }
    }
    if (failure) throw failure;
    return cleared;
  }

  /** Deletes the local folder of a user, whatever it holds. */
  async deleteLocalFolder(userId: string): Promise<void> {
    const local = await this.stores.find(LOCAL_STORAGE);
    await local.removeFolder?.(userPrefix(userId));
  }

  /** Clears folders again and again while files are deleted: listing waits for a store that is away, deleting does not. */
  private async clearPatiently(
    named: NamedStore,
    prefix: string,
    time: StoreTime,
    job: JobContext,
    onDeleted: (files: number) => void,
  ): Promise<void> {
    const { store } = named;
    if (store.removeFolder) return onDeleted(await store.removeFolder(prefix));
    for (let hasDeleted = true; hasDeleted;) {
      hasDeleted = false;
      try {
        return await this.clear(named, prefix, time, job, () => {
          hasDeleted = true;
          onDeleted(1);
        });
      } catch (error) {
        if (error instanceof ArchiveBucketMissing) return;
        if (!(error instanceof ArchiveStoreUnavailable) || !hasDeleted) throw error;
      }
    }
  }

  private async clear(
    { storage, store }: NamedStore,
    prefix: string,
    time: StoreTime,
    job: JobContext,
    onDeleted: () => void = () => undefined,
  ): Promise<void> {
    const { signal } = job;
    const budget = time.of(storage);
    const deleteAll = (keys: readonly string[]): Promise<void> =>
      budget.spend(async () => {
        const deletions = keys.map((key) => store.delete(key, { signal }).then(onDeleted));
        for (const outcome of await Promise.allSettled(deletions))
          if (outcome.status === 'rejected') throw outcome.reason;
      });
    let batch: string[] = [];
    for await (const { key } of store.list(prefix, { signal, budget })) {
      job.throwIfCancelled();
      batch.push(key);
      if (batch.length < CLEARED_AT_ONCE) continue;
      await deleteAll(batch);
      batch = [];
    }
    if (batch.length > 0) await deleteAll(batch);
    await store.removeUnfinished?.(prefix, { signal, budget });
  }

  /** Deletes rows and enqueues their files in one transaction. */
  private deleteBatch(owner: ArchiveOwner): Promise<DeletedMail[]> {
    return this.transactions.run(async (transaction) => {
      // The rows were deleted with the account.
      if (!(await this.archiveLock.acquire(owner, transaction))) return [];
      const batch = await this.repository.deleteBatch(owner, BATCH, transaction);
      await this.fileDeletions.enqueue(batch, transaction);
      return batch;
    });
  }
}

const isStoreFailure = (error: unknown): error is DomainError =>
  error instanceof ArchiveStoreUnavailable ||
  error instanceof ArchiveStoreRefused ||
  error instanceof ArchiveStoreEndless;
