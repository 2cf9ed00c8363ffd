/** Limits of reading from object stores; tests inject shorter ones. */
export class ObjectStoreTimings {
  /** Time for which a store may send no bytes of an object, or too few, while it is read, in milliseconds. */
  readonly graceMs: number = 20_000;
  /** Pace of the slowest download that is waited for; it equals that of the slowest upload. */
  readonly bytesPerSecond: number = 64_000;
}
