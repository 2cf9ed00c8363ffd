import { Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Ticker } from '../../platform/concurrency/ticker';
import { isSpaceExhausted } from '../../platform/logging/system-errors';

/** Name of the file that a running writer updates at every beat. */
const ALIVE = 'alive';

/** Intervals in milliseconds; tests use shorter ones. */
export interface TemporaryFilesTimings {
  /** Interval between signs of life, and between checks of those of other writers. */
  readonly beatMs: number;
  /**
   * Time without a sign of life after which a writer counts as dead. It is long enough for a
   * process that was frozen, and for a network folder that shows others' changes late: a file that is taken from a
   * running writer costs it a batch.
   */
  readonly deadAfterMs: number;
}

const TIMINGS: TemporaryFilesTimings = { beatMs: 30_000, deadAfterMs: 10 * 60_000 };

/**
 * Half-written files, and the removal of those whose writer was killed. Each writer has a separate folder and shows in it
 * that it is running: neither process ids nor host names tell containers apart. Times are those of the file system, whose
 * clock all its users share.
 */
export class TemporaryFiles {
  private readonly logger = new Logger(TemporaryFiles.name);
  /** Folder of this writer; worker threads create files in it too. */
  readonly own: string;
  private readonly heartbeat: Ticker;

  constructor(
    private readonly directory: string,
    private readonly timings: TemporaryFilesTimings = TIMINGS,
  ) {
    this.own = join(directory, randomBytes(12).toString('hex'));
    this.heartbeat = new Ticker(timings.beatMs, () => this.beat(), this.logger, { ref: false });
  }

  /** Begins to show signs of life and to remove files of dead writers; both go on until it is closed. */
  async open(): Promise<void> {
    try {
      await this.beat();
    } catch (error) {
      // A process that only reads needs no folder. A writer tries again, and gets the error then.
      if (!isSpaceExhausted(error)) throw error;
      this.logger.warn('No disk space for temporary files');
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

  /** Creates the folder again after another process took this one for dead and removed it. */
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
      const seen = await readLastSeen(path, entry);
      if (seen !== null && now - seen > this.timings.deadAfterMs) {
        await rm(path, { recursive: true, force: true });
      }
    }
  }

  /** @returns the file system's time */
  private async showLife(): Promise<number> {
    await mkdir(this.own, { recursive: true, mode: 0o700 });
    const alive = join(this.own, ALIVE);
    // The file is written in place, which a full disk does not refuse.
    const file = await open(alive, constants.O_WRONLY | constants.O_CREAT, 0o600);
    try {
      await file.write('.', 0);
    } finally {
      await file.close();
    }
    return (await stat(alive)).mtimeMs;
  }
}

/** Time of the last sign of life of a writer, in milliseconds; null when its entry is gone. */
async function readLastSeen(path: string, entry: Dirent): Promise<number | null> {
  // A folder is made before its sign of life. Files beside the folders are of earlier versions.
  const sign = entry.isDirectory() ? await readModifiedAt(join(path, ALIVE)) : null;
  return sign ?? (await readModifiedAt(path));
}

async function readModifiedAt(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

const isAbsence = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
