/** Limits of reading from object stores; tests inject shorter ones. */
export class ObjectStoreTimings {
  /** How long a store may send nothing of an object, or too little, while it is read. */
  readonly graceMs: number = 20_000;
  /** The slowest download waited for; as fast as the slowest upload. */
  readonly bytesPerSecond: number = 64_000;
}
