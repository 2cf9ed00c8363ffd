/** Intervals of syncs and connections of IMAP mailboxes; tests inject shorter ones. */
export class ImapSyncTimings {
  /**
   * Time for which the figures of all folders are valid on servers where each folder takes a command (no LIST-STATUS).
   * Meanwhile only INBOX and the requested folders are read.
   */
  readonly figuresMs: number = 60_000;
  /** The same time when a message has gone from one of these folders, since it may lie in any other. */
  readonly goneFiguresMs: number = 15_000;
  /** Lifetime of the lease of a connection whose process died: three times the interval of renewals. */
  readonly connectionLeaseMs: number = 24_000;
  /** Shortest time between two new connections of an account, over all processes. */
  readonly connectionPaceMs: number = 2_000;
}
