import { Injectable } from '@nestjs/common';
import {
  access,
  constants,
  FileHandle,
  mkdir,
  open,
  opendir,
  rename,
  rm,
  stat,
  statfs,
} from 'node:fs/promises';
import { join } from 'node:path';
import { AppConfig } from '../../platform/config/app-config';
import type { SpoolPlace } from './containers/spool';
import { UploadMissing } from './imports.errors';

const PARTIAL = '.part';
/** Ends the names of copies of files in an upload, before the level of the file's archive. */
const SPOOLED = '.spool';
/** More levels than an import unpacks. */
const SPOOLED_LEVELS = 10;
/** Disk space in bytes that uploads leave free. */
const RESERVE = 64 * 1024 * 1024;

/** Directory of uploaded files that wait for their job, named by the id of the upload; incomplete ones end in `.part`. */
@Injectable()
export class UploadDirectory {
  private readonly path: string;
  /** Bytes that uploads under way in this process may still write. */
  private readonly kept = new Map<string, number>();

  constructor(config: AppConfig) {
    this.path = join(config.storage.dataDir, 'uploads');
  }

  /** The path of a complete upload. @param id a UUID */
  pathOf(id: string): string {
    return join(this.path, id);
  }

  /**
   * Keeps room for the rest of an upload, in place of the room kept for it before, until it is complete or deleted. For
   * other processes on the same disk only written bytes count.
   * @returns whether there is enough room, besides the room kept for other uploads and the reserve
   */
  async keepRoom(id: string, bytes: number): Promise<boolean> {
    await this.ensure();
    const { bavail, bsize } = await statfs(this.path);
    // There is no `await` from here on: the second of two simultaneous calls sees the room that the first one keeps.
    if (bavail * bsize < bytes + this.keptBeside(id)) return false;
    this.kept.set(id, bytes);
    return true;
  }

  /** Whether the disk has room for so many bytes besides the uploads that are under way, and the reserve. */
  private async hasRoom(bytes: number): Promise<boolean> {
    const { bavail, bsize } = await statfs(this.path);
    return bavail * bsize >= bytes + this.keptBeside(null);
  }

  /** Bytes that must stay free. @param id upload whose room does not count; null: all count */
  private keptBeside(id: string | null): number {
    let needed = RESERVE;
    for (const [other, kept] of this.kept) if (other !== id) needed += kept;
    return needed;
  }

  /** Opens the incomplete file of an upload for writing; only the service's user can read it. */
  async create(id: string): Promise<FileHandle> {
    await this.ensure();
    return open(this.pathOf(id) + PARTIAL, 'wx', 0o600);
  }

  /**
   * Opens the incomplete file of an upload to be continued, creating it if the upload begins. Bytes behind `offset` were
   * never confirmed, and are cut off.
   * @throws UploadMissing when it is shorter
   */
  async reopen(id: string, offset: number): Promise<FileHandle> {
    await this.ensure();
    const handle = await open(this.pathOf(id) + PARTIAL, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      const { size } = await handle.stat();
      if (size < offset) throw new UploadMissing();
      if (size > offset) await handle.truncate(offset);
      // After a crash, confirmed bytes must still have the file's name.
      if (offset === 0) await this.sync();
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Ends the room kept for an upload. */
  releaseRoom(id: string): void {
    this.kept.delete(id);
  }

  /**
   * Gives a completely written and closed file its name, durably. A file that has it already keeps it.
   * @throws UploadMissing when there is no file
   */
  async complete(id: string): Promise<void> {
    this.kept.delete(id);
    try {
      await rename(this.pathOf(id) + PARTIAL, this.pathOf(id));
    } catch (error) {
      if (!isMissing(error)) throw error;
      if (!(await this.isComplete(id))) throw new UploadMissing();
    }
    await this.sync();
  }

  /** Place beside an upload for copies of files in it. */
  spoolOf(id: string): SpoolPlace {
    const pathOf = (level: number): string => `${this.pathOf(id)}${SPOOLED}${level}`;
    return {
      pathOf,
      hasRoom: (bytes) => this.hasRoom(bytes),
      delete: (level) => rm(pathOf(level), { force: true }),
    };
  }

  /** Deletes the files of an upload, complete or not. */
  async delete(id: string): Promise<void> {
    this.kept.delete(id);
    await rm(this.pathOf(id), { force: true });
    await rm(this.pathOf(id) + PARTIAL, { force: true });
    const spool = this.spoolOf(id);
    for (let level = 0; level < SPOOLED_LEVELS; level++) await spool.delete(level);
  }

  /** Uploads, complete or not, whose file has not been written to since `before`. */
  async *untouchedSince(before: Date): AsyncGenerator<string> {
    await this.ensure();
    for await (const { name } of await opendir(this.path)) {
      const file = await stat(join(this.path, name)).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      if (file?.isFile() && file.mtime < before) yield name.replace(/\.(?:part|spool\d)$/, '');
    }
  }

  private async isComplete(id: string): Promise<boolean> {
    try {
      await access(this.pathOf(id));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  /** Makes names in the directory durable. */
  private async sync(): Promise<void> {
    const directory = await open(this.path, 'r');
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  }

  /** Makes the directory, unless it is there. */
  async ensure(): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
