import { readFile, rm } from 'node:fs/promises';
import { hasErrorCode } from '../error-code';

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
