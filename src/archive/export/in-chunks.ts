/** Small pieces are joined before they are written: a system call per header line would cost more than the copy. */
const CHUNK = 256 * 1024;

/** The same bytes in chunks of at least 256 KiB, except for the first, which is passed on at once, and the last. */
export async function* inChunks(pieces: AsyncIterable<readonly Buffer[]>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let size = 0;
  let enough = 1;
  for await (const some of pieces) {
    for (const piece of some) {
      gathered.push(piece);
      size += piece.length;
      if (size < enough) continue;
      yield gathered.length === 1 ? piece : Buffer.concat(gathered, size);
      gathered = [];
      size = 0;
      enough = CHUNK;
    }
  }
  if (size > 0) yield Buffer.concat(gathered, size);
}
