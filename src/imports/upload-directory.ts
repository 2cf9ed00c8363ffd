import { Injectable } from '@nestjs/common';
import { FileHandle, mkdir, open, opendir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { AppConfig } from '../config/app-config';

const PARTIAL = '.part';
/** Disk space that uploads leave to everything else. */
const RESERVE = 64 * 1024 * 1024;

/** Where uploaded files wait for their job, named by the id of the upload; incomplete ones end in `.part`. */
@Injectable()
export class UploadDirectory {
  private readonly path: string;
  /** Bytes that uploads under way in this process may still write. */
  private readonly kept = new Map<string, number>();

  constructor(config: AppConfig) {
    this.path = join(config.storage.dataDir, 'uploads');
  }

  /** The place of a complete upload. @param id a UUID */
  pathOf(id: string): string {
    return join(this.path, id);
  }

  /**
   * Keeps room for the rest of an upload, in place of the room kept for it before, until it is complete or deleted. Of
   * other processes on the same disk only written bytes are seen.
   * @returns whether there is so much room, besides the room kept for other uploads and the reserve
   */
  async keepRoom(id: string, bytes: number): Promise<boolean> {
    await this.ensure();
    const { bavail, bsize } = await statfs(this.path);
    // Nothing is awaited from here on: of two uploads that ask at the same time, the second sees what the first keeps.
    let needed = bytes + RESERVE;
    for (const [other, kept] of this.kept) if (other !== id) needed += kept;
    if (bavail * bsize < needed) return false;
    this.kept.set(id, bytes);
    return true;
  }

  /** Opens the incomplete file of an upload for writing; only the service's user can read it. */
  async create(id: string): Promise<FileHandle> {
    await this.ensure();
    return open(this.pathOf(id) + PARTIAL, 'wx', 0o600);
  }

  /** Gives a completely written and closed file its name, durably. */
  async complete(id: string): Promise<void> {
    this.kept.delete(id);
    await rename(this.pathOf(id) + PARTIAL, this.pathOf(id));
    const directory = await open(this.path, 'r');
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  }

  /** Deletes the files of an upload, complete or not. */
  async delete(id: string): Promise<void> {
    this.kept.delete(id);
    await rm(this.pathOf(id), { force: true });
    await rm(this.pathOf(id) + PARTIAL, { force: true });
  }

  /** Uploads, complete or not, whose file has not been written to since `before`. */
  async *untouchedSince(before: Date): AsyncGenerator<string> {
    await this.ensure();
    for await (const { name } of await opendir(this.path)) {
      const file = await stat(join(this.path, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      if (file?.isFile() && file.mtime < before) yield name.replace(/\.part$/, '');
    }
  }

  private async ensure(): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
  }
}
