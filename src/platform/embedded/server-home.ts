import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runAs } from './child-server';
import type { EmbeddedCredentials } from './credentials';
import { EmbeddedServiceUnavailable, hasErrorCode } from './embedded.errors';
import { chooseServiceAccount, type ServiceAccount } from './service-account';

/** Folder of the servers in a data directory; it holds their files, or the location of their files. */
export const PRIVATE_FOLDER = 'embedded';

const SYSTEM_HOME = '/var/lib/mailroom';
const LOCATION_FILE = 'location.json';
const ORIGIN_FILE = 'data-directory';
const PROBE_TIMEOUT_MS = 10_000;

/** The folder with the servers' files, and the user they run as. */
export interface ServerHome {
  directory: string;
  account: ServiceAccount;
}

/**
 * Settles where the servers' data lies: in `base`, a folder of the data directory. PostgreSQL cannot run as
 * root, so under root another user must be able to reach that place. A data directory that is closed to
 * all others is opened for that user's group alone; when a folder above it is closed (such as /root),
 * the data goes to /var/lib/mailroom and `base` records where.
 */
export async function prepareServerHome(base: string, log: (line: string) => void): Promise<ServerHome> {
  const recorded = await recordedHome(base);
  const directory = recorded ?? base;
  const owner = await ownerOf(join(directory, 'postgres'));
  const account = await chooseServiceAccount(owner);
  if (!account.switched) {
    if (owner !== null && owner !== account.uid) {
      throw new EmbeddedServiceUnavailable(
        `The database in ${directory} belongs to user id ${owner}: start Mailroom as that user or as root, or set DATA_DIR to another directory.`,
      );
    }
    return { directory, account };
  }
  if (recorded !== null || (await canReach(base, account))) return { directory, account };
  const dataDir = dirname(base);
  if (await openForGroup(dataDir, account)) {
    if (await canReach(base, account)) return { directory: base, account };
  }
  if (owner !== null) {
    throw new EmbeddedServiceUnavailable(
      `The database in ${base} cannot be reached by user id ${account.uid}, which it runs as: allow passing through the folders above it with \`chmod o+x\`.`,
    );
  }
  return { directory: await prepareSystemHome(base, dataDir, log), account };
}

/** Creates a folder that only the servers' account can open. */
export async function makeOwnFolder(folder: string, { account }: ServerHome): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
  if (account.switched) await chown(folder, account.uid, account.gid);
}

/** The folder the servers' data lies in when it is not `base` itself. */
export async function recordedHome(base: string): Promise<string | null> {
  const file = join(base, LOCATION_FILE);
  let directory: unknown;
  try {
    directory = (JSON.parse(await readFile(file, 'utf8')) as { directory?: unknown }).directory;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
  if (typeof directory !== 'string' || (await ownerOf(directory)) === null) {
    throw new EmbeddedServiceUnavailable(
      `The database folder named in ${file} is missing: restore it, or delete that file to begin with an empty database.`,
    );
  }
  return directory;
}

async function ownerOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).uid;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** True when the account may pass through every folder down to `directory` (asked of the kernel itself). */
async function canReach(directory: string, account: ServiceAccount): Promise<boolean> {
  const command = {
    program: '/usr/bin/test',
    args: ['-x', directory],
    account,
    deathSignal: 'KILL' as const,
  };
  return runAs(command, PROBE_TIMEOUT_MS).then(
    () => true,
    (error: unknown) => {
      if (error instanceof EmbeddedServiceUnavailable) throw error;
      return false;
    },
  );
}

async function openForGroup(dataDir: string, account: ServiceAccount): Promise<boolean> {
  const { uid, mode } = await stat(dataDir);
  if (uid !== 0 || (mode & 0o077) !== 0) return false;
  await chown(dataDir, 0, account.gid);
  await chmod(dataDir, 0o710);
  return true;
}

async function prepareSystemHome(
  base: string,
  dataDir: string,
  log: (line: string) => void,
): Promise<string> {
  const directory = join(SYSTEM_HOME, randomBytes(8).toString('hex'));
  await mkdir(directory, { recursive: true });
  await chmod(SYSTEM_HOME, 0o711);
  await chmod(directory, 0o711);
  for (const earlier of await earlierHomes(dataDir)) {
    log(`An earlier database of ${dataDir} is left in ${earlier}: delete it if you do not need it.`);
  }
  await writeFile(join(directory, ORIGIN_FILE), `${dataDir}\n`, { mode: 0o600 });
  const location = JSON.stringify({ directory }, null, 2);
  await writeFile(join(base, LOCATION_FILE), `${location}\n`, { mode: 0o600, flush: true });
  log(
    `A folder above ${dataDir} is closed to other users and PostgreSQL does not run as root: its data is kept in ${directory}.`,
  );
  return directory;
}

async function earlierHomes(dataDir: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(SYSTEM_HOME)) {
    const home = join(SYSTEM_HOME, name);
    try {
      const origin = await readFile(join(home, ORIGIN_FILE), 'utf8');
      if (origin.trim() === dataDir) found.push(home);
    } catch (error) {
      if (!hasErrorCode(error, 'ENOENT') && !hasErrorCode(error, 'ENOTDIR')) throw error;
    }
  }
  return found;
}

/** The settings that a private server needs to start. */
export interface ServerStart {
  home: ServerHome;
  /** Folder under the data directory that this process owns. */
  privateFolder: string;
  credentials: EmbeddedCredentials;
  durable: boolean;
  log: (line: string) => void;
  /** Called each time that the server's process has been started. */
  onLaunched: () => void;
}

export interface RunningServer {
  url: string;
  stop(): Promise<void>;
}

/** A server that another process has started. */
export interface FoundServer {
  /** Connection string. */
  url(credentials: EmbeddedCredentials): string;
}
