const CHUNK = 500;

/**
 * Sizes of messages, as far as they are known, looked up chunk by chunk while a list is processed in order; chunks
 * already processed are dropped.
 */
export class ExpectedSizes {
  private readonly chunks = new Map<number, Promise<ReadonlyMap<string, number>>>();

  constructor(
    private readonly ids: readonly string[],
    private readonly lookUp: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>,
  ) {}

  /** Bytes of the message at a position of the list, if known. */
  async at(position: number): Promise<number | undefined> {
    const number = Math.floor(position / CHUNK);
    let chunk = this.chunks.get(number);
    if (!chunk) {
      chunk = this.lookUp(this.ids.slice(number * CHUNK, (number + 1) * CHUNK));
      this.chunks.set(number, chunk);
      this.chunks.delete(number - 2);
    }
    return (await chunk).get(this.ids[position] as string);
  }
}
