import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Bits of `flags` in `/proc/<pid>/fdinfo/<n>`, octal, that say how a file is open (O_ACCMODE). */
const ACCESS_MODE = 0o3;

/**
 * Whether a program has a file open for writing: the file of this path, or one in the folder of this path. Known on Linux, of
 * programs whose files the service may see: those of its own user in its own container. Otherwise false.
 */
export async function isOpenForWriting(path: string): Promise<boolean> {
  for (const pid of (await namesIn('/proc')).filter((name) => /^\d+$/.test(name))) {
    const handles = join('/proc', pid, 'fd');
    for (const handle of await namesIn(handles)) {
      const target = await readlink(join(handles, handle)).catch(() => null);
      if (target !== path && !target?.startsWith(`${path}/`)) continue;
      const info = await readFile(join('/proc', pid, 'fdinfo', handle), 'utf8').catch(() => '');
      const flags = /^flags:\s*([0-7]+)/m.exec(info)?.[1];
      if (flags !== undefined && (parseInt(flags, 8) & ACCESS_MODE) !== 0) return true;
    }
  }
  return false;
}

/** Programs end while they are looked at, and those of other users are closed: both have nothing to say. */
const namesIn = (path: string): Promise<string[]> => readdir(path).catch(() => []);
