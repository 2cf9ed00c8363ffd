import { Injectable } from '@nestjs/common';
import { type DeletionPass, FileDeletions } from '../../archive/files/file-deletions';
import { ArchiveStoreEndless, ObjectMissing } from '../../archive/files/archive-store.errors';
import {
  ArchiveStores,
  LOCAL_STORAGE,
  NamedStore,
  StoredObject,
  UnfinishedWrite,
  WalkOptions,
} from '../../archive/files/archive-store.port';
import { DomainError } from '../../platform/http/domain-error';
import { AppConfig } from '../../platform/config/app-config';
import type { IntegrityProgress } from './integrity-progress';
import { StoreFailure } from './integrity.errors';
import { IntegrityTimings } from './integrity-timings';
import { ArchiveFolders } from './archive-folders';
import { ArchiveKey, parseArchiveKey } from '../../archive/files/storage-key';
import { IntegrityStatesRepository } from './integrity-states.repository';
import { StoredMails } from '../../archive/mails/stored-mails';
import { delay } from '../../platform/concurrency/timers';

/** Files looked up, and deleted, at a time. */
const BATCH = 1_000;
/**
 * Largest number of orphans that is plausible: crashes leave a few files behind. More than this, and more than a tenth of the
 * files that mails name, means that rows are missing, for example because the database was restored from a backup.
 */
const PLAUSIBLE_ORPHANS = 1_000;
/**
 * Days for which files that are older than a restore from a backup are kept: they may be of mail that was archived and
 * offloaded after the backup, and be the only copies.
 */
const DAYS_AFTER_RESTORE = 90;
const DAY_MS = 24 * 3_600_000;
/** Tolerated difference between the clocks of object stores and ours. */
const CLOCK_SLACK_MS = DAY_MS;
/** Largest number of old files collected in one search; the next night takes the rest. */
const MAX_REMEMBERED = 20_000;

interface ListedFile extends ArchiveKey {
  readonly key: string;
  readonly size: number;
  readonly modifiedAt: Date;
}

interface Search {
  readonly orphans: ListedFile[];
  count: number;
  named: number;
}

/**
 * Deletes files that no mail names and that are neither being written nor deleted. They come from a writer that outlived its
 * lease, or were put there from outside. In a bucket, which others may use as well, it looks only below the prefixes of users
 * of this installation.
 */
@Injectable()
export class OrphanFilesService {
  constructor(
    private readonly stores: ArchiveStores,
    private readonly files: StoredMails,
    private readonly states: IntegrityStatesRepository,
    private readonly folders: ArchiveFolders,
    private readonly fileDeletions: FileDeletions,
    private readonly timings: IntegrityTimings,
    private readonly config: AppConfig,
  ) {}

  /**
   * Deletes orphans under a user's prefix, in every store they use or used.
   * @throws StoreFailure when one that holds mail cannot be read
   */
  async deleteOrphansOfUser(userId: string, progress: IntegrityProgress): Promise<void> {
    let stores: NamedStore[];
    try {
      stores = await this.stores.listOfUser(userId);
    } catch (error) {
      throw error instanceof DomainError ? new StoreFailure(`of user ${userId}`, error) : error;
    }
    let failure: StoreFailure | null = null;
    const pass = this.fileDeletions.beginPass();
    for (const store of stores) {
      // The check has waited for this store already, and has reported it.
      if (progress.isAway(store.storage)) continue;
      try {
        await this.expectAnswer(userId, store, progress);
        await this.deleteOrphansIn(userId, store, pass, progress);
      } catch (error) {
        if (!(error instanceof StoreFailure)) throw error;
        if (await this.files.hasFilesIn(userId, store.storage)) failure ??= error;
        // The address is mistyped, or the bucket is no longer in use: no mail depends on it.
        else progress.job.logger.warn(`${error.message}, and holds no mail: ${String(error.error)}`);
      }
    }
    if (failure) throw failure;
  }

