import { constants } from 'node:fs';
import { lstat, mkdir, open, realpath, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { PlaceOutcome } from '../in-place/import-place.entity';
import type { EndedPlace } from '../in-place/import-places.repository';
import { readPlacedState } from '../in-place/placed-state';
import { describeImport, hasFailures } from './import-report';

/** Names of the folders in an account's folder into which files go after their import. */
export const OUTCOME_FOLDERS = ['done', 'failed'] as const;
/** Names of reports beside the files. */
const REPORTS = { done: 'report.txt', failed: 'why.txt' } as const;

export interface Settled {
  readonly outcome: PlaceOutcome;
  /** Where the file lies now. */
  readonly path: string;
}

/**
 * Moves a file or folder whose import has ended into `done/<job>/` or `failed/<job>/`, which no other file is moved into. May be
 * repeated, also after a kill. A file that is another one now, or that changed during its import, is left to be imported anew.
 */
export async function settleFile(place: EndedPlace, signal: AbortSignal): Promise<Settled> {
  const { path, fingerprint, status, errorCode, jobId, settledAs } = place;
  const outcome = status === 'completed' ? 'done' : 'failed';
  // A file that failed lies two folders deeper.
  const home = settledAs === 'failed' ? dirname(dirname(dirname(path))) : dirname(path);
  const target = join(home, outcome, jobId);
  const moved = join(target, basename(path));
  if (errorCode === 'import-file-changed') return { outcome: 'left', path };
  const state = await orMissing(readPlacedState(path, signal));
  if (state === 'missing') return { outcome: (await isThere(moved)) ? outcome : 'left', path: moved };
  if (state?.fingerprint !== fingerprint) return { outcome: 'left', path };
  await makeFolder(home, join(home, outcome));
  await makeFolder(home, target);
  if (outcome === 'failed' || hasFailures(place))
    await writeReport(join(target, REPORTS[outcome]), describeImport(place, basename(path)));
  await rename(path, moved);
  for (const folder of [target, join(home, outcome), home]) await syncFolder(folder);
  return { outcome, path: moved };
}

/** Makes a folder, unless it is there. A link in its place would lead out of the account's folder. */
async function makeFolder(home: string, path: string): Promise<void> {
  await mkdir(path, { mode: 0o770 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  const isOurs = (await lstat(path)).isDirectory() && (await realpath(path)).startsWith(`${home}/`);
  if (!isOurs) throw new Error(`${basename(path)} is not a folder in the folder of the account`);
}

async function writeReport(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
  const handle = await open(temporary, flags, 0o660);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, path);
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const orMissing = <T>(reading: Promise<T>): Promise<T | 'missing'> =>
  reading.catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return 'missing' as const;
    throw error;
  });

const isThere = async (path: string): Promise<boolean> => (await orMissing(lstat(path))) !== 'missing';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
