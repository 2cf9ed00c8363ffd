import { type FileHandle, open } from 'node:fs/promises';
import type { Archive } from '../containers/archive-member';
import type { Extent, ReadingPosition } from '../containers/byte-source';
import { UploadMissing } from '../imports.errors';

/** The bytes of an import: one file, or the files of a folder. */
export type ImportRoot = FileRoot | FolderRoot;

interface FileRoot {
  readonly file: Extent;
}

interface FolderRoot {
  readonly file: null;
  readonly folder: Archive;
  /** Bytes of all files. */
  readonly size: number;
  readonly position: ReadingPosition;
}

/** The bytes of an import while they are open. */
export interface OpenImport {
  readonly root: ImportRoot;
  /** Makes sure that the bytes read so far are those that the import is of. @throws ImportFileChanged */
  verify(): Promise<void>;
  /** Makes sure of that at the end, when everything has been read. @throws ImportFileChanged */
  verifyWhole(): Promise<void>;
  close(): Promise<void>;
}

/** Where the bytes of an import come from. */
export interface ImportSource {
  open(signal: AbortSignal): Promise<OpenImport>;
}

export const sizeOf = (root: ImportRoot): number => (root.file ? root.file.size : root.size);

export const positionOf = (root: ImportRoot): ReadingPosition =>
  root.file ? root.file.position : root.position;

/** An uploaded file, which nothing but the service writes. */
export const uploadedFile = (path: string): ImportSource => ({
  open: async () => {
    const handle = await openUpload(path);
    const { size } = await handle.stat();
    const file = { path, handle, start: 0, size, fileSize: size, position: { bytesRead: 0 } };
    const unchanged = (): Promise<void> => Promise.resolve();
    return { root: { file }, verify: unchanged, verifyWhole: unchanged, close: () => handle.close() };
  },
});

async function openUpload(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new UploadMissing() : error;
  }
}
