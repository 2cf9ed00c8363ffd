/** Intervals of a deletion, in milliseconds; tests inject shorter ones. */
export class UserDeletionTimings {
  /** How long cancelled jobs of the user may take to reach the end of their batch. */
  readonly letGoMs: number = 120_000;
  /** Between two looks whether they have. */
  readonly pollMs: number = 500;
}
