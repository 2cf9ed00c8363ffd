/** Limits of an IMAP connection; tests inject shorter ones. */
export class ImapTimings {
  readonly connectMs: number = 20_000;
  readonly greetingMs: number = 20_000;
  /** For all of it until the folder is open: connecting, TLS, logging in, finding the folder. */
  readonly openMs: number = 2 * 60_000;
  /** Silence while an answer is due: searching a large folder takes time. */
  readonly silenceMs: number = 120_000;
  /** For one answer at least, whatever the server sends meanwhile. */
  readonly answerMs: number = 5 * 60_000;
  /** The slowest line an import is worth waiting for. A little more patient than with silence, which has its own name. */
  readonly pace = { graceMs: 130_000, bytesPerSecond: 16_000 };
}
