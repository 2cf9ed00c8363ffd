import type { BigIntStats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { ImportFileChanged } from '../imports.errors';

/** An entry of a folder on the server's disk. Its path is bytes: names need not be UTF-8. */
export interface FolderEntry {
  readonly path: Buffer;
  /** Path from the folder on, with the folder's own name first and `/` between levels. */
  readonly name: string;
  /** `other`: a link, a device or a socket; `closed`: a folder that the service may not read. */
  readonly kind: 'file' | 'other' | 'closed';
  readonly stats: BigIntStats;
}

const SLASH = Buffer.from('/');

/**
 * Lists everything in a folder, at all levels, in an order that depends on the names only. Links are not followed.
 * @param root an absolute path without links
 * @throws ImportFileChanged when something vanishes meanwhile
 */
export async function* walkFolder(
  root: string,
  signal: AbortSignal,
): AsyncGenerator<FolderEntry, void, undefined> {
  const top = Buffer.from(root);
  const skipped = top.lastIndexOf('/') + 1;
  // What is still to be visited; of each folder on the way, the entries after the current one.
  const waiting: Buffer[] = [top];
  for (let path = waiting.pop(); path; path = waiting.pop()) {
    signal.throwIfAborted();
    const stats = await orChanged(lstat(path, { bigint: true }));
    const name = path.subarray(skipped).toString();
    if (!stats.isDirectory()) {
      yield { path, name, kind: stats.isFile() ? 'file' : 'other', stats };
      continue;
    }
    const names = await namesIn(path);
    if (!names) {
      yield { path, name, kind: 'closed', stats };
      continue;
    }
    names.sort(Buffer.compare).reverse();
    for (const own of names) waiting.push(Buffer.concat([path, SLASH, own]));
  }
}

/** The names in a folder; null when the service may not read it. */
async function namesIn(path: Buffer): Promise<Buffer[] | null> {
  try {
    return await readdir(path, { encoding: 'buffer' });
  } catch (error) {
    if (isRefused(error)) return null;
    throw isVanished(error) ? new ImportFileChanged() : error;
  }
}

/** @throws ImportFileChanged when there is no such file any more */
export async function orChanged<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw isVanished(error) ? new ImportFileChanged() : error;
  }
}

/** Whether the service lacks the right to read a file. */
export const isRefused = (error: unknown): boolean => ['EACCES', 'EPERM'].includes(codeOf(error));

/** Whether a file is not there, or a link is where a file was. */
const isVanished = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error));

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
