import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/** Increase of the niceness (nice(2)) of threads that only compute: others get nine times as much of a processor. */
const COMPUTING = 10;
/** Increase of the niceness of a process that only runs jobs: others get three times as much. */
const RUNNING_JOBS = 5;
/** A link to `<process>/task/<thread>`. */
const THREAD = '/proc/thread-self';
const THREADS = '/proc/self/task';

/**
 * Lowers the priority of the calling thread, and of those it starts from now on. Only Linux has priorities of threads;
 * elsewhere nothing changes.
 */
export function lowerThreadPriority(): void {
  if (existsSync(THREAD)) lower(Number(basename(readlinkSync(THREAD))), COMPUTING);
}

/** Lowers the priority of every thread there is in this process, on Linux. */
export function lowerProcessPriority(): void {
  if (existsSync(THREADS)) for (const thread of readdirSync(THREADS)) lower(Number(thread), RUNNING_JOBS);
}

/** Linux takes the id of a thread where POSIX has that of a process. */
function lower(thread: number, by: number): void {
  setPriority(thread, Math.min(constants.priority.PRIORITY_LOW, getPriority(thread) + by));
}
