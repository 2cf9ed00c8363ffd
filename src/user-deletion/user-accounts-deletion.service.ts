import { Injectable } from '@nestjs/common';
import { ArchiveDeletionService } from '../archive/archive-deletion.service';
import { Transactions } from '../common/database/transactions';
import type { JobContext } from '../jobs/job-definition';
import { GrantRevocations } from '../mailbox-connect/grant-revocations';
import { MailboxAccountsService } from '../mailbox/mailbox-accounts.service';
import type { DeletionProgress } from './deletion-progress';
import { UserRedisKeys } from './user-redis-keys';
import { UserRowsRepository } from './user-rows.repository';

/** The mailboxes of a user who is deleted: their grants, their archives, their rows. */
@Injectable()
export class UserAccountsDeletionService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly grants: GrantRevocations,
    private readonly archive: ArchiveDeletionService,
    private readonly rows: UserRowsRepository,
    private readonly leftovers: UserRedisKeys,
    private readonly transactions: Transactions,
  ) {}

  /** Archived mails of all the user's accounts. */
  async sizeOf(userId: string): Promise<{ mails: number; bytes: number }> {
    const total = { mails: 0, bytes: 0 };
    for (const { id } of await this.accounts.listOf(userId)) {
      const { mails, bytes } = await this.archive.sizeOf(userId, id);
      total.mails += mails;
      total.bytes += bytes;
    }
    return total;
  }

  /**
   * Ends every connection. The provider is told before the credentials are deleted: with them, an attempt that is killed
   * in between would have lost what the next one needs to tell it.
   */
  async disconnect(userId: string, tally: DeletionProgress, job: JobContext): Promise<void> {
    for (const account of await this.accounts.listOf(userId)) {
      job.throwIfCancelled();
      const revoked = account.sealedCredentials === null || (await this.grants.revoke(account));
      await this.transactions.run((transaction) =>
        this.accounts.disconnect(userId, account.id, true, transaction),
      );
      if (!revoked) await tally.add({ grantsNotRevoked: 1 });
    }
  }

  /** Removes archives and accounts, one after another, in batches. */
  async remove(userId: string, tally: DeletionProgress, job: JobContext): Promise<void> {
    for (const { id } of await this.accounts.listOf(userId)) {
      await this.archive.deleteAccount(userId, id, job, ({ mails, files }) =>
        tally.mailsRemoved(mails, files),
      );
      await this.rows.deleteOfAccount(id, () => job.throwIfCancelled());
      await this.leftovers.remove([id]);
      if (await this.accounts.removePurged(userId, id)) await tally.add({ accounts: 1 });
    }
  }
}
