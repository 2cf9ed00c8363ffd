import type { ProviderAccount } from '../mailbox-provider.port';
import type { ImapAccount } from './imap-accounts.repository';

/** A connected mailbox, as its sync needs it. */
export interface SyncedMailbox {
  readonly account: ProviderAccount;
  readonly server: ImapAccount;
}
