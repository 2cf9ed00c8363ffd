import { lstat, realpath } from 'node:fs/promises';
import type { ImportSource, OpenImport } from '../files/import-source';
import { ImportFileChanged, ImportFileUnreadable } from '../imports.errors';
import { FolderArchive } from './folder-archive';
import { isRefused, orChanged } from './folder-entries';
import { openPlacedFile } from './open-placed-file';
import { readPlacedState } from './placed-state';

/** A file or folder that is imported where it lies. */
export interface Placed {
  /** Absolute, without links. */
  readonly path: string;
  /** State in which the import was asked for. See `readPlacedState`. */
  readonly fingerprint: string;
}

/**
 * Opens a file or folder where it lies. Every attempt makes sure that it is still the one that the import was asked for, since
 * the attempt goes on at a number of bytes or files. See ADR 115.
 */
export const placedSource = (placed: Placed): ImportSource => ({
  open: async (signal) => {
    try {
      const isFolder = (await orChanged(lstat(placed.path))).isDirectory();
      return isFolder ? await openFolder(placed, signal) : await openFile(placed);
    } catch (error) {
      throw isRefused(error) ? new ImportFileUnreadable() : error;
    }
  },
});

async function openFile({ path, fingerprint }: Placed): Promise<OpenImport> {
  const opened = await openPlacedFile(Buffer.from(path), fingerprint);
  const { handle, size, verify } = opened;
  const file = { path: opened.path, handle, start: 0, size, fileSize: size, position: { bytesRead: 0 } };
  return { root: { file }, verify, verifyWhole: verify, close: () => handle.close() };
}

async function openFolder({ path, fingerprint }: Placed, signal: AbortSignal): Promise<OpenImport> {
  const requireSame = async (): Promise<number> => {
    if ((await orChanged(realpath(path))) !== path) throw new ImportFileChanged();
    const state = await orChanged(readPlacedState(path, signal));
    if (state?.fingerprint !== fingerprint) throw new ImportFileChanged();
    return state.sizeBytes;
  };
  const size = await requireSame();
  const position = { bytesRead: 0 };
  return {
    root: { file: null, folder: new FolderArchive(path, position, signal), size, position },
    // Each file is looked at when it has been read.
    verify: () => Promise.resolve(),
    verifyWhole: async () => void (await requireSame()),
    close: () => Promise.resolve(),
  };
}