  /** Does not wait for a store that is away: unlike mail, orphans can wait until the next night. */
  private async expectAnswer(
    userId: string,
    { storage, store }: NamedStore,
    progress: IntegrityProgress,
  ): Promise<void> {
    if (storage === LOCAL_STORAGE) return;
    progress.job.throwIfCancelled();
    try {
      (await store.get(`${userId}/`, undefined, { signal: progress.job.signal })).destroy();
    } catch (error) {
      if (!(error instanceof ObjectMissing)) throw new StoreFailure(storage, error);
    }
  }

  /** Deletes orphans from the folder of a user who has gone, or has no archive any more, on the local disk. @throws StoreFailure */
  async deleteOrphansInFolder(userId: string, progress: IntegrityProgress): Promise<void> {
    await this.deleteOrphansIn(
      userId,
      { storage: LOCAL_STORAGE, store: await this.stores.find(LOCAL_STORAGE) },
      this.fileDeletions.beginPass(),
      progress,
    );
  }

  private async deleteOrphansIn(
    userId: string,
    store: NamedStore,
    pass: DeletionPass,
    progress: IntegrityProgress,
  ): Promise<void> {
    if (store.storage === LOCAL_STORAGE && !(await this.folders.isFolder(userId))) return;
    const walk: WalkOptions = { signal: progress.job.signal, budget: pass.time.of(store.storage) };
    const purged = await this.states.listPurgedAccounts(userId);
    const restoredAt = await this.states.findRestoreTime();
    const search: Search = { orphans: [], count: 0, named: 0 };
    const failure = await this.search(userId, store, walk, progress, async (listed) => {
      const orphans = await this.selectUnnamed(listed);
      search.named += listed.length - orphans.length;
      await this.delete(
        store.storage,
        orphans.filter(({ accountId }) => purged.has(accountId)),
        pass,
        progress,
      );
      const ofNoAccount = orphans.filter(({ accountId }) => !purged.has(accountId));
      const unexplained = ofNoAccount.filter(({ modifiedAt }) => !mayPrecedeRestore(modifiedAt, restoredAt));
      progress.report.orphansKept += ofNoAccount.length - unexplained.length;
      search.count += unexplained.length;
      search.orphans.push(...unexplained.slice(0, MAX_REMEMBERED - search.orphans.length));
    });
    await this.deleteIfPlausible(userId, store, search, pass, progress);
    if (failure) throw failure;
  }

  /**
   * @param onBatch receives old files of the archive's form
   * @returns the failure of a store whose listing has no end: the search is incomplete; else null
   */
  private async search(
    userId: string,
    store: NamedStore,
    walk: WalkOptions,
    progress: IntegrityProgress,
    onBatch: (files: ListedFile[]) => Promise<void>,
  ): Promise<StoreFailure | null> {
    try {
      const isAbandoned = ({ startedAt }: UnfinishedWrite): boolean => startedAt < this.graceStart();
      await store.store.removeUnfinished?.(`${userId}/`, { ...walk, isAbandoned }).catch((error: unknown) => {
        throw new StoreFailure(store.storage, error);
      });
      for await (const listed of this.listOldFiles(userId, store, walk, progress)) await onBatch(listed);
      return null;
    } catch (error) {
      if (error instanceof StoreFailure && error.error instanceof ArchiveStoreEndless) return error;
      throw error;
    }
  }

  private async deleteIfPlausible(
    userId: string,
    { storage }: NamedStore,
    search: Search,
    pass: DeletionPass,
    progress: IntegrityProgress,
  ): Promise<void> {
    if (search.count > Math.max(PLAUSIBLE_ORPHANS, search.named / 10)) {
      progress.report.orphansKept += search.count;
      progress.job.logger.warn(
        `${search.count} files of user ${userId} in store ${storage} are referenced by no mail. ` +
          'They are kept, since crashes do not leave this many. Was the database restored?',
      );
      return;
    }
    for (let next = 0; next < search.orphans.length; next += BATCH) {
      progress.job.throwIfCancelled();
      await this.delete(storage, search.orphans.slice(next, next + BATCH), pass, progress);
    }
  }

