/** Intervals of restores; tests inject shorter ones. */
export class RestoreTimings {
  /**
   * Pauses before each look for a message whose insertion was not answered: the provider may still be at it. After the
   * last one it is added again.
   */
  readonly settleMs: readonly number[] = [1_000, 4_000, 10_000];
  /** How long a dry run can be started. */
  readonly planValidMs: number = 24 * 60 * 60_000;
  /** How long a restore that was started can be taken up again; for so long the password of a server is kept. */
  readonly runValidMs: number = 7 * 24 * 60 * 60_000;
  /** How long the outcomes are kept after that. */
  readonly keptMs: number = 90 * 24 * 60 * 60_000;
}
