import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { AccountNotOwned, Unauthenticated } from '../../platform/access/access.errors';
import { newId } from '../../platform/crypto/ids';
import { Transaction, Transactions } from '../../platform/database/transactions';
import { UsersService } from '../../identity/users/users.service';
import { AccountUpdates } from './account-updates';
import { hasNoMailbox, type MailboxAccountEntity } from './mailbox-account.entity';
import { ArchiveExists, ArchiveLimit, MailboxNotRenamable, MAX_ARCHIVES } from './mailbox-accounts.errors';
import { MailboxAccountsRepository } from './mailbox-accounts.repository';

/** Two names that people would take for one. */
const foldName = (name: string): string => name.normalize('NFKC').toLowerCase();

/** Archives without a mailbox, for people who have only files. See ADR 113. */
@Injectable()
export class ArchivesService {
  constructor(
    private readonly accounts: MailboxAccountsRepository,
    private readonly users: UsersService,
    private readonly audit: AuditTrail,
    private readonly changes: AccountUpdates,
    private readonly transactions: Transactions,
  ) {}

  /** @throws ArchiveExists, ArchiveLimit, Unauthenticated when the user is inactive or gone */
  create(userId: string, name: string): Promise<MailboxAccountEntity> {
    return this.transactions.run(async (transaction) => {
      const others = await this.lockNames(userId, transaction);
      requireFree(name, others);
      if (others.length >= MAX_ARCHIVES) throw new ArchiveLimit();
      const id = newId();
      await this.accounts.insertArchive({ id, userId, name }, transaction);
      return this.complete('archive.created', userId, id, transaction);
    });
  }

  /** @throws AccountNotOwned, MailboxNotRenamable, ArchiveExists, Unauthenticated when the user is inactive or gone */
  rename(userId: string, accountId: string, name: string): Promise<MailboxAccountEntity> {
    return this.transactions.run(async (transaction) => {
      const archives = await this.lockNames(userId, transaction);
      const account = await this.accounts.findOwned(userId, accountId, transaction);
      if (!account) throw new AccountNotOwned();
      if (!hasNoMailbox(account)) throw new MailboxNotRenamable();
      requireFree(
        name,
        archives.filter(({ id }) => id !== account.id),
      );
      await this.accounts.renameArchive(userId, account.id, name, transaction);
      return this.complete('archive.renamed', userId, account.id, transaction);
    });
  }

  /** Locks the user, so that of two requests at once the second sees the first one's archive. */
  private async lockNames(userId: string, transaction: Transaction): Promise<{ id: string; name: string }[]> {
    if ((await this.users.lockAccountLimit(userId, transaction)) === null) throw new Unauthenticated();
    return this.accounts.listArchives(userId, transaction);
  }

  private async complete(
    action: 'archive.created' | 'archive.renamed',
    userId: string,
    accountId: string,
    transaction: Transaction,
  ): Promise<MailboxAccountEntity> {
    await this.audit.record({ action, userId, actorId: userId, accountId }, transaction);
    transaction.afterCommit(() => this.changes.publish(userId));
    const account = await this.accounts.findOwned(userId, accountId, transaction);
    if (!account) throw new AccountNotOwned();
    return account;
  }
}

function requireFree(name: string, others: readonly { readonly name: string }[]): void {
  if (others.some((other) => foldName(other.name) === foldName(name))) throw new ArchiveExists();
}
