import type { AnswerLimits } from '../session/imap-commands';
import { ImapLoginTimings } from '../login/imap-login';

/** Limits of connections that an import or a restore opens; tests inject shorter ones. */
export class OneTimeLimits extends ImapLoginTimings implements AnswerLimits {
  /** Shortest timeout of one answer, whatever the server sends meanwhile, in milliseconds. */
  readonly answerMs: number = 5 * 60_000;
  /**
   * Slowest transfer that is waited for. Its grace period is longer than the timeout for silence, so that silence is
   * reported as such.
   */
  readonly pace = { graceMs: 130_000, bytesPerSecond: 16_000 };
}
