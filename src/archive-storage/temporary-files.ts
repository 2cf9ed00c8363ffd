import { randomBytes } from 'node:crypto';
import { mkdir, opendir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Nothing takes longer to write; files of writers that cannot be asked are left alone until then. */
const STALE_MS = 60 * 60 * 1000;
const HOST = hostname()
  .replace(/[^A-Za-z0-9]/g, '')
  .slice(0, 40);
/** Tells this process from an earlier one that had the same pid, as every restarted container has. */
const PROCESS = randomBytes(6).toString('hex');
const NAME = /^([A-Za-z0-9]*)-(\d+)-([0-9a-f]{12})-[0-9a-f]{24}$/;

/** Names half-written files, and removes those whose writer was killed. */
export class TemporaryFiles {
  constructor(private readonly directory: string) {}

  /** Creates the directory and removes what dead writers left in it. */
  async open(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    for await (const entry of await opendir(this.directory)) {
      const path = join(this.directory, entry.name);
      if (!writerIsAlive(entry.name) || (await isStale(path)))
        await rm(path, { force: true, recursive: true });
    }
  }

  next(): string {
    return join(this.directory, `${HOST}-${process.pid}-${PROCESS}-${randomBytes(12).toString('hex')}`);
  }
}

/** True also when it cannot be told: the writer may run on another machine. */
function writerIsAlive(name: string): boolean {
  const [, host, pid, started] = NAME.exec(name) ?? [];
  if (host !== HOST) return true;
  if (Number(pid) === process.pid) return started === PROCESS;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs > STALE_MS;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
