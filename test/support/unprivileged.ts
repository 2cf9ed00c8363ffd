import { chownSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** The user `nobody`, whom the rights of files hold up. */
const NOBODY = 65_534;

/**
 * Runs work without the rights of root, which may read everything. Where tests do not run as root, there is nothing to do.
 * @param folders folders that the work writes to: they are given to the user it runs as
 */
export async function withoutRoot<T>(folders: readonly string[], work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  for (const folder of folders) {
    const path = realpathSync(folder);
    for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
      chownSync(join(entry.parentPath, entry.name), NOBODY, NOBODY);
    chownSync(path, NOBODY, NOBODY);
  }
  process.setegid!(NOBODY);
  process.seteuid!(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid!(0);
    process.setegid!(0);
  }
}
