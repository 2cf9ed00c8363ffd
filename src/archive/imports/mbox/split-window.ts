const SMALLEST = 64 * 1024;
/** Size of the buffer beyond which unused memory is released. */
const LARGE = 4 * 1024 * 1024;

/** The stretch of a file that is held in memory, addressed by offsets in the file. */
export class SplitWindow {
  private bytes: Buffer = Buffer.allocUnsafeSlow(SMALLEST);
  /** Position in `bytes` at which the stretch begins. */
  private head = 0;
  private live: Buffer = this.bytes.subarray(0, 0);

  /** @param start offset of the first byte that will be appended */
  constructor(public start: number) {}

  /** Offset after the last byte held. */
  get end(): number {
    return this.start + this.live.length;
  }

  append(chunk: Buffer): void {
    const length = this.live.length + chunk.length;
    if (this.head + length > this.bytes.length) this.makeRoom(length);
    chunk.copy(this.bytes, this.head + this.live.length);
    this.live = this.bytes.subarray(this.head, this.head + length);
  }

  /** Discards the bytes before an offset. */
  discardBefore(offset: number): void {
    const count = Math.min(offset - this.start, this.live.length);
    if (count <= 0) return;
    this.head += count;
    this.start += count;
    this.live = this.live.subarray(count);
  }

  byte(offset: number): number {
    return this.live[offset - this.start] as number;
  }

  /** Offset of the first occurrence at or after `from`, or -1. */
  indexOf(value: number | Buffer, from: number): number {
    const index = this.live.indexOf(value, Math.max(0, from - this.start));
    return index === -1 ? -1 : this.start + index;
  }

  startsWith(bytes: Buffer, offset: number): boolean {
    const at = offset - this.start;
    return at + bytes.length <= this.live.length && bytes.equals(this.live.subarray(at, at + bytes.length));
  }

  /** A view of the bytes, valid until the next `append`. */
  view(from: number, to: number): Buffer {
    return this.live.subarray(from - this.start, to - this.start);
  }

  /** The bytes as text, with one UTF-16 unit per byte. */
  text(from: number, to: number): string {
    return this.live.toString('latin1', from - this.start, to - this.start);
  }

  /** Moves the held bytes to the front, into a larger or smaller buffer where that is worth it. */
  private makeRoom(length: number): void {
    const fits = length <= this.bytes.length / 2;
    const isOversized = this.bytes.length > LARGE && length < this.bytes.length / 8;
    if (fits && !isOversized) {
      this.bytes.copyWithin(0, this.head, this.head + this.live.length);
    } else {
      const larger = Buffer.allocUnsafeSlow(Math.max(SMALLEST, length * 2));
      this.live.copy(larger);
      this.bytes = larger;
    }
    this.head = 0;
    this.live = this.bytes.subarray(0, this.live.length);
  }
}
