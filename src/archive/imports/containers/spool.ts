import { type FileHandle, open } from 'node:fs/promises';
import { UploadSpaceExhausted } from '../imports.errors';
import { type ByteSource, ExtentSource } from './byte-source';

/** Bytes between two checks of the disk's room. */
const ROOM_EVERY = 16 * 1024 * 1024;

/** Place on disk for copies of files that an import needs there. */
export interface SpoolPlace {
  /** The path of a copy. @param level of the archive in which the file lies: there is one at a time for each */
  pathOf(level: number): string;
  hasRoom(bytes: number): Promise<boolean>;
  delete(level: number): Promise<void>;
}

/** A copy on disk of a file in an archive. It is deleted when it is closed, or with its upload. */
export interface SpooledFile {
  readonly source: ExtentSource;
  close(): Promise<void>;
}

/** Copies a file to disk. @throws UploadSpaceExhausted */
export async function spool(source: ByteSource, place: SpoolPlace, level: number): Promise<SpooledFile> {
  const path = place.pathOf(level);
  const handle = await open(path, 'w+', 0o600);
  const close = async (): Promise<void> => {
    await handle.close();
    await place.delete(level);
  };
  try {
    const size = await copy(source, handle, place);
    const extent = { path, handle, start: 0, size, fileSize: size, position: { bytesRead: 0 } };
    return { source: new ExtentSource(extent, source.damage), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function copy(source: ByteSource, handle: FileHandle, place: SpoolPlace): Promise<number> {
  let size = 0;
  let checked = 0;
  for await (const chunk of source.open(0)) {
    if (size + chunk.length > checked) {
      if (!(await place.hasRoom(ROOM_EVERY))) throw new UploadSpaceExhausted();
      checked = size + chunk.length + ROOM_EVERY;
    }
    for (let at = 0; at < chunk.length;) at += (await handle.write(chunk, at)).bytesWritten;
    size += chunk.length;
  }
  return size;
}
