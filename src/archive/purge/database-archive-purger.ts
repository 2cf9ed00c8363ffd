import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/transactions';
import type { JobContext } from '../../common/jobs/job-context';
import { ArchivePurger } from '../archive-purger.port';
import { ArchiveRemovals } from '../removals/archive-removals.port';
import { ArchiveStoreRefused, ArchiveStoreUnavailable } from '../store/archive-store.errors';
import { type ArchiveStore, ArchiveStores } from '../store/archive-store.port';
import { accountPrefix } from '../store/storage-key';
import { ArchiveWritesRepository } from '../writing/archive-writes.repository';
import type { ArchiveOwner } from '../writing/mail-to-archive';
import { ArchivePurgeRepository, PurgedMail } from './archive-purge.repository';

const BATCH = 1_000;

/** Removes an account's archive: rows before their files. */
@Injectable()
export class DatabaseArchivePurger implements ArchivePurger {
  constructor(
    private readonly repository: ArchivePurgeRepository,
    private readonly writes: ArchiveWritesRepository,
    private readonly removals: ArchiveRemovals,
    private readonly stores: ArchiveStores,
    private readonly transactions: Transactions,
  ) {}

  async purgeAccount(
    userId: string,
    accountId: string,
    job: JobContext,
  ): Promise<{ mails: number; bytes: number }> {
    const removed = { mails: 0, bytes: 0 };
    job.setTotal(await this.repository.count(userId, accountId));
    for (;;) {
      job.throwIfCancelled();
      const batch = await this.deleteBatch({ userId, accountId });
      if (batch.length === 0) break;
      await this.removals.carryOut(batch);
      for (const { sizeBytes } of batch) removed.bytes += sizeBytes;
      removed.mails += batch.length;
      job.progress({ processed: batch.length });
    }
    return removed;
  }

  async removeLeftovers(userId: string, accountId: string, job: JobContext): Promise<void> {
    const waiting = await this.removals.carryOutFor(accountId, job.signal);
    if (waiting > 0) job.logger.warn(`${waiting} files wait until their store can be reached`);
    for (const { storage, store } of await this.stores.ofUser(userId)) {
      try {
        await this.clear(store, accountPrefix(userId, accountId), job);
      } catch (error) {
        // A bucket that is gone for good must not keep an account for ever; the sweep of orphans looks there again.
        if (!(error instanceof ArchiveStoreUnavailable || error instanceof ArchiveStoreRefused)) throw error;
        job.logger.warn(`Files may remain in store ${storage}: ${error.detail}`);
      }
    }
  }

  private async clear(store: ArchiveStore, prefix: string, job: JobContext): Promise<void> {
    for await (const { key } of store.list(prefix)) {
      job.throwIfCancelled();
      await store.delete(key);
    }
    await store.removeUnfinished(prefix);
  }

  /** Rows go together with the promise to remove their files. */
  private deleteBatch(owner: ArchiveOwner): Promise<PurgedMail[]> {
    return this.transactions.run(async (transaction) => {
      // Rows of an account that is gone went with it.
      if (!(await this.writes.lockArchive(owner, transaction))) return [];
      const batch = await this.repository.deleteBatch(owner, BATCH, transaction);
      await this.removals.register(batch, transaction);
      return batch;
    });
  }
}
