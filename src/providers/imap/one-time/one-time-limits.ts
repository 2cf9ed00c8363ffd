import type { AnswerLimits } from '../session/imap-commands';
import { ImapLoginTimings } from '../login/imap-login';

/** Limits of connections that an import or a restore opens; tests inject shorter ones. */
export class OneTimeLimits extends ImapLoginTimings implements AnswerLimits {
  /** For one answer at least, whatever the server sends meanwhile. */
  readonly answerMs: number = 5 * 60_000;
  /** The slowest line an import is worth waiting for. A little more patient than with silence, which has its own name. */
  readonly pace = { graceMs: 130_000, bytesPerSecond: 16_000 };
}
