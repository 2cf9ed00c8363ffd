import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes directory entries durable. A rename survives a power cut only once its directory has been synced; writers
 * that finish while a sync of their directory runs share the next one, so a batch of files costs a few syncs.
 */
export class DurableDirectories {
  private readonly known = new Set<string>();
  private readonly running = new Map<string, Promise<void>>();
  private readonly waiting = new Map<string, Promise<void>>();

  /** Creates a directory with its parents, each durably entered into its own parent. */
  async ensure(directory: string): Promise<void> {
    if (this.known.has(directory)) return;
    const first = await mkdir(directory, { recursive: true });
    if (first !== undefined) {
      for (let created = directory; created.length >= first.length; created = dirname(created)) {
        await this.sync(dirname(created));
      }
    }
    this.known.add(directory);
  }

  /** The directory is gone or may be: `ensure` looks again. */
  forget(directory: string): void {
    for (const known of this.known) {
      if (known === directory || known.startsWith(`${directory}/`)) this.known.delete(known);
    }
  }

  /** Resolves when every change made to the directory before the call is on disk. */
  sync(directory: string): Promise<void> {
    const running = this.running.get(directory);
    if (!running) return this.start(directory);
    // The sync under way may have begun before the caller's change: it needs the one after it.
    let next = this.waiting.get(directory);
    if (!next) {
      next = running
        .catch(() => undefined)
        .then(() => {
          this.waiting.delete(directory);
          return this.start(directory);
        });
      this.waiting.set(directory, next);
    }
    return next;
  }

  private start(directory: string): Promise<void> {
    const sync = syncDirectory(directory).finally(() => this.running.delete(directory));
    this.running.set(directory, sync);
    return sync;
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
