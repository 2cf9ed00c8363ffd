import { Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Ticker } from '../../platform/concurrency/ticker';
import { isSpaceExhausted } from '../../platform/logging/system-errors';

/** Written again and again by a living writer. */
const ALIVE = 'alive';

/** Intervals in milliseconds; tests use shorter ones. */
export interface TemporaryFilesTimings {
  /** Between signs of life, and between looks at those of others. */
  readonly beatMs: number;
  /**
   * A writer not seen for so long is dead. Long enough for a process that was frozen and for a network folder that shows
   * others' changes late: a file that is taken from a living writer costs it a batch.
   */
  readonly deadAfterMs: number;
}

const TIMINGS: TemporaryFilesTimings = { beatMs: 30_000, deadAfterMs: 10 * 60_000 };

/**
 * Half-written files, and the end of those whose writer was killed. Each writer has a folder of its own and shows in it
 * that it lives: neither process ids nor host names tell containers apart. Times are those of the file system, whose
 * clock is one for all who share it.
 */
export class TemporaryFiles {
  private readonly logger = new Logger(TemporaryFiles.name);
  /** This writer's, for files that others create in it. */
  readonly own: string;
  private readonly heartbeat: Ticker;

  constructor(
    private readonly directory: string,
    private readonly timings: TemporaryFilesTimings = TIMINGS,
  ) {
    this.own = join(directory, randomBytes(12).toString('hex'));
    this.heartbeat = new Ticker(timings.beatMs, () => this.beat(), this.logger, { ref: false });
  }

  /** Begins to show signs of life, and removes what dead writers have left; both go on until it is closed. */
  async open(): Promise<void> {
    try {
      await this.beat();
    } catch (error) {
      // Whoever only reads can do without. Whoever writes tries again, and is told.
      if (!isSpaceExhausted(error)) throw error;
      this.logger.warn('There is no space for half-written files');
    }
    this.heartbeat.start();
  }

  /** Creates a file to be written, and moved or removed by the caller. */
  async create(): Promise<{ path: string; file: FileHandle }> {
    const path = join(this.own, randomBytes(12).toString('hex'));
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
    try {
      return { path, file: await open(path, flags, 0o600) };
    } catch (error) {
      if (!isAbsence(error)) throw error;
      await this.revive();
      return { path, file: await open(path, flags, 0o600) };
    }
  }

  /** Makes the folder anew: this process has not been seen for so long that another one took it for dead. */
  async revive(): Promise<void> {
    await this.showLife();
  }

  /** Call when nothing is being written any more. */
  async close(): Promise<void> {
    await this.heartbeat.stop();
    await rm(this.own, { recursive: true, force: true });
  }

  private async beat(): Promise<void> {
    const now = await this.showLife();
    for (const entry of await readdir(this.directory, { withFileTypes: true })) {
      const path = join(this.directory, entry.name);
      if (path === this.own) continue;
      const seen = await lastSeen(path, entry);
      if (seen !== null && now - seen > this.timings.deadAfterMs) {
        await rm(path, { recursive: true, force: true });
      }
    }
  }

  /** @returns the file system's time */
  private async showLife(): Promise<number> {
    await mkdir(this.own, { recursive: true, mode: 0o700 });
    const alive = join(this.own, ALIVE);
    // Written in place, which a full disk does not refuse.
    const file = await open(alive, constants.O_WRONLY | constants.O_CREAT, 0o600);
    try {
      await file.write('.', 0);
    } finally {
      await file.close();
    }
    return (await stat(alive)).mtimeMs;
  }
}

/** @returns null when it is gone */
async function lastSeen(path: string, entry: Dirent): Promise<number | null> {
  // A folder is made before its sign of life. Files beside the folders are of earlier versions.
  const sign = entry.isDirectory() ? await modifiedAt(join(path, ALIVE)) : null;
  return sign ?? (await modifiedAt(path));
}

async function modifiedAt(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

const isAbsence = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
