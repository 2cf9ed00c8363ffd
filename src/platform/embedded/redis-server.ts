import { chown, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChildServer, findFreePort, findProgram } from './child-server';
import type { EmbeddedCredentials } from './credentials';
import { EmbeddedServiceUnavailable } from './embedded.errors';
import { awaitLeftover, isServing, readPidFile } from './leftover-process';
import { makeOwnFolder } from './server-home';
import type { FoundServer, RunningServer, ServerStart } from './server-home';

const POLL_MS = 10;
/** Loading a large append-only file takes its time. */
const READY_TIMEOUT_MS = 120_000;
const RETRY_TIMEOUT_MS = 15_000;
const STOP_PATIENCE_MS = 10_000;
const REPLY_TIMEOUT_MS = 2_000;

/** Starts the private Redis; its append-only file lies in the folder `redis` of the servers' home. */
export async function startRedis(start: ServerStart): Promise<RunningServer> {
  const { home, credentials, log } = start;
  const program = findProgram('redis-server');
  if (!program) {
    throw new EmbeddedServiceUnavailable(
      'redis-server was not found: install it with `apt-get install redis-server` or set REDIS_URL.',
    );
  }
  const { folder, pidFile } = filesIn(home.directory);
  await makeOwnFolder(folder, home);
  const previous = await readPidFile(pidFile);
  if (previous !== null) {
    const steps = [
      { afterMs: 3_000, signal: 'SIGTERM' as const },
      { afterMs: 15_000, signal: 'SIGKILL' as const },
    ];
    await awaitLeftover(previous, folder, steps, 20_000);
    await rm(pidFile, { force: true });
  }
  const { server, port } = await launch(start, program, folder, pidFile);
  server.onUnexpectedExit((reason) => log(`Redis ended unexpectedly (${reason}): see ${server.logFile}`));
  log(`Redis is ready on 127.0.0.1:${port}`);
  return {
    url: urlOf(port, credentials),
    stop: () => server.stop('SIGTERM', 'SIGKILL', STOP_PATIENCE_MS),
  };
}

/** The Redis that another process runs in `home`, if one does. */
export async function findRunningRedis(home: string): Promise<FoundServer | null> {
  const { folder, pidFile, configuration } = filesIn(home);
  const pid = await readPidFile(pidFile);
  if (pid === null || !(await isServing(pid, folder))) return null;
  const port = Number(/^port (\d+)$/m.exec(await readFile(configuration, 'utf8'))?.[1]);
  return port > 0 ? { url: (credentials) => urlOf(port, credentials) } : null;
}

function urlOf(port: number, credentials: EmbeddedCredentials): string {
  return `redis://:${credentials.redis}@127.0.0.1:${port}/0`;
}

function filesIn(home: string): { folder: string; pidFile: string; configuration: string } {
  const folder = join(home, 'redis');
  return { folder, pidFile: join(folder, 'redis.pid'), configuration: join(folder, 'redis.conf') };
}

async function launch(
  { home, credentials, durable, onLaunched }: ServerStart,
  program: string,
  folder: string,
  pidFile: string,
): Promise<{ server: ChildServer; port: number }> {
  const giveUpAt = Date.now() + RETRY_TIMEOUT_MS;
  const { configuration } = filesIn(home.directory);
  for (;;) {
    const port = await findFreePort();
    // The password is in a file, because command lines are readable to every user of the machine.
    const text = redisConfiguration({ port, folder, pidFile, password: credentials.redis, durable });
    await writeFile(configuration, text, { mode: 0o600 });
    if (home.account.switched) await chown(configuration, home.account.uid, home.account.gid);
    const server = await ChildServer.spawn(
      { program, args: [configuration], account: home.account, deathSignal: 'TERM' },
      join(home.directory, 'redis.log'),
    );
    onLaunched();
    if (await becomesReady(server, port, credentials.redis)) return { server, port };
    const tail = await server.logTail();
    if (!/Address already in use/.test(tail) || Date.now() > giveUpAt) {
      throw new EmbeddedServiceUnavailable(`Redis did not start (${server.exitReason}): ${tail}`);
    }
  }
}

/** The configuration file of the private Redis. */
export function redisConfiguration(options: {
  port: number;
  folder: string;
  pidFile: string;
  password: string;
  durable: boolean;
}): string {
  const quote = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`;
  return [
    'bind 127.0.0.1',
    `port ${options.port}`,
    'tcp-backlog 128',
    `requirepass ${options.password}`,
    `dir ${quote(options.folder)}`,
    `pidfile ${quote(options.pidFile)}`,
    'daemonize no',
    // Keeps the original command line, by which the next start recognises a server left over.
    'set-proc-title no',
    'save ""',
    'appendonly yes',
    `appendfsync ${options.durable ? 'everysec' : 'no'}`,
    // Queues must never lose a key to eviction.
    'maxmemory-policy noeviction',
    'loglevel notice',
    '',
  ].join('\n');
}

/** True once the server has loaded its data and answers, false when it has ended. */
async function becomesReady(server: ChildServer, port: number, password: string): Promise<boolean> {
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  while (server.exitReason === null) {
    if (await ping(port, password)) return true;
    if (Date.now() > giveUpAt) {
      await server.stop('SIGTERM', 'SIGKILL', STOP_PATIENCE_MS);
      throw new EmbeddedServiceUnavailable(`Redis was not ready in time: see ${server.logFile}`);
    }
    await sleep(POLL_MS);
  }
  return false;
}

function ping(port: number, password: string): Promise<boolean> {
  return new Promise((resolve) => {
    let reply = '';
    const socket = connect({ host: '127.0.0.1', port });
    socket.setTimeout(REPLY_TIMEOUT_MS, () => socket.destroy());
    socket.on('connect', () => socket.write(`AUTH ${password}\r\nPING\r\n`));
    socket.on('data', (chunk) => {
      reply += chunk.toString('latin1');
      if (reply.split('\r\n').length > 2) socket.destroy();
    });
    // A refused connection only means "not yet"; the close that follows settles the answer.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(reply.startsWith('+OK\r\n+PONG')));
  });
}
