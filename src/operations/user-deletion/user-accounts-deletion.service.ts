import { Injectable } from '@nestjs/common';
import { AccountRowsService } from '../account-deletion/account-rows.service';
import { ArchiveDeletionService } from '../../archive/mails/archive-deletion.service';
import { Transactions } from '../../platform/database/transactions';
import type { JobContext } from '../../platform/jobs/job-definition';
import { GrantRevocations } from '../../mailbox/connect/grant-revocations';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import type { DeletionProgress } from './deletion-progress';
import { UserRedisKeys } from './user-redis-keys';

/** Deletes a user's mailboxes: grants, archives, rows. */
@Injectable()
export class UserAccountsDeletionService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly grants: GrantRevocations,
    private readonly archive: ArchiveDeletionService,
    private readonly rows: AccountRowsService,
    private readonly redisKeys: UserRedisKeys,
    private readonly transactions: Transactions,
  ) {}

  /** Size of the archives of all the user's accounts. */
  async sizeOf(userId: string): Promise<{ mails: number; bytes: number }> {
    const total = { mails: 0, bytes: 0 };
    for (const { id } of await this.accounts.listByUser(userId)) {
      const { mails, bytes } = await this.archive.sizeOf(userId, id);
      total.mails += mails;
      total.bytes += bytes;
    }
    return total;
  }

  /**
   * Disconnects every account. Revokes each grant before its credentials are deleted, so that the next attempt can do so when
   * this one is killed in between.
   */
  async disconnect(userId: string, progress: DeletionProgress, job: JobContext): Promise<void> {
    for (const account of await this.accounts.listByUser(userId)) {
      job.throwIfCancelled();
      const revoked = account.sealedCredentials === null || (await this.grants.revoke(account));
      await this.transactions.run((transaction) =>
        this.accounts.disconnect(userId, account.id, true, transaction),
      );
      if (!revoked) await progress.add({ grantsNotRevoked: 1 });
    }
  }

  /** Deletes archives and accounts, one after another, in batches. */
  async delete(userId: string, progress: DeletionProgress, job: JobContext): Promise<void> {
    for (const { id } of await this.accounts.listByUser(userId)) {
      await this.archive.deleteAccount(userId, id, job, ({ mails, files }) =>
        progress.addDeletedMails(mails, files),
      );
      await this.rows.deleteOf(id, () => job.throwIfCancelled());
      await this.redisKeys.delete([id]);
      if (await this.accounts.deletePurged(userId, id)) await progress.add({ accounts: 1 });
    }
  }
}
