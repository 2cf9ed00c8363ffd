import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedServiceUnavailable } from './embedded.errors';
import { hasErrorCode } from './error-code';

interface LockOwner {
  pid: number;
  /** Start of the process in clock ticks since boot: tells a reused pid from the owner. */
  startedAt: string;
  bootId: string;
}

export interface DirectoryLock {
  release(): Promise<void>;
}

const LOCK_FILE = 'lock.json';

/**
 * Takes `directory` for this process. A lock left behind by a dead process is taken over.
 *
 * @throws EmbeddedServiceUnavailable naming the directory and the pid when a living process holds it
 */
export async function lockDirectory(directory: string, shownAs: string): Promise<DirectoryLock> {
  const lockFile = join(directory, LOCK_FILE);
  const own = join(directory, `${LOCK_FILE}.${process.pid}.${randomBytes(6).toString('hex')}`);
  await writeFile(own, JSON.stringify(describeProcess(process.pid)), { mode: 0o644, flush: true });
  try {
    for (;;) {
      // link() fails when the target exists: the file appears with its content or not at all.
      const taken = await link(own, lockFile).then(
        () => true,
        (error: unknown) => {
          if (hasErrorCode(error, 'EEXIST')) return false;
          throw error;
        },
      );
      if (taken) break;
      await removeIfStale(lockFile, shownAs);
    }
  } finally {
    await rm(own, { force: true });
  }
  return { release: () => rm(lockFile, { force: true }) };
}

async function removeIfStale(lockFile: string, shownAs: string): Promise<void> {
  refuseIfAlive(await readOwner(lockFile), shownAs);
  const aside = `${lockFile}.stale.${randomBytes(6).toString('hex')}`;
  try {
    await rename(lockFile, aside);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return;
    throw error;
  }
  // Another process may have taken the lock over between the check and the rename: give it back then.
  const moved = await readOwner(aside);
  if (isAlive(moved)) await link(aside, lockFile);
  await rm(aside, { force: true });
  refuseIfAlive(moved, shownAs);
}

function refuseIfAlive(owner: LockOwner | null, shownAs: string): void {
  if (owner && isAlive(owner)) {
    throw new EmbeddedServiceUnavailable(
      `The data directory ${shownAs} is in use by another Mailroom process (pid ${owner.pid}): stop it, or set DATA_DIR to another directory.`,
    );
  }
}

async function readOwner(file: string): Promise<LockOwner | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as LockOwner;
  } catch (error) {
    // A power failure can leave an empty file; whoever wrote it is gone with the power.
    if (hasErrorCode(error, 'ENOENT') || error instanceof SyntaxError) return null;
    throw error;
  }
}

function isAlive(owner: LockOwner | null): boolean {
  if (!owner) return false;
  const now = describeProcess(owner.pid);
  return now !== null && now.startedAt === owner.startedAt && now.bootId === owner.bootId;
}

function describeProcess(pid: number): LockOwner | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc(5): the command name may hold blanks and brackets, fields are counted after the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return { pid, startedAt: fields[19] ?? '', bootId };
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ESRCH')) return null;
    throw error;
  }
}
