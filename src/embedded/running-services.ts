import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { loadCredentials } from './credentials';
import { hasErrorCode } from './error-code';
import { runningPostgres } from './postgres/postgres-server';
import { runningRedis } from './redis/redis-server';
import { PRIVATE_FOLDER, recordedHome } from './processes/server-home';

export interface RunningEmbeddedServices {
  /** Connection string of the database `mailroom`; null: not running. */
  readonly databaseUrl: string | null;
  /** Connection string of the private Redis; null: not running. */
  readonly redisUrl: string | null;
}

/** Finds the private PostgreSQL and Redis that another process has started in its data directory, if it has. */
export async function runningEmbeddedServices(dataDir: string): Promise<RunningEmbeddedServices> {
  const base = await privateFolderOf(dataDir);
  if (base === null) return { databaseUrl: null, redisUrl: null };
  const home = (await recordedHome(base)) ?? base;
  const [postgres, redis] = await Promise.all([runningPostgres(home), runningRedis(home)]);
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
