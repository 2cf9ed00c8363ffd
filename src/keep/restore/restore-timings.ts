/** Intervals of restores; tests inject shorter ones. */
export class RestoreTimings {
  /**
   * Pauses before each search for a message whose insertion was not answered: the provider may still perform it. After the last
   * one the mail is added again.
   */
  readonly settleMs: readonly number[] = [1_000, 4_000, 10_000];
  /** Time for which a dry run can be started. */
  readonly planValidMs: number = 24 * 60 * 60_000;
  /** Time for which a restore that was started can be continued; the password of a server is kept for as long. */
  readonly runValidMs: number = 7 * 24 * 60 * 60_000;
  /** Time for which the outcomes are kept after that. */
  readonly keptMs: number = 90 * 24 * 60 * 60_000;
}
