import Piscina from 'piscina';
import { readFileInto } from './read-file-into';

export interface FilesToRead {
  readonly paths: readonly string[];
  /** Expected size of each file in bytes. */
  readonly sizes: readonly number[];
}

export interface FilesRead {
  /** The files one after another. */
  readonly bytes: ArrayBuffer;
  /** Number of bytes read of each file; `FILE_MISSING` or `FILE_LARGER` when none were. */
  readonly lengths: readonly number[];
}

/**
 * Worker-thread entry: reads small files whole. A synchronous read takes three system calls for a file; on the
 * main thread each of them would pass through the thread pool, which costs more than the call.
 * @throws errors of the file system other than a missing file
 */
export function readFiles({ paths, sizes }: FilesToRead): unknown {
  // A byte more than is expected of the last file tells that it is longer; those of the others lie in their successors.
  const bytes = new ArrayBuffer(sizes.reduce((sum, size) => sum + size, 1));
  const lengths: number[] = [];
  let at = 0;
  for (const [index, path] of paths.entries()) {
    const size = sizes[index]!;
    const read = readFileInto(path, size, new Uint8Array(bytes, at, size + 1));
    lengths.push(read);
    if (read > 0) at += read;
  }
  const answer: FilesRead = { bytes, lengths };
  return Piscina.move({
    [Piscina.transferableSymbol]: [bytes],
    [Piscina.valueSymbol]: answer,
  } as unknown as ArrayBuffer);
}
