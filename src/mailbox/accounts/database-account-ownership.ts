import { Injectable, OnModuleInit } from '@nestjs/common';
import { AccountOwnership } from '../../platform/access/account-ownership.port';
import { AccessChanges } from '../../identity/sessions/access-changes';
import { RevocableCache } from '../../identity/sessions/revocable-cache';
import { MailboxAccountsRepository } from './mailbox-accounts.repository';

interface Owned {
  readonly userId: string;
  readonly accountId: string;
}

/**
 * Caches the owners of accounts for seconds. An account never gets another owner; it can only be deleted, of which all
 * processes are notified.
 */
@Injectable()
export class DatabaseAccountOwnership extends AccountOwnership implements OnModuleInit {
  private readonly owned: RevocableCache<Owned>;

  constructor(
    private readonly accounts: MailboxAccountsRepository,
    private readonly accessChanges: AccessChanges,
  ) {
    super();
    this.owned = new RevocableCache({
      read: (key) => this.read(key),
      concerns: ({ userId, accountId }, change) =>
        'userId' in change
          ? change.userId === userId
          : 'accountId' in change && change.accountId === accountId,
    });
  }

  onModuleInit(): void {
    this.owned.follow(this.accessChanges);
  }

  isKnown(userId: string, accountId: string): boolean {
    return this.owned.findCached(keyOf(userId, accountId)) !== undefined;
  }

  async owns(userId: string, accountId: string): Promise<boolean> {
    return (await this.owned.find(keyOf(userId, accountId))) !== null;
  }

  async ownsAll(userId: string, accountIds: readonly string[]): Promise<boolean> {
    return (await this.accounts.countOwned(userId, accountIds)) === accountIds.length;
  }

  private async read(key: string): Promise<Owned | null> {
    const [userId, accountId] = key.split('/') as [string, string];
    return (await this.ownsAll(userId, [accountId])) ? { userId, accountId } : null;
  }
}

/** Builds the key of a user's account. UUIDs are in lower case, as in the database; paths may spell them otherwise. */
const keyOf = (userId: string, accountId: string): string => `${userId}/${accountId.toLowerCase()}`;
