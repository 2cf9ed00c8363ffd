import type { Extent } from './byte-source';

/** Bytes read at a time. */
const WINDOW = 256 * 1024;

/** Short reads of a file, served from two stretches that are read ahead: of a ZIP, one for its directory and one for entries. */
export class ReadAhead {
  private windows: { start: number; bytes: Buffer }[] = [];

  constructor(private readonly extent: Extent) {}

  /** Reads a stretch of the file; less at its end. */
  async readAt(position: number, length: number): Promise<Buffer> {
    const held = this.windows.find(
      ({ start, bytes }) => position >= start && position + length <= start + bytes.length,
    );
    if (held) {
      // The one that was used last stays when another is read.
      this.windows = [held, ...this.windows.filter((each) => each !== held)];
      return held.bytes.subarray(position - held.start, position - held.start + length);
    }
    const { handle, start, size } = this.extent;
    const room = Buffer.allocUnsafe(Math.max(0, Math.min(Math.max(length, WINDOW), size - position)));
    const { bytesRead } = await handle.read(room, 0, room.length, start + position);
    const bytes = room.subarray(0, bytesRead);
    this.windows = [{ start: position, bytes }, ...this.windows.slice(0, 1)];
    return bytes.subarray(0, length);
  }
}
