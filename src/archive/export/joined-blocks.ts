/** Size of a block: large enough that the calls for each block cost nothing beside its bytes. */
const BLOCK_BYTES = 256 * 1024;

/** Copies pieces of any size into a few blocks, in their order. */
export class JoinedBlocks {
  private full: ArrayBuffer[] = [];
  private block: Buffer | null = null;
  /** Number of bytes in the block at hand. */
  private length = 0;

  add(piece: Uint8Array): void {
    for (let start = 0; start < piece.length;) {
      this.block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES);
      const some = piece.subarray(start, start + BLOCK_BYTES - this.length);
      this.block.set(some, this.length);
      this.length += some.length;
      start += some.length;
      if (this.length === BLOCK_BYTES) this.endBlock(this.block.buffer as ArrayBuffer);
    }
  }

  /** The bytes since the last call. */
  take(): ArrayBuffer[] {
    if (this.block) this.endBlock((this.block.buffer as ArrayBuffer).slice(0, this.length));
    const { full } = this;
    this.full = [];
    return full;
  }

  private endBlock(bytes: ArrayBuffer): void {
    this.full.push(bytes);
    this.block = null;
    this.length = 0;
  }
}
