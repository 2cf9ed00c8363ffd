import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Extent } from '../../../src/archive/imports/containers/byte-source';

const opened: { extent: Extent; folder: string }[] = [];

/** Bytes as a file on disk, until `closeExtents`. */
export async function extentOf(bytes: Buffer): Promise<Extent> {
  const folder = await mkdtemp(join(tmpdir(), 'mailroom-extent-'));
  const path = join(folder, 'upload');
  await writeFile(path, bytes);
  const handle = await open(path, 'r');
  const { length } = bytes;
  const extent = { path, handle, start: 0, size: length, fileSize: length, position: { bytesRead: 0 } };
  opened.push({ extent, folder });
  return extent;
}

export async function closeExtents(): Promise<void> {
  for (const { extent, folder } of opened.splice(0)) {
    await extent.handle.close();
    await rm(folder, { recursive: true, force: true });
  }
}
