import { randomBytes } from 'node:crypto';
import { closeSync, constants, fdatasync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { syncDirectory } from './durable-directories';

export interface FilesToWrite {
  /** Folder in which the files are written first. */
  readonly folder: string;
  /** Final path of each file; all directories exist. */
  readonly targets: readonly string[];
  /** The files one after another. */
  readonly bytes: ArrayBuffer;
  readonly lengths: readonly number[];
}

interface HalfWritten {
  readonly path: string;
  readonly file: number;
}

const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
const sync = promisify(fdatasync);

/**
 * Worker-thread entry: writes files that are whole and durable under their names when it resolves. All are written before
 * the first is synced, and all are synced at once, so that the disk can do it in one operation.
 * @throws errors of the file system; nothing is left in the folder then, but some files may be in place
 */
export async function writeFiles({ folder, targets, bytes, lengths }: FilesToWrite): Promise<void> {
  const written: HalfWritten[] = [];
  try {
    try {
      let end = 0;
      for (const length of lengths) {
        end += length;
        written.push(writeFile(folder, new Uint8Array(bytes, end - length, length)));
      }
      await all(written.map(({ file }) => sync(file)));
    } finally {
      for (const { file } of written) closeSync(file);
    }
    for (const [index, { path }] of written.entries()) renameSync(path, targets[index]!);
  } catch (error) {
    for (const { path } of written) rmSync(path, { force: true });
    throw error;
  }
  await all([...new Set(targets.map((target) => dirname(target)))].map((path) => syncDirectory(path)));
}

function writeFile(folder: string, bytes: Uint8Array): HalfWritten {
  const path = join(folder, randomBytes(12).toString('hex'));
  const file = openSync(path, FLAGS, 0o600);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    return { path, file };
  } catch (error) {
    closeSync(file);
    rmSync(path, { force: true });
    throw error;
  }
}

/** Waits for all promises also when one fails: no file is closed while it is synced. */
async function all(work: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(work)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}
