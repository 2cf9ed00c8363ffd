import type { ProviderAccount } from '../../port/mailbox-provider.port';
import type { ImapAccount } from '../login/imap-accounts.repository';

/** A connected mailbox, with the data that its sync needs. */
export interface SyncedMailbox {
  readonly account: ProviderAccount;
  readonly server: ImapAccount;
}
