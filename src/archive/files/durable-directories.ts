import { mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes directory entries durable. A rename survives a power cut only once its directory has been synced; writers
 * that finish while a sync of their directory runs share the next one, so a batch of files costs a few syncs.
 */
export class DurableDirectories {
  /** Directories that are durably entered into their parents, as those are into theirs. */
  private readonly known = new Set<string>();
  private readonly making = new Map<string, Promise<void>>();
  private readonly running = new Map<string, Promise<void>>();
  private readonly waiting = new Map<string, Promise<void>>();

  private readonly root: string;

  /** @param root an existing directory above all others */
  constructor(
    root: string,
    private readonly syncEntries: (directory: string) => Promise<void> = syncDirectory,
  ) {
    this.root = resolve(root);
  }

  /** Creates the root if need be, with its parents; the new directories are durable when it resolves. */
  static async createRoot(
    root: string,
    syncParent: (directory: string) => Promise<void> = syncDirectory,
  ): Promise<void> {
    const made = await mkdir(root, { recursive: true, mode: 0o700 });
    if (made === undefined) return;
    const highest = dirname(resolve(made));
    for (let parent = resolve(root); parent !== highest;) {
      parent = dirname(parent);
      await syncParent(parent);
    }
  }

  /**
   * Creates a directory with its parents, each durably entered into its own parent: also those that were there before,
   * since another process may have made them a moment ago.
   */
  ensure(directory: string): Promise<void> {
    return this.enterDurably(resolve(directory));
  }

  /** Makes `ensure` look again, because the directory, or one above or below it, may have been removed. */
  forget(directory: string): void {
    const gone = resolve(directory);
    for (const known of this.known) {
      if (`${known}/`.startsWith(`${gone}/`) || gone.startsWith(`${known}/`)) this.known.delete(known);
    }
  }

  /** Resolves when every change made to the directory before the call is on disk. */
  sync(directory: string): Promise<void> {
    const running = this.running.get(directory);
    if (!running) return this.start(directory);
    // The sync under way may have begun before the caller's change, which needs the next one.
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

  private async enterDurably(directory: string): Promise<void> {
    if (directory === this.root || this.known.has(directory)) return;
    let made = this.making.get(directory);
    if (!made) {
      made = this.make(directory).finally(() => this.making.delete(directory));
      this.making.set(directory, made);
    }
    return made;
  }

  private async make(directory: string): Promise<void> {
    const parent = dirname(directory);
    if (parent === directory) throw new Error(`Not below ${this.root}`);
    await this.enterDurably(parent);
    try {
      await mkdir(directory);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    await this.sync(parent);
    this.known.add(directory);
  }

  private start(directory: string): Promise<void> {
    const run = this.syncEntries(directory).finally(() => this.running.delete(directory));
    this.running.set(directory, run);
    return run;
  }
}

/** Resolves when the entries of a directory are on disk. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
