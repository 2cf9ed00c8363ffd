import { Injectable } from '@nestjs/common';
import { AccountOwnership } from '../access/account-ownership.port';
import { MailboxAccountsRepository } from './mailbox-accounts.repository';

@Injectable()
export class DatabaseAccountOwnership extends AccountOwnership {
  constructor(private readonly accounts: MailboxAccountsRepository) {
    super();
  }

  owns(userId: string, accountId: string): Promise<boolean> {
    return this.accounts.existsOwned(userId, accountId);
  }
}
