import type { ProviderAccount } from './mailbox-provider.port';

export interface WatchOptions {
  /** Signal that ends the watch and its connection. */
  readonly signal: AbortSignal;
  /** Called when the mailbox has changed, perhaps by a change of our own. Calls may be frequent. */
  readonly onChange: () => void;
}

/**
 * - `ended`: the mailbox was watched until the connection ended
 * - `elsewhere`: another process watches it
 * - `impossible`: the server does not push changes, or the account has no connection to spare
 */
export type WatchEnd = 'ended' | 'elsewhere' | 'impossible';

/** Receives changes from providers that push them, so that mailboxes need not be polled. */
export abstract class MailboxWatches {
  /** Wire names of the providers that push changes. */
  abstract readonly providers: readonly string[];

  /**
   * Watches a mailbox until the connection ends, for an hour at most. One watch at a time for an account, over all
   * processes.
   * @throws the errors of `mail-provider.errors.ts`; the signal's reason
   */
  abstract watch(account: ProviderAccount, options: WatchOptions): Promise<WatchEnd>;
}
