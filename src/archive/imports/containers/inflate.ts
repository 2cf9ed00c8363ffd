import type { Gunzip, InflateRaw } from 'node:zlib';
import { COMPRESSION_DAMAGED, CUT_OFF, type ReadDamage } from './read-damage';

/** Bytes given to the decompressor at a time: even a bomb makes at most 16 MiB of them, and no more is lost before a damage. */
export const PACKED_PIECE = 16 * 1024;
/** Options of a decompressor whose buffer is larger than it ever holds, as it is emptied after each piece. */
export const INFLATE_OPTIONS = { chunkSize: 256 * 1024, readableHighWaterMark: 256 * 1024 * 1024 };

/**
 * Decompresses piece by piece, in constant memory.
 * @param packed pieces of at most `PACKED_PIECE` bytes
 * @param onDamage called when the bytes cannot be read to their end; those before the damage have been yielded
 */
export async function* inflate(
  packed: AsyncIterable<Buffer>,
  inflater: Gunzip | InflateRaw,
  onDamage: (damage: ReadDamage) => void,
): AsyncGenerator<Buffer, void, undefined> {
  const state: { failure: NodeJS.ErrnoException | null; wake: () => void } = {
    failure: null,
    wake: () => undefined,
  };
  const wake = (): void => state.wake();
  inflater.on('readable', wake).on('end', wake);
  inflater.on('error', (error: NodeJS.ErrnoException) => {
    state.failure = error;
    wake();
  });
  const isOver = (): boolean => state.failure !== null || inflater.readableEnded;
  // After a failure, or with data after the last member, the decompressor does not report the end of a piece.
  const unpackedBy = async function* (begin: (done: () => void) => void): AsyncGenerator<Buffer> {
    let isDone = false;
    begin(() => {
      isDone = true;
      wake();
    });
    for (;;) {
      for (let piece = inflater.read() as Buffer | null; piece; piece = inflater.read() as Buffer | null) {
        yield piece;
      }
      if (isDone || isOver()) return;
      await new Promise<void>((resolve) => (state.wake = resolve));
    }
  };
  try {
    for await (const chunk of packed) {
      yield* unpackedBy((done) => inflater.write(chunk, done));
      if (isOver()) break;
    }
    if (!isOver()) yield* unpackedBy(() => inflater.end());
  } finally {
    inflater.destroy();
  }
  if (state.failure) onDamage(damageOf(state.failure));
}

/** The damage behind a failure of zlib; any other failure is thrown. */
function damageOf(error: NodeJS.ErrnoException): ReadDamage {
  if (error.code === 'Z_BUF_ERROR') return CUT_OFF;
  if (error.code?.startsWith('Z_')) return COMPRESSION_DAMAGED;
  throw error;
}
