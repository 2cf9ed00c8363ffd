import { readFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedServiceUnavailable, hasErrorCode } from './embedded.errors';

const POLL_MS = 20;

/** The first line of a pid file as a number, or null when there is no such file or no such number. */
export async function readPidFile(file: string): Promise<number | null> {
  try {
    const pid = Number.parseInt(await readFile(file, 'utf8'), 10);
    return pid > 0 ? pid : null;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * True when process `pid` was started on `directory`. Looks at the command line, which every user may
 * read: the working directory of another user's process is closed even to root in a container. A zombie
 * has no command line and counts as gone.
 */
export async function isServing(pid: number, directory: string): Promise<boolean> {
  try {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    return commandLine.split('\0').some((part) => part === directory || part.startsWith(`${directory}/`));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ESRCH')) return false;
    throw error;
  }
}

/**
 * Waits for a server whose Mailroom process was killed. It is stopping by its death signal already; if it
 * is not gone when the next step is due, that step's signal is sent to it.
 */
export async function awaitLeftover(
  pid: number,
  directory: string,
  steps: { afterMs: number; signal: NodeJS.Signals }[],
  giveUpMs: number,
): Promise<void> {
  const since = Date.now();
  const due = [...steps];
  while (await isServing(pid, directory)) {
    const waited = Date.now() - since;
    if (waited > giveUpMs) {
      throw new EmbeddedServiceUnavailable(
        `A server of an earlier Mailroom process (pid ${pid}) still uses ${directory} and does not stop: end it by hand.`,
      );
    }
    if (due[0] && waited >= due[0].afterMs) {
      const step = due.shift();
      if (step) signalIfAlive(pid, step.signal);
    }
    await sleep(POLL_MS);
  }
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!hasErrorCode(error, 'ESRCH')) throw error;
  }
}

/**
 * Removes a postmaster.pid whose process is gone but whose pid is taken, by a zombie or by a stranger:
 * PostgreSQL would refuse to start. Left alone while shared memory of that run is attached, which is what
 * PostgreSQL itself goes by to find backends that outlived their postmaster.
 */
export async function removeStalePidFile(pidFile: string): Promise<void> {
  try {
    // Line 7 holds the System V shared memory key and identifier (miscadmin.h, LOCK_FILE_LINE_SHMEM_KEY).
    const identifier = (await readFile(pidFile, 'utf8')).split('\n')[6]?.trim().split(/\s+/)[1];
    if (identifier !== undefined && (await attachments(identifier)) > 0) return;
    await rm(pidFile, { force: true });
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
}

/** Number of processes attached to a System V shared memory segment (proc(5), /proc/sysvipc/shm). */
async function attachments(identifier: string): Promise<number> {
  const table = await readFile('/proc/sysvipc/shm', 'utf8');
  const [header, ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const idColumn = header?.indexOf('shmid') ?? -1;
  const countColumn = header?.indexOf('nattch') ?? -1;
  const row = rows.find((fields) => fields[idColumn] === identifier);
  return Number(row?.[countColumn] ?? 0);
}
