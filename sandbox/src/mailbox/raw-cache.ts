const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

/** The raw messages asked for last, so that metadata, full and raw of one message generate it once. */
export class RawCache {
  private readonly entries = new Map<number, Buffer>();
  private bytes = 0;

  constructor(private readonly maxBytes = DEFAULT_MAX_BYTES) {}

  get(key: number, make: () => Buffer): Buffer {
    const known = this.entries.get(key);
    if (known !== undefined) {
      this.entries.delete(key);
      this.entries.set(key, known);
      return known;
    }
    const made = make();
    if (made.length > this.maxBytes / 4) return made;
    this.entries.set(key, made);
    this.bytes += made.length;
    for (const [oldest, buffer] of this.entries) {
      if (this.bytes <= this.maxBytes) break;
      this.entries.delete(oldest);
      this.bytes -= buffer.length;
    }
    return made;
  }

  delete(key: number): void {
    this.bytes -= this.entries.get(key)?.length ?? 0;
    this.entries.delete(key);
  }
}
