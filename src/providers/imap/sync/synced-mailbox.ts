import type { ProviderAccount } from '../../port/mailbox-provider.port';
import type { ImapAccount } from '../login/imap-accounts.repository';

/** A connected mailbox, as its sync needs it. */
export interface SyncedMailbox {
  readonly account: ProviderAccount;
  readonly server: ImapAccount;
}
