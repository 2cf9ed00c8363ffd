import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { ImportFileChanged } from '../imports.errors';
import { orChanged } from './folder-entries';
import { fingerprintOfFile } from './placed-state';

/** A file of the server's disk that is open for an import. */
export interface OpenFile {
  readonly handle: FileHandle;
  readonly size: number;
  /** Path by which another process of this user opens the same file, whatever becomes of its name. */
  readonly path: string;
  /** @throws ImportFileChanged when the file was written to since it was opened */
  verify(): Promise<void>;
}

const CAN_NAME_HANDLES = existsSync('/proc/self/fd');

/**
 * Opens a file for reading, if its path leads to it without links: a link that takes the place of a folder on the way would lead
 * outside of what was to be imported.
 * @param fingerprint that the file must have; null: any
 * @throws ImportFileChanged; EACCES
 */
export async function openPlacedFile(path: Buffer, fingerprint: string | null): Promise<OpenFile> {
  // A pipe in the file's place would keep the opening waiting.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await orChanged(open(path, flags));
  try {
    const [opened, real] = await Promise.all([
      handle.stat({ bigint: true }),
      orChanged(realpath(path, { encoding: 'buffer' })),
    ]);
    const named = await orChanged(lstat(real, { bigint: true }));
    const isSame = real.equals(path) && named.ino === opened.ino && named.dev === opened.dev;
    const found = fingerprintOfFile(opened);
    if (!isSame || !opened.isFile() || (fingerprint !== null && found !== fingerprint))
      throw new ImportFileChanged();
    return {
      handle,
      size: Number(opened.size),
      path: CAN_NAME_HANDLES ? `/proc/${process.pid}/fd/${handle.fd}` : path.toString(),
      verify: async () => {
        if (fingerprintOfFile(await handle.stat({ bigint: true })) !== found) throw new ImportFileChanged();
      },
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
