import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedServiceUnavailable, hasErrorCode } from './embedded.errors';

interface LockOwner {
  pid: number;
  /** Start of the process in clock ticks since boot: tells a reused pid from the owner. */
  startedAt: string;
  bootId: string;
}

export interface DirectoryLock {
  release(): Promise<void>;
}

const DEFAULT_PATIENCE_MS = 2_000;
const POLL_MS = 20;
const LOCK_FILE = /^lock\.(\d+)$/;

/**
 * Takes `directory` for this process. A lock left behind by a dead process is taken over.
 *
 * The holder is named in the file `lock.<n>` with the highest number. Taking over means creating number
 * n + 1, which only one contender can, and no highest number is ever removed: so two processes that find
 * the same dead holder cannot both win, however they interleave.
 *
 * @param shownAs how the error names the directory
 * @param patienceMs how long a living holder may take to end: a process just killed or stopped is not gone at once
 * @throws EmbeddedServiceUnavailable naming the directory and the pid when a living process holds it
 */
export async function lockDirectory(
  directory: string,
  shownAs: string,
  patienceMs = DEFAULT_PATIENCE_MS,
): Promise<DirectoryLock> {
  const refuseAt = Date.now() + patienceMs;
  const draft = join(directory, `lock-draft.${process.pid}.${randomBytes(6).toString('hex')}`);
  await writeFile(draft, JSON.stringify(describeProcess(process.pid)), { mode: 0o644, flush: true });
  try {
    for (;;) {
      const highest = Math.max(0, ...(await generations(directory)));
      const holder = highest > 0 ? await readHolder(lockFile(directory, highest)) : null;
      if (holder && isAlive(holder)) {
        if (Date.now() < refuseAt) {
          await sleep(POLL_MS);
          continue;
        }
        throw new EmbeddedServiceUnavailable(
          `The data directory ${shownAs} is in use by another Mailroom process (pid ${holder.pid}): stop it, or set DATA_DIR to another directory.`,
        );
      }
      const own = highest + 1;
      if (!(await linkIfAbsent(draft, lockFile(directory, own)))) continue;
      const numbers = await generations(directory);
      if (numbers.some((number) => number > own)) {
        // The number was free only because a later holder had cleaned it up.
        await rm(lockFile(directory, own), { force: true });
        continue;
      }
      for (const number of numbers) {
        if (number < own) await rm(lockFile(directory, number), { force: true });
      }
      return { release: () => truncate(lockFile(directory, own)) };
    }
  } finally {
    await rm(draft, { force: true });
  }
}

function lockFile(directory: string, generation: number): string {
  return join(directory, `lock.${generation}`);
}

async function generations(directory: string): Promise<number[]> {
  return (await readdir(directory)).flatMap((name) => {
    const generation = LOCK_FILE.exec(name)?.[1];
    return generation === undefined ? [] : [Number(generation)];
  });
}

/** link(2) fails when the target exists, so the file appears with its content or not at all. */
async function linkIfAbsent(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** The process named in a lock file, or null when it was released, cut short by a power failure or removed. */
async function readHolder(file: string): Promise<LockOwner | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as LockOwner;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT') || (error as Error).name === 'SyntaxError') return null;
    throw error;
  }
}

function isAlive(owner: LockOwner): boolean {
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
