import type { ProviderAccount } from './mailbox-provider.port';

export interface WatchOptions {
  /** Ends the watch, and its connection. */
  readonly signal: AbortSignal;
  /** Something in the mailbox is different now, perhaps because of ourselves. Called as often as the server says so. */
  readonly onChange: () => void;
}

/**
 * - `ended`: it was watched until the connection ended
 * - `elsewhere`: another process watches it
 * - `impossible`: the server cannot tell, or the account has no connection to spare
 */
export type WatchEnd = 'ended' | 'elsewhere' | 'impossible';

/** Has providers tell of changes at once, where they can: so that nobody needs to ask whether there are any. */
export abstract class MailboxWatches {
  /** Wire names of the providers that can. */
  abstract readonly providers: readonly string[];

  /**
   * Watches a mailbox until the connection ends, for an hour at most. One watch at a time for an account, over all
   * processes.
   * @throws the errors of `mail-provider.errors.ts`; the signal's reason
   */
  abstract watch(account: ProviderAccount, options: WatchOptions): Promise<WatchEnd>;
}