  /** Files of the archive's form that are older than the grace period, in batches. */
  private async *listOldFiles(
    userId: string,
    store: NamedStore,
    walk: WalkOptions,
    progress: IntegrityProgress,
  ): AsyncGenerator<ListedFile[]> {
    let batch: ListedFile[] = [];
    let listed = 0;
    let startedAt = performance.now();
    for await (const object of this.list(store, `${userId}/`, walk, progress)) {
      const key = parseArchiveKey(object.key);
      if (!key && store.storage === LOCAL_STORAGE) progress.report.unknownFiles += 1;
      if (key && this.isOld(object))
        batch.push({ ...key, key: object.key, size: object.size, modifiedAt: object.modifiedAt });
      listed += 1;
      if (listed % BATCH !== 0 && batch.length < BATCH) continue;
      if (batch.length > 0) yield batch;
      batch = [];
      await delay((performance.now() - startedAt) * this.timings.nightlyRest, undefined, {
        signal: progress.job.signal,
      }).catch(() => progress.job.throwIfCancelled());
      startedAt = performance.now();
    }
    if (batch.length > 0) yield batch;
  }

  private async *list(
    { storage, store }: NamedStore,
    prefix: string,
    walk: WalkOptions,
    progress: IntegrityProgress,
  ): AsyncGenerator<StoredObject> {
    const listing = store.list(prefix, walk)[Symbol.asyncIterator]();
    try {
      for (;;) {
        progress.job.throwIfCancelled();
        const next = await listing.next().catch((error: unknown) => {
          progress.job.throwIfCancelled();
          throw new StoreFailure(storage, error);
        });
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await listing.return?.();
    }
  }

  private isOld({ modifiedAt }: StoredObject): boolean {
    return modifiedAt < this.graceStart();
  }

  private graceStart(): Date {
    return new Date(Date.now() - this.config.storage.orphanGraceHours * 3_600_000);
  }

  private async selectUnnamed(files: readonly ListedFile[]): Promise<ListedFile[]> {
    const named = await this.files.findKeysOfMails(files.map(({ mailId }) => mailId));
    return files.filter(({ key }) => !named.has(key));
  }

  private async delete(
    storage: string,
    orphans: readonly ListedFile[],
    pass: DeletionPass,
    progress: IntegrityProgress,
  ): Promise<void> {
    const byAccount = new Map<string, ListedFile[]>();
    for (const orphan of orphans) {
      const files = byAccount.get(orphan.accountId);
      if (files) files.push(orphan);
      else byAccount.set(orphan.accountId, [orphan]);
    }
    for (const [accountId, files] of byAccount)
      await this.deleteFilesOf(accountId, storage, files, pass, progress);
  }

  private async deleteFilesOf(
    accountId: string,
    storage: string,
    files: readonly ListedFile[],
    pass: DeletionPass,
    progress: IntegrityProgress,
  ): Promise<void> {
    const named = await this.files.findKeysOfAccount(
      accountId,
      files.map(({ key }) => key),
    );
    const unnamed = files.filter(({ key }) => !named.has(key));
    // No lock: mail is only committed with a file that has been reserved, and such files are left out here.
    const deleted = await this.fileDeletions.enqueueUnnamed(
      unnamed.map(({ key, userId }) => ({ storage, storageKey: key, userId, accountId })),
    );
    if (deleted.size === 0) return;
    await this.fileDeletions.drain(accountId, { signal: progress.job.signal, pass });
    progress.report.orphansRemoved += deleted.size;
    for (const { key, size } of unnamed) if (deleted.has(key)) progress.report.orphanBytes += size;
  }
}

/** Whether a file may be of mail that a backup restored lately does not name. */
export function mayPrecedeRestore(modifiedAt: Date, restoredAt: Date | null, now = new Date()): boolean {
  if (!restoredAt || now.getTime() - restoredAt.getTime() > DAYS_AFTER_RESTORE * DAY_MS) return false;
  return modifiedAt.getTime() < restoredAt.getTime() + CLOCK_SLACK_MS;
}
