import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { walkFolder } from './folder-entries';

/** A file or folder on the server's disk, as it is at one time. */
export interface PlacedState {
  readonly isFolder: boolean;
  /** Differs when a name, a size, a time of change or an inode does. Moving the whole leaves it as it is. */
  readonly fingerprint: string;
  readonly sizeBytes: number;
  readonly files: number;
  /** The latest change of an inode, in milliseconds. */
  readonly changedAtMs: number;
  /** Name of a file in it that a program is still writing, by its ending; null: there is none. */
  readonly unfinished: string | null;
}

/** Endings by which programs mark files that they are still writing. */
const UNFINISHED = /\.(?:part|partial|tmp|temp|crdownload|download|filepart|upload)$/i;

export const isUnfinishedName = (name: string): boolean => UNFINISHED.test(name);

const identityOf = ({ size, mtimeNs, ino }: BigIntStats): string => `${size}:${mtimeNs}:${ino}`;

export const fingerprintOfFile = (stats: BigIntStats): string => `file:${identityOf(stats)}`;

/**
 * Reads the state of a file or folder. Null for what is neither, links included.
 * @param path an absolute path without links
 * @throws ImportFileChanged when it changes while it is read; ENOENT when it is not there
 */
export async function readPlacedState(path: string, signal: AbortSignal): Promise<PlacedState | null> {
  const stats = await lstat(path, { bigint: true });
  if (stats.isFile()) {
    return {
      isFolder: false,
      fingerprint: fingerprintOfFile(stats),
      sizeBytes: Number(stats.size),
      files: 1,
      changedAtMs: Number(stats.ctimeMs),
      unfinished: null,
    };
  }
  return stats.isDirectory() ? readFolderState(path, signal) : null;
}

async function readFolderState(path: string, signal: AbortSignal): Promise<PlacedState> {
  const hash = createHash('sha256');
  let [sizeBytes, files, changedAtMs] = [0, 0, 0];
  let unfinished: string | null = null;
  for await (const entry of walkFolder(path, signal)) {
    const { name, kind, stats } = entry;
    // The name of the folder itself may change, when it is moved.
    hash.update(`${kind}\0${name.slice(name.indexOf('/'))}\0${stats ? identityOf(stats) : ''}\n`);
    if (stats) changedAtMs = Math.max(changedAtMs, Number(stats.ctimeMs));
    if (kind !== 'file') continue;
    sizeBytes += Number(stats.size);
    files += 1;
    if (isUnfinishedName(name)) unfinished ??= name;
  }
  const fingerprint = `folder:${hash.digest('hex')}`;
  return { isFolder: true, fingerprint, sizeBytes, files, changedAtMs, unfinished };
}
