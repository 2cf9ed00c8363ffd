import { Injectable } from '@nestjs/common';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppConfig } from '../../platform/config/app-config';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The folders of the local archive, one per user. Links are not followed: their targets are not Mailroom's. */
@Injectable()
export class ArchiveFolders {
  constructor(private readonly config: AppConfig) {}

  /** Ids of the users who have a folder, in order. */
  async listUserIds(): Promise<string[]> {
    const entries = await readdir(this.config.storage.archiveDir, { withFileTypes: true }).catch(
      recoverIfAbsent([]),
    );
    return entries
      .filter((entry) => entry.isDirectory() && UUID.test(entry.name))
      .map(({ name }) => name)
      .sort();
  }

  /** Whether any user has a folder, or a link to one. */
  async hasAny(): Promise<boolean> {
    const names = await readdir(this.config.storage.archiveDir).catch(recoverIfAbsent<string[]>([]));
    return names.some((name) => UUID.test(name));
  }

  /** Whether the user has a folder that is not a link. */
  async isFolder(userId: string): Promise<boolean> {
    const facts = await lstat(join(this.config.storage.archiveDir, userId)).catch(recoverIfAbsent(null));
    return facts?.isDirectory() ?? false;
  }
}

const recoverIfAbsent =
  <T>(value: T) =>
  (error: unknown): T => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return value;
    throw error;
  };
