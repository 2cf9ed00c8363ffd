import { createHash } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { headerDateOf } from '../mime/message-facts';
import type { Mailbox } from './mailbox';

/** Ids of folder messages begin with 17: they collide neither with generated nor with new ones. */
const ID_PREFIX = '17';

/**
 * Adds each `*.eml` below the folder to the inbox, byte for byte. Ids are made from path and content, so that they
 * are the same on every start. The internal date is the Date header's, else the file's.
 */
export async function addMailDir(mailbox: Mailbox, folder: string): Promise<number> {
  const paths = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.eml$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const path of paths) {
    const bytes = await readFile(path);
    const internalDate = headerDateOf(bytes) ?? (await stat(path)).mtimeMs;
    const hash = createHash('sha256').update(relative(folder, path)).update('\0').update(bytes).digest('hex');
    mailbox.add(
      {
        source: { bytes, path },
        labelIds: ['INBOX'],
        internalDate: Math.floor(Math.max(0, internalDate)),
        id: ID_PREFIX + hash.slice(0, 14),
      },
      true,
    );
  }
  return paths.length;
}
