import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { loadCredentials } from '../../embedded/credentials';
import { hasErrorCode } from '../../embedded/error-code';
import { isServing } from '../../embedded/leftover-process';
import { clusterFolder } from '../../embedded/postgres-cluster';

export interface RunningServices {
  /** null: not running. */
  readonly databaseUrl: string | null;
  /** null: not running. */
  readonly redisUrl: string | null;
}

/**
 * Finds the private PostgreSQL and Redis that a running quick start keeps in its data directory, by the files the
 * servers themselves write: `postmaster.pid` (line 1 is the process, line 4 the port) and `redis.conf`.
 */
export async function findRunningServices(dataDir: string): Promise<RunningServices> {
  const base = join(await resolved(dataDir), 'embedded');
  const home = await homeOf(base);
  const cluster = clusterFolder(home);
  const redisFolder = join(home, 'redis');
  const [postmaster, redisPid, redisConfiguration] = await Promise.all([
    textOf(join(cluster, 'postmaster.pid')),
    textOf(join(redisFolder, 'redis.pid')),
    textOf(join(redisFolder, 'redis.conf')),
  ]);
  const [postgresPid, , , postgresPort] = postmaster.split('\n');
  const redisPort = /^port (\d+)$/m.exec(redisConfiguration)?.[1];
  const postgresRuns = await serves(postgresPid, cluster);
  const redisRuns = await serves(redisPid, redisFolder);
  if (!postgresRuns && !redisRuns) return { databaseUrl: null, redisUrl: null };
  const credentials = await loadCredentials(base);
  return {
    databaseUrl:
      postgresRuns && postgresPort
        ? `postgresql://mailroom:${credentials.postgres}@127.0.0.1:${postgresPort.trim()}/mailroom`
        : null,
    redisUrl: redisRuns && redisPort ? `redis://:${credentials.redis}@127.0.0.1:${redisPort}/0` : null,
  };
}

/** The servers' data lies elsewhere when their account cannot reach the data directory. */
async function homeOf(base: string): Promise<string> {
  const location = await textOf(join(base, 'location.json'));
  return location === '' ? base : (JSON.parse(location) as { directory: string }).directory;
}

async function serves(pid: string | undefined, folder: string): Promise<boolean> {
  const number = Number.parseInt(pid ?? '', 10);
  return number > 0 && isServing(number, folder);
}

/** Empty when there is no such file. */
async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return '';
    throw error;
  }
}

async function resolved(dataDir: string): Promise<string> {
  try {
    return await realpath(dataDir);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return dataDir;
    throw error;
  }
}
