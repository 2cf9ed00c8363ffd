import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { ChildServer, findFreePort } from './child-server';
import type { EmbeddedCredentials } from './credentials';
import { EmbeddedServiceUnavailable, hasErrorCode } from './embedded.errors';
import { awaitLeftover, isServing, readPidFile, removeStalePidFile } from './leftover-process';
import { findPostgres, type PostgresBinaries } from './postgres-binaries';
import { clusterFolder, clusterMajor, createCluster, postgresSettings, SUPERUSER } from './postgres-cluster';
import type { FoundServer, RunningServer, ServerStart } from './server-home';

const DATABASE = 'mailroom';
const ROLE = 'mailroom';
const POLL_MS = 15;
/** Crash recovery replays at most `max_wal_size` of log. */
const READY_TIMEOUT_MS = 300_000;
const RETRY_TIMEOUT_MS = 15_000;
const STOP_PATIENCE_MS = 20_000;

/** Starts the private PostgreSQL, creating its cluster and the database `mailroom` on the first run. */
export async function startPostgres(start: ServerStart): Promise<RunningServer> {
  const { home, privateFolder, credentials, durable, log } = start;
  const major = await clusterMajor(home.directory);
  const binaries = await findPostgres(home.account, major, join(privateFolder, 'postgresql-binaries'));
  const cluster = clusterFolder(home.directory);
  if (major === null) {
    log(`Creating a PostgreSQL ${binaries.version} database in ${cluster}`);
    await createCluster(home, binaries, credentials, durable);
  } else {
    await awaitPrevious(cluster, log);
  }
  const { server, port } = await launch(start, binaries, cluster);
  try {
    await createDatabaseIfMissing(port, credentials);
  } catch (error) {
    await stopServer(server);
    throw error;
  }
  server.onUnexpectedExit((reason) =>
    log(`PostgreSQL ended unexpectedly (${reason}): see ${server.logFile}`),
  );
  log(`PostgreSQL ${binaries.version} is ready on 127.0.0.1:${port}`);
  return { url: urlOf(port, credentials), stop: () => stopServer(server) };
}

/** The PostgreSQL that another process runs in `home`, if one does. */
export async function findRunningPostgres(home: string): Promise<FoundServer | null> {
  const cluster = clusterFolder(home);
  const pidFile = pidFileOf(cluster);
  const pid = await readPidFile(pidFile);
  if (pid === null || !(await isServing(pid, cluster))) return null;
  // Line 4 is the port (miscadmin.h, LOCK_FILE_LINE_PORT); while the server starts it is not there yet.
  const port = Number.parseInt((await readFile(pidFile, 'utf8')).split('\n')[3] ?? '', 10);
  return port > 0 ? { url: (credentials) => urlOf(port, credentials) } : null;
}

function urlOf(port: number, credentials: EmbeddedCredentials): string {
  return `postgresql://${ROLE}:${credentials.postgres}@127.0.0.1:${port}/${DATABASE}`;
}

function pidFileOf(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

/** SIGINT is PostgreSQL's fast shutdown, SIGQUIT the immediate one that recovers on the next start. */
function stopServer(server: ChildServer): Promise<void> {
  return server.stop('SIGINT', 'SIGQUIT', STOP_PATIENCE_MS);
}

async function awaitPrevious(cluster: string, log: (line: string) => void): Promise<void> {
  const pidFile = pidFileOf(cluster);
  const pid = await readPidFile(pidFile);
  if (pid === null) return;
  log(`Waiting for the PostgreSQL of an earlier run (pid ${pid}) to end`);
  const steps = [
    { afterMs: 3_000, signal: 'SIGINT' as const },
    { afterMs: 15_000, signal: 'SIGQUIT' as const },
  ];
  await awaitLeftover(pid, cluster, steps, 30_000);
  await removeStalePidFile(pidFile);
}

async function launch(
  { home, credentials, durable, onLaunched }: ServerStart,
  binaries: PostgresBinaries,
  cluster: string,
): Promise<{ server: ChildServer; port: number }> {
  const giveUpAt = Date.now() + RETRY_TIMEOUT_MS;
  for (;;) {
    const port = await findFreePort();
    const settings = Object.entries(postgresSettings(totalmem(), durable));
    const server = await ChildServer.spawn(
      {
        program: join(binaries.bin, 'postgres'),
        args: [
          '-D',
          cluster,
          '-p',
          String(port),
          ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
        ],
        account: home.account,
        deathSignal: 'INT',
      },
      join(home.directory, 'postgres.log'),
    );
    onLaunched();
    try {
      if (await becomesReady(server, port, credentials.postgresSuperuser)) return { server, port };
    } catch (error) {
      await stopServer(server);
      throw error;
    }
    const tail = await server.logTail();
    // Taken port, or backends of a killed postmaster that have not noticed yet: both pass.
    const passing =
      /could not create any TCP\/IP sockets|pre-existing shared memory block|lock file .* already exists/;
    if (!passing.test(tail) || Date.now() > giveUpAt) {
      throw new EmbeddedServiceUnavailable(`PostgreSQL did not start (${server.exitReason}): ${tail}`);
    }
    await sleep(100);
  }
}

/** True once the server accepts connections, false when it has ended. */
async function becomesReady(server: ChildServer, port: number, password: string): Promise<boolean> {
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  while (server.exitReason === null) {
    if (await acceptsConnections(port, password)) return true;
    if (Date.now() > giveUpAt) {
      throw new EmbeddedServiceUnavailable(`PostgreSQL was not ready in time: see ${server.logFile}`);
    }
    await sleep(POLL_MS);
  }
  return false;
}

async function acceptsConnections(port: number, password: string): Promise<boolean> {
  const client = superuserClient(port, password);
  // A server that stops during the attempt is reported by this event as well as by connect().
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch (error) {
    if (hasErrorCode(error, '28P01')) {
      throw new EmbeddedServiceUnavailable(
        'The password in credentials.json is not that of the embedded database: restore the file that belongs to it.',
      );
    }
    const starting = ['ECONNREFUSED', 'ECONNRESET', '57P03'].some((code) => hasErrorCode(error, code));
    if (!starting) throw error;
    return false;
  }
}

function superuserClient(port: number, password: string): Client {
  return new Client({ host: '127.0.0.1', port, user: SUPERUSER, password, database: 'postgres' });
}

async function createDatabaseIfMissing(port: number, credentials: EmbeddedCredentials): Promise<void> {
  const client = superuserClient(port, credentials.postgresSuperuser);
  await client.connect();
  try {
    const { rowCount: roles } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [ROLE]);
    if (!roles) {
      // The service's role is no superuser: a flaw in the service's SQL must not reach the machine's files.
      await client.query(`CREATE ROLE ${ROLE} LOGIN CREATEDB PASSWORD '${credentials.postgres}'`);
    }
    const { rowCount: databases } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [
      DATABASE,
    ]);
    if (!databases) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${ROLE}`);
  } finally {
    await client.end();
  }
}
