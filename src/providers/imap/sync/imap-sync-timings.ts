/** Intervals of looks at, and of connections to, IMAP mailboxes; tests inject shorter ones. */
export class ImapSyncTimings {
  /**
   * How long the figures of all folders count where each takes a command (no LIST-STATUS). Meanwhile only INBOX, and the
   * folders that somebody wants to see, are looked at.
   */
  readonly figuresMs: number = 60_000;
  /** The same, when a message has gone from one of these: it may lie in any other. */
  readonly goneFiguresMs: number = 15_000;
  /** How long a connection counts whose process died: three renewals of one that lives. */
  readonly connectionLeaseMs: number = 24_000;
}
