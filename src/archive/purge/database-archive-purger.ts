import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/transactions';
import type { JobContext } from '../../common/jobs/job-context';
import { ArchivePurger } from '../archive-purger.port';
import { ArchiveStores } from '../store/archive-store.port';
import { accountPrefix } from '../store/storage-key';
import { ArchivePurgeRepository } from './archive-purge.repository';

const BATCH = 1_000;

/** Removes an account's archive: rows before their files. */
@Injectable()
export class DatabaseArchivePurger implements ArchivePurger {
  constructor(
    private readonly repository: ArchivePurgeRepository,
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
      const batch = await this.transactions.run((transaction) =>
        this.repository.deleteBatch({ userId, accountId }, BATCH, transaction),
      );
      if (batch.length === 0) break;
      for (const mail of batch) {
        await (await this.stores.named(mail.storage)).delete(mail.storage_key);
        removed.bytes += mail.size_bytes;
      }
      removed.mails += batch.length;
      job.progress({ processed: batch.length });
    }
    return removed;
  }

  async removeLeftovers(userId: string, accountId: string, job: JobContext): Promise<void> {
    const { store } = await this.stores.forWriting(userId);
    for await (const { key } of store.list(accountPrefix(userId, accountId))) {
      job.throwIfCancelled();
      await store.delete(key);
    }
  }
}
