import { Injectable } from '@nestjs/common';
import { AccountOwnership } from '../access/account-ownership.port';
import { MailboxAccountsRepository } from './mailbox-accounts.repository';

@Injectable()
export class DatabaseAccountOwnership extends AccountOwnership {
  constructor(private readonly accounts: MailboxAccountsRepository) {
    super();
  }

  owns(userId: string, accountId: string): Promise<boolean> {
    return this.ownsAll(userId, [accountId]);
  }

  async ownsAll(userId: string, accountIds: readonly string[]): Promise<boolean> {
    return (await this.accounts.countOwned(userId, accountIds)) === accountIds.length;
  }
}
