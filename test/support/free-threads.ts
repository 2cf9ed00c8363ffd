import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Threads on which Node calls the file system, and getaddrinfo. */
export const POOL_THREADS = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
const LIMIT_MS = 1_000;

/**
 * Whether this many threads of Node's pool take work at the same time. All of them but one are held by named pipes that have no
 * writer yet, and the last one has to answer for a file. The limit only ends the wait for a thread that something else holds.
 */
export async function areThreadsFree(count = POOL_THREADS): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), 'mailroom-threads-'));
  const pipes = Array.from({ length: count - 1 }, (_, at) => join(directory, String(at)));
  execFileSync('mkfifo', pipes);
  const readers = pipes.map((pipe) => open(pipe, 'r'));
  const limit = new AbortController();
  try {
    const late = setTimeout(LIMIT_MS, false, { signal: limit.signal, ref: false });
    return await Promise.race([stat(directory).then(() => true), late]);
  } finally {
    limit.abort();
    // Opened for both directions, a pipe does not wait, and is the writer that its reader waits for.
    const writers = pipes.map((pipe) => openSync(pipe, constants.O_RDWR));
    for (const reader of await Promise.all(readers)) await reader.close();
    for (const writer of writers) closeSync(writer);
    rmSync(directory, { recursive: true });
  }
}
