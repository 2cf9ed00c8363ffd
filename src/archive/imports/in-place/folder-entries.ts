import type { BigIntStats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { ImportFileChanged } from '../imports.errors';

/** An entry of a folder on the server's disk. Its path is bytes: names need not be UTF-8. */
export interface FolderEntry {
  readonly path: Buffer;
  /** Path from the folder on, with the folder's own name first and `/` between levels. */
  readonly name: string;
  /** `other`: a link, a device or a socket; `closed`: something that the service may not look at or into. */
  readonly kind: 'file' | 'other' | 'closed';
  /** null: the service may not look at it. */
  readonly stats: BigIntStats | null;
}

/** A file in a folder, which may or may not be readable. */
export interface FileEntry extends FolderEntry {
  readonly kind: 'file';
  readonly stats: BigIntStats;
}

const SLASH = Buffer.from('/');

/**
 * Lists everything in a folder, at all levels, in an order that depends on the names only. Links are not followed.
 * @param root an absolute path without links
 * @throws ImportFileChanged when something vanishes meanwhile; EACCES for the root only
 */
export async function* walkFolder(
  root: string,
  signal: AbortSignal,
): AsyncGenerator<FileEntry | (FolderEntry & { readonly kind: 'other' | 'closed' }), void, undefined> {
  const top = Buffer.from(root);
  const skipped = top.lastIndexOf('/') + 1;
  // Entries still to be visited, the next one last: the memory is that of the entries of the folders on the way.
  const waiting: Buffer[] = [top];
  for (let path = waiting.pop(); path; path = waiting.pop()) {
    signal.throwIfAborted();
    const name = path.subarray(skipped).toString();
    const stats = await statsOf(path, path === top);
    if (!stats?.isDirectory()) {
      if (stats?.isFile()) yield { path, name, kind: 'file', stats };
      else yield { path, name, kind: stats ? 'other' : 'closed', stats };
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

/**
 * The state of an entry; null when the service may not look at it: names in a folder can be listed without the right to open it.
 * @param isRoot whether a refusal is thrown
 */
async function statsOf(path: Buffer, isRoot: boolean): Promise<BigIntStats | null> {
  try {
    return await orChanged(lstat(path, { bigint: true }));
  } catch (error) {
    if (isRefused(error) && !isRoot) return null;
    throw error;
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
