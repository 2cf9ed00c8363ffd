import Piscina from 'piscina';
import { readFileInto } from './read-file-into';

export interface FilesToRead {
  readonly paths: readonly string[];
  /** How long each of them is believed to be, bytes. */
  readonly sizes: readonly number[];
}

export interface FilesRead {
  /** The files one after another. */
  readonly bytes: ArrayBuffer;
  /** Bytes of each that were read, or `FILE_MISSING`, `FILE_LARGER` and none. */
  readonly lengths: readonly number[];
}

/**
 * Worker-thread entry: reads small files whole. Done here, synchronously, it takes three system calls a file; on the
 * main thread each of those is a journey through the thread pool that costs more than the call.
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
