import { Injectable } from '@nestjs/common';
import { GmailMailboxes } from '../gmail/gmail-mailbox';
import { ImapMailboxes } from '../imap/imap-mailbox';
import { MailboxProvider, MailboxProviders, ProviderAccount } from '../port/mailbox-provider.port';

/** Provides the live mailbox of an account, by the provider it was connected with. */
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
