import type { ArchiveRemovals, StoredFile } from '../removals/archive-removals.port';

/** Carries out registered removals while the next batch is written, one batch at a time. */
export class BackgroundRemovals {
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly removals: ArchiveRemovals) {}

  /** Waits for the batch before. @throws what became of it */
  async carryOut(files: readonly StoredFile[]): Promise<void> {
    await this.running;
    this.running = this.removals.carryOut(files);
    // It is looked at when its turn comes; until then a failure is nobody's unhandled rejection.
    this.running.catch(() => undefined);
  }

  /** Waits for what is under way, however it ends: what is registered is carried out later all the same. */
  async end(): Promise<void> {
    await this.running.catch(() => undefined);
  }
}
