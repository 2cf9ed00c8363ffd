import { chmod, mkdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { loadCredentials } from './credentials';
import { lockDirectory } from './directory-lock';
import { EmbeddedServiceUnavailable, hasErrorCode } from './embedded.errors';
import { findRunningPostgres, startPostgres } from './postgres-server';
import { findRunningRedis, startRedis } from './redis-server';
import { PRIVATE_FOLDER, recordedHome, prepareServerHome } from './server-home';
import type { RunningServer, ServerStart } from './server-home';

export interface EmbeddedServicesOptions {
  /** Folder for all data; the servers keep theirs in its folder `embedded`. Created when missing. */
  dataDir: string;
  postgres: boolean;
  redis: boolean;
  /** False gives up crash safety for speed (tests). */
  durable?: boolean;
  /** Receives progress, one sentence a call. */
  log?: (line: string) => void;
  /** Called when the processes of all wanted servers run; they are not ready yet. */
  onLaunched?: () => void;
}

export interface EmbeddedServices {
  /** Connection string of the database `mailroom`; empty when PostgreSQL was not asked for. */
  databaseUrl: string;
  /** Connection string of the private Redis; empty when Redis was not asked for. */
  redisUrl: string;
  /** Stops the servers in order and frees the data directory; safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts a private PostgreSQL and Redis on loopback ports as children of this process. They end with it,
 * by `stop()` or, when it is killed, by the kernel's parent-death signal.
 *
 * @throws EmbeddedServiceUnavailable with one sentence on what is missing or in the way
 */
export async function startEmbeddedServices(options: EmbeddedServicesOptions): Promise<EmbeddedServices> {
  try {
    return await start(options);
  } catch (error) {
    const closed = ['EACCES', 'EPERM', 'EROFS'].some((code) => hasErrorCode(error, code));
    if (!closed) throw error;
    throw new EmbeddedServiceUnavailable(
      `The data directory ${resolve(options.dataDir)} cannot be used by user id ${process.getuid?.()} (${String(error)}): give it to that user or set DATA_DIR to another directory.`,
    );
  }
}

async function start(options: EmbeddedServicesOptions): Promise<EmbeddedServices> {
  if (process.platform !== 'linux') {
    throw new EmbeddedServiceUnavailable(
      'The built-in PostgreSQL and Redis need Linux: set DATABASE_URL and REDIS_URL to servers of your own.',
    );
  }
  const log = options.log ?? (() => undefined);
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const privateFolder = join(await realpath(dataDir), PRIVATE_FOLDER);
  await mkdir(privateFolder, { recursive: true });
  await chmod(privateFolder, 0o711);
  const lock = await lockDirectory(privateFolder, dataDir);
  const running: RunningServer[] = [];
  try {
    const pending = new Set<typeof startPostgres>();
    if (options.postgres) pending.add(startPostgres);
    if (options.redis) pending.add(startRedis);
    const serverStart: Omit<ServerStart, 'onLaunched'> = {
      home: await prepareServerHome(privateFolder, log),
      privateFolder,
      credentials: await loadCredentials(privateFolder),
      durable: options.durable ?? true,
      log,
    };
    const launch = async (wanted: boolean, starter: (start: ServerStart) => Promise<RunningServer>) => {
      if (!wanted) return '';
      const onLaunched = (): void => {
        if (pending.delete(starter) && pending.size === 0) options.onLaunched?.();
      };
      const server = await starter({ ...serverStart, onLaunched });
      running.push(server);
      return server.url;
    };
    const [database, redis] = await Promise.allSettled([
      launch(options.postgres, startPostgres),
      launch(options.redis, startRedis),
    ]);
    if (database.status === 'rejected') throw database.reason;
    if (redis.status === 'rejected') throw redis.reason;
    let stopped: Promise<void> | undefined;
    const stop = (): Promise<void> => (stopped ??= stopAll(running).finally(() => lock.release()));
    return { databaseUrl: database.value, redisUrl: redis.value, stop };
  } catch (error) {
    await stopAll(running);
    await lock.release();
    throw error;
  }
}

async function stopAll(servers: RunningServer[]): Promise<void> {
  const results = await Promise.allSettled(servers.map((server) => server.stop()));
  for (const result of results) {
    if (result.status === 'rejected') throw result.reason;
  }
}

export interface RunningEmbeddedServices {
  /** Connection string of the database `mailroom`; null: not running. */
  readonly databaseUrl: string | null;
  /** Connection string of the private Redis; null: not running. */
  readonly redisUrl: string | null;
}

/** Finds the private PostgreSQL and Redis that another process has started in its data directory, if it has. */
export async function findEmbeddedServices(dataDir: string): Promise<RunningEmbeddedServices> {
  const base = await privateFolderOf(dataDir);
  if (base === null) return { databaseUrl: null, redisUrl: null };
  const home = (await recordedHome(base)) ?? base;
  const [postgres, redis] = await Promise.all([findRunningPostgres(home), findRunningRedis(home)]);
  if (!postgres && !redis) return { databaseUrl: null, redisUrl: null };
  const credentials = await loadCredentials(base);
  return {
    databaseUrl: postgres?.url(credentials) ?? null,
    redisUrl: redis?.url(credentials) ?? null,
  };
}

/** null before the first start. */
async function privateFolderOf(dataDir: string): Promise<string | null> {
  try {
    return await realpath(join(dataDir, PRIVATE_FOLDER));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}
