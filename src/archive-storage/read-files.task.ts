import { closeSync, openSync, readSync } from 'node:fs';
import Piscina from 'piscina';

/** Instead of a length: there is no such file. */
export const FILE_MISSING = -1;
/** Instead of a length: the file is longer than it was said to be. */
export const FILE_LARGER = -2;

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
    const read = readFile(path, new Uint8Array(bytes, at, size + 1));
    lengths.push(read > size ? FILE_LARGER : read);
    if (read > 0 && read <= size) at += read;
  }
  const answer: FilesRead = { bytes, lengths };
  return Piscina.move({
    [Piscina.transferableSymbol]: [bytes],
    [Piscina.valueSymbol]: answer,
  } as unknown as ArrayBuffer);
}

/** @returns how many bytes the file has, at most as many as fit; `FILE_MISSING` */
function readFile(path: string, into: Uint8Array): number {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return FILE_MISSING;
    throw error;
  }
  try {
    let length = 0;
    // Only fewer bytes than asked for mean the end of a file.
    for (let read = -1; read !== 0 && length < into.length; length += read) {
      read = readSync(file, into, length, into.length - length, null);
      if (read < into.length - length) return length + read;
    }
    return length;
  } finally {
    closeSync(file);
  }
}
