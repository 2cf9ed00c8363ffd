/** Intervals of looks at IMAP mailboxes; tests inject shorter ones. */
export class ImapSyncTimings {
  /**
   * How long the figures of all folders count where each takes a command (no LIST-STATUS). Meanwhile only INBOX, and the
   * folders that somebody wants to see, are looked at.
   */
  readonly figuresMs: number = 60_000;
  /** The same, when a message has gone from one of these: it may lie in any other. */
  readonly goneFiguresMs: number = 15_000;
}
