import { type FeedSource, TableFeed } from '../../platform/sse/table-feed';
import type { MailboxAccountResponse } from '../accounts/dto/mailbox-accounts.response';
import type { AccountEventResponse } from './dto/account-event.response';

export interface AccountSource extends FeedSource {
  read(): Promise<readonly MailboxAccountResponse[]>;
}

/**
 * Sends the mailbox accounts of a user: first all of them, then each one that has changed. A client that reads slowly
 * gets only the latest state of an account.
 */
export class AccountFeed extends TableFeed<AccountSource, readonly MailboxAccountResponse[]> {
  /** State of each account that was last sent to the client, by id. */
  private readonly shown = new Map<string, string>();

  protected async readFirst(): Promise<() => void> {
    const accounts = await this.read();
    return () => this.show(accounts);
  }

  protected read(): Promise<readonly MailboxAccountResponse[]> {
    return this.source.read();
  }

  protected show(accounts: readonly MailboxAccountResponse[]): void {
    const gone = new Set(this.shown.keys());
    for (const account of accounts) {
      gone.delete(account.id);
      const state = JSON.stringify(account);
      if (this.shown.get(account.id) === state) continue;
      this.shown.set(account.id, state);
      this.send({ id: account.id, account });
    }
    for (const id of gone) {
      this.shown.delete(id);
      this.send({ id, account: null });
    }
  }

  private send(data: AccountEventResponse): void {
    this.outlet.send({ event: 'account', data });
  }
}
