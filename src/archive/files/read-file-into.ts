import { closeSync, openSync, readSync } from 'node:fs';

/** Value instead of a length when there is no such file. */
export const FILE_MISSING = -1;
/** Value instead of a length when the file is longer than expected. */
export const FILE_LARGER = -2;

/**
 * Reads a small file whole, in a worker thread.
 * @param size expected size in bytes
 * @param into has room for one byte more, which tells that the file is longer
 * @returns size of the file in bytes, `FILE_MISSING` or `FILE_LARGER`
 * @throws errors of the file system other than a missing file
 */
export function readFileInto(path: string, size: number, into: Uint8Array): number {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return FILE_MISSING;
    throw error;
  }
  try {
    const wanted = size + 1;
    let length = 0;
    while (length < wanted) {
      const asked = wanted - length;
      const read = readSync(file, into, length, asked, null);
      length += read;
      // Only fewer bytes than asked for mean the end of a file.
      if (read < asked) return length;
    }
    return FILE_LARGER;
  } finally {
    closeSync(file);
  }
}
