import { Injectable } from '@nestjs/common';
import { type ConnectedMailbox, MailboxConnector } from '../../providers/port/mailbox-connector.port';
import type { OAuthCredentials } from '../../providers/port/provider-credentials.port';
import type { MailboxAccountEntity } from '../accounts/mailbox-account.entity';
import { MailboxConnectedOtherwise, ProviderNotConfigured } from '../accounts/mailbox-accounts.errors';
import { MailboxAccountsService } from '../accounts/mailbox-accounts.service';
import { IMAP_PROVIDER, ImapConnectService } from './imap/imap-connect.service';
import { AnotherMailboxConsented } from './mailbox-connect.errors';

/** Connects the mailbox of a grant, through the interface that the grant is for. */
@Injectable()
export class GrantedMailboxes {
  constructor(
    private readonly connector: MailboxConnector,
    private readonly accounts: MailboxAccountsService,
    private readonly imap: ImapConnectService,
  ) {}

  /**
   * Finds the account that a grant of `provider` is to connect again.
   * @throws AccountNotOwned, ArchiveWithoutMailbox, ProviderNotConfigured, MailboxConnectedOtherwise when it belongs to another interface
   */
  async requireAccount(userId: string, provider: string, accountId: string): Promise<MailboxAccountEntity> {
    const account = await this.accounts.requireMailbox(userId, accountId);
    if (!this.connector.available.includes(provider)) throw new ProviderNotConfigured();
    const expected = this.connector.imapServerOf(provider) === null ? provider : IMAP_PROVIDER;
    if (account.provider !== expected) throw new MailboxConnectedOtherwise();
    return account;
  }

  /**
   * @param accountId the account to connect again, whose address the mailbox must have
   * @returns the account's id
   * @throws AnotherMailboxConsented; the errors of `requireAccount`,
   *   `MailboxAccountsService.connect` and `ImapConnectService.connect`
   */
  async connect(
    userId: string,
    provider: string,
    mailbox: ConnectedMailbox<OAuthCredentials>,
    accountId?: string,
  ): Promise<string> {
    if (accountId !== undefined) {
      const { email } = await this.requireAccount(userId, provider, accountId);
      if (email !== mailbox.email.toLowerCase()) throw new AnotherMailboxConsented();
    }
    const server = this.connector.imapServerOf(provider);
    if (server === null) return this.accounts.connect(userId, provider, mailbox, undefined, accountId);
    const { account } = await this.imap.connectWithGrant(userId, mailbox, server, accountId);
    return account.id;
  }
}
