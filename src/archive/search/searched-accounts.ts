import { Injectable } from '@nestjs/common';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { AccountNotOwned, ApiKeyAccountRefused } from '../../platform/access/access.errors';
import { type AuthenticatedUser, boundAccountsOf } from '../../platform/access/authenticated-user';

/** The accounts that a search of a user looks into. */
@Injectable()
export class SearchedAccounts {
  constructor(private readonly accounts: MailboxAccountsService) {}

  /**
   * Ids of all accounts of the user that the API key may use, or of the one that is asked for.
   * @throws AccountNotOwned, ApiKeyAccountRefused
   */
  async listIds(user: AuthenticatedUser, accountId: string | undefined): Promise<readonly string[]> {
    const within = boundAccountsOf(user);
    const owned = (await this.accounts.listByUser(user.id)).map(({ id }) => id);
    if (accountId === undefined) return within ? owned.filter((id) => within.includes(id)) : owned;
    const id = accountId.toLowerCase();
    if (within && !within.includes(id)) throw new ApiKeyAccountRefused();
    if (!owned.includes(id)) throw new AccountNotOwned();
    return [id];
  }
}
