import { Injectable } from '@nestjs/common';
import { type ConnectedMailbox, MailboxConnector } from '../../providers/port/mailbox-connector.port';
import type { OAuthCredentials } from '../../providers/port/provider-credentials.port';
import { MailboxAccountsService } from '../accounts/mailbox-accounts.service';
import { ImapConnectService } from './imap/imap-connect.service';

/** Connects the mailbox of a grant, through the interface that the grant is for. */
@Injectable()
export class GrantedMailboxes {
  constructor(
    private readonly connector: MailboxConnector,
    private readonly accounts: MailboxAccountsService,
    private readonly imap: ImapConnectService,
  ) {}

  /**
   * @param accountId the account to connect again, whose address the mailbox must have
   * @returns the account's id
   * @throws the errors of `MailboxAccountsService.connect` and `ImapConnectService.connect`
   */
  async connect(
    userId: string,
    provider: string,
    mailbox: ConnectedMailbox<OAuthCredentials>,
    accountId?: string,
  ): Promise<string> {
    const server = this.connector.imapServerOf(provider);
    if (server === null) return this.accounts.connect(userId, provider, mailbox, undefined, accountId);
    const { account } = await this.imap.connectWithGrant(userId, mailbox, server, accountId);
    return account.id;
  }
}
