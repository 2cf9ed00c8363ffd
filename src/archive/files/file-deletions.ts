import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transactions';
import { FileDeletionTimings } from './file-deletion-timings';
import { FileDeletionWorker } from './file-deletion-worker';
import { FileDeletionsRepository, FileToDelete, LeasedFile } from './file-deletions.repository';
import { ReservedFiles } from './reserved-files';
import { StoreTime, StoreTimings } from './store-time';
import { delay } from '../../platform/concurrency/timers';

export type { FileToDelete } from './file-deletions.repository';

/** Time for which `drain` waits for files that another process is deleting, in milliseconds. */
const WAIT_MS = 60_000;
const WAIT_POLL_MS = 50;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** State of the stores during a pass over a user's files. */
export interface DeletionPass {
  /** Stores that cannot be reached, or whose time is up: the pass makes no further attempts there. */
  readonly away: Set<string>;
  /** Time that the stores may take. */
  readonly time: StoreTime;
}

/**
 * Registers all files that enter or leave the archive; there is no other way. A file and the row that names it cannot be
 * written, or deleted, in one step; so each file has a row in `file_deletions` while no mail names it. A key stands for one
 * file only, whenever its deletion is carried out, and however often. `FileDeletionWorker` deletes in the background; `drain`
 * is for callers who must see the files gone. See ADR 36.
 */
@Injectable()
export class FileDeletions {
  constructor(
    private readonly repository: FileDeletionsRepository,
    private readonly worker: FileDeletionWorker,
    private readonly timings: FileDeletionTimings,
    private readonly storeTimings: StoreTimings,
  ) {}

  /** Registers files before they are written: they are deleted unless the transaction that commits their mails keeps them. */
  reserve(files: readonly FileToDelete[]): Promise<ReservedFiles> {
    return ReservedFiles.reserve(this.repository, files, this.timings.writerLeaseMs, () =>
      this.worker.wake(),
    );
  }

  /** Deletes files once the transaction, which deletes the rows that name them, has committed. */
  async enqueue(files: readonly FileToDelete[], transaction: Transaction): Promise<void> {
    if (files.length === 0) return;
    await this.repository.insertDue(files, transaction);
    transaction.afterCommit(() => this.worker.wake());
  }

  /** Deletes the given files that no mail names and no process is writing. @returns their keys */
  enqueueUnnamed(files: readonly FileToDelete[]): Promise<Set<string>> {
    return this.repository.insertUnnamed(files);
  }

  beginPass(): DeletionPass {
    return { away: new Set(), time: new StoreTime(this.storeTimings) };
  }

  /**
   * Deletes the files that are enqueued for an account, also those whose deletion has failed before; files that are
   * being written are left to their writers. When it returns, no other process is deleting any of the others either.
   * @param pass of this call and others; stores that are found to be away are added to it
   * @returns number of files left because their store cannot be reached
   */
  async drain(
    accountId: string,
    { signal, pass = this.beginPass() }: { signal?: AbortSignal; pass?: DeletionPass } = {},
  ): Promise<number> {
    const { away, time } = pass;
    let after = FIRST_ID;
    for (;;) {
      signal?.throwIfAborted();
      const claimed = await this.worker.claimOf(accountId, after, [...away]);
      if (claimed.length === 0) break;
      let isUnfinished = false;
      for (const [storage, files] of byStorage(claimed)) {
        const outcome = await this.deleteInTime(storage, files, time);
        if (outcome === 'store-away') away.add(storage);
        else isUnfinished ||= outcome === 'unfinished';
      }
      if (!isUnfinished) after = claimed.at(-1)!.id;
    }
    return this.waitForOthers(accountId, pass, signal);
  }

  /** Whether files of a user in a store are still to be deleted. */
  hasLeft(userId: string, storage: string): Promise<boolean> {
    return this.repository.hasLeft(userId, storage);
  }

  private async waitForOthers(
    accountId: string,
    { away, time }: DeletionPass,
    signal: AbortSignal | undefined,
  ): Promise<number> {
    const deadline = performance.now() + WAIT_MS;
    for (;;) {
      const left = await this.repository.count(accountId);
      const busy = left.find(({ storage, claimed }) => claimed > 0 && !away.has(storage));
      if (!busy || performance.now() > deadline) {
        return left.reduce((sum, { claimed, waiting }) => sum + claimed + waiting, 0);
      }
      const budget = time.of(busy.storage);
      if (budget.leftMs === 0) away.add(busy.storage);
      else await budget.spend(() => delay(WAIT_POLL_MS, undefined, { signal }));
    }
  }

  private async deleteInTime(
    storage: string,
    files: readonly LeasedFile[],
    time: StoreTime,
  ): Promise<'done' | 'unfinished' | 'store-away'> {
    const budget = time.of(storage);
    if (budget.leftMs > 0) return budget.spend(() => this.worker.delete(storage, files));
    await this.repository.releaseDue(files);
    return 'store-away';
  }
}

function byStorage(files: readonly LeasedFile[]): Map<string, LeasedFile[]> {
  const groups = new Map<string, LeasedFile[]>();
  for (const file of files) {
    const group = groups.get(file.storage);
    if (group) group.push(file);
    else groups.set(file.storage, [file]);
  }
  return groups;
}
