const FIRST_BYTES = 1024 * 1024;
const LEAST_BYTES = 256 * 1024;
/** Time after which a chunk counts as slow, in milliseconds: slower ones would report progress too rarely. */
const SLOW_MS = 4_000;
const QUICK_MS = 1_000;

/** Size of the next chunk of a file: chunks take a few seconds on a fast or slow connection. */
export class ChunkSizes {
  private next: number;

  /** @param most bytes that the service takes at once */
  constructor(private readonly most: number) {
    this.next = Math.min(FIRST_BYTES, most);
  }

  get bytes(): number {
    return this.next;
  }

  /** Records that a chunk of this size has arrived. */
  recordArrival(milliseconds: number): void {
    if (milliseconds > SLOW_MS) this.next = Math.max(LEAST_BYTES, Math.floor(this.next / 2));
    else if (milliseconds < QUICK_MS) this.next *= 2;
    this.next = Math.min(this.next, this.most);
  }
}
