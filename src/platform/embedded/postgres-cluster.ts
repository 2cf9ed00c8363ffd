import { randomBytes } from 'node:crypto';
import { chown, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runAs } from './child-server';
import type { EmbeddedCredentials } from './credentials';
import { EmbeddedServiceUnavailable, hasErrorCode } from './embedded.errors';
import type { PostgresBinaries } from './postgres-binaries';
import { makeOwnFolder, type ServerHome } from './server-home';

const MIB = 1024 * 1024;

/**
 * Server settings for a small machine shared with the service itself.
 *
 * @param memoryBytes the machine's memory
 * @param durable false gives up crash safety for speed, and takes more connections (tests)
 */
export function postgresSettings(memoryBytes: number, durable: boolean): Record<string, string> {
  const memoryMib = memoryBytes / MIB;
  return {
    listen_addresses: '127.0.0.1',
    // Everything goes over the loopback port: no socket file whose path could be too long.
    unix_socket_directories: '',
    // The workers of a test run start services of several processes on one server.
    max_connections: durable ? '100' : '400',
    shared_buffers: memoryMib >= 3072 ? '256MB' : '128MB',
    effective_cache_size: `${Math.max(256, Math.floor(memoryMib / 2))}MB`,
    work_mem: '16MB',
    maintenance_work_mem: memoryMib >= 3072 ? '256MB' : '64MB',
    random_page_cost: '1.1',
    jit: 'off',
    // No replica ever follows this server: less to write.
    wal_level: 'minimal',
    max_wal_senders: '0',
    wal_compression: 'on',
    max_wal_size: '2GB',
    checkpoint_timeout: '10min',
    fsync: durable ? 'on' : 'off',
    synchronous_commit: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    log_timezone: 'UTC',
    timezone: 'UTC',
    log_min_messages: 'warning',
    // Statements carry users' addresses and subjects; they stay out of the log.
    log_min_error_statement: 'panic',
  };
}

export const SUPERUSER = 'postgres';

const CLUSTER = 'postgres';
const UNFINISHED_PREFIX = 'postgres.new-';
const INITDB_TIMEOUT_MS = 120_000;

/** The major version of the cluster in `home`, or null before the first run. */
export async function clusterMajor(home: string): Promise<number | null> {
  try {
    return Number.parseInt(await readFile(join(home, CLUSTER, 'PG_VERSION'), 'utf8'), 10);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

export function clusterFolder(home: string): string {
  return join(home, CLUSTER);
}

/**
 * Creates the cluster. It is made under another name and renamed when complete, so that an interrupted
 * first run leaves nothing that looks like a database.
 */
export async function createCluster(
  home: ServerHome,
  binaries: PostgresBinaries,
  credentials: EmbeddedCredentials,
  durable: boolean,
): Promise<void> {
  for (const name of await readdir(home.directory)) {
    if (name.startsWith(UNFINISHED_PREFIX)) {
      await rm(join(home.directory, name), { recursive: true, force: true });
    }
  }
  const unfinished = join(home.directory, `${UNFINISHED_PREFIX}${randomBytes(6).toString('hex')}`);
  const passwordFile = `${unfinished}.password`;
  await writeFile(passwordFile, credentials.postgresSuperuser, { mode: 0o600 });
  const work = `${unfinished}.work`;
  await makeOwnFolder(work, home);
  if (home.account.switched) await chown(passwordFile, home.account.uid, home.account.gid);
  try {
    // Code-point order is the same on every machine; the UTF-8 character types fold the case of all letters.
    await initdb(home, binaries, work, passwordFile, 'C.UTF-8', durable).catch(async (error: unknown) => {
      if (!(error instanceof Error && error.message.includes('invalid locale'))) throw error;
      await initdb(home, binaries, work, passwordFile, 'C', durable);
    });
    await rename(work, clusterFolder(home.directory));
  } catch (error) {
    await rm(work, { recursive: true, force: true });
    if (error instanceof EmbeddedServiceUnavailable || !(error instanceof Error)) throw error;
    throw new EmbeddedServiceUnavailable(
      `PostgreSQL could not create its database in ${home.directory}: ${error.message.split('\n').join(' ')}`,
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function initdb(
  home: ServerHome,
  binaries: PostgresBinaries,
  folder: string,
  passwordFile: string,
  locale: string,
  durable: boolean,
): Promise<void> {
  const args = [
    `--pgdata=${folder}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    `--locale=${locale}`,
    '--text-search-config=simple',
    '--data-checksums',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
  const program = join(binaries.bin, 'initdb');
  await runAs({ program, args, account: home.account, deathSignal: 'KILL' }, INITDB_TIMEOUT_MS);
}
