import { Injectable } from '@nestjs/common';
import { GmailMailboxes } from '../gmail/gmail-mailbox';
import { ImapMailboxes } from '../imap/imap-mailbox';
import { MailboxProvider, MailboxProviders, ProviderAccount } from '../port/mailbox-provider.port';

/**
 * The class that `MailboxProviders` is bound to, see `ProvidersModule`. It chooses by the provider with which an account was
 * connected: `GmailMailboxes` or `ImapMailboxes` creates the mailbox.
 */
@Injectable()
export class ProviderMailboxes extends MailboxProviders {
  constructor(
    private readonly gmail: GmailMailboxes,
    private readonly imap: ImapMailboxes,
  ) {
    super();
  }

  forAccount(account: ProviderAccount): MailboxProvider {
    return account.provider === 'imap' ? this.imap.forAccount(account) : this.gmail.forAccount(account);
  }
}
