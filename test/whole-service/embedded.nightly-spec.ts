import Redis from 'ioredis';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import {
  type EmbeddedServices,
  findEmbeddedServices,
  startEmbeddedServices,
} from '../../src/platform/embedded/embedded-services';
import { spawnBound } from '../support/run/bound-process';

interface Urls {
  databaseUrl: string;
  redisUrl: string;
}

const REPOSITORY = resolve(__dirname, '../..');

/** A process of its own that starts the servers, prints their URLs as JSON and then waits to be killed. */
const HOLDER = `
  const { readFileSync } = require('node:fs');
  const ts = require('typescript');
  require.extensions['.ts'] = (module, file) =>
    module._compile(
      ts.transpileModule(readFileSync(file, 'utf8'), {
        fileName: file,
        compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true },
      }).outputText,
      file,
    );
  const { startEmbeddedServices } = require(${JSON.stringify(join(REPOSITORY, 'src/platform/embedded/embedded-services.ts'))});
  startEmbeddedServices({ dataDir: process.argv[1], postgres: true, redis: true, durable: true }).then(
    (services) => {
      process.stdout.write(JSON.stringify({ databaseUrl: services.databaseUrl, redisUrl: services.redisUrl }) + '\\n');
      setInterval(() => undefined, 1000);
    },
    (error) => { console.error(error); process.exit(1); },
  );
`;

// Every test creates a cluster of its own, which takes seconds on a busy machine.
jest.setTimeout(60_000);

describe('embedded PostgreSQL and Redis', () => {
  let directory: string;
  let running: EmbeddedServices[];
  let holders: ChildProcess[];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'mailroom-embedded-'));
    await chmod(directory, 0o711);
    running = [];
    holders = [];
  });

  afterEach(async () => {
    for (const holder of holders) {
      holder.kill('SIGKILL');
      if (holder.exitCode === null && holder.signalCode === null) await once(holder, 'exit');
    }
    for (const services of running) await services.stop();
    await waitUntil('no server process is left', async () => (await serverPids(directory)).length === 0);
    await rm(directory, { recursive: true, force: true });
  });

  async function start(dataDir = join(directory, 'data')): Promise<EmbeddedServices> {
    const services = await startEmbeddedServices({ dataDir, postgres: true, redis: true, durable: false });
    running.push(services);
    return services;
  }

  async function startHolder(): Promise<{ holder: ChildProcess; urls: Urls }> {
    const holder = spawnBound(process.execPath, ['-e', HOLDER, join(directory, 'data')], {
      cwd: REPOSITORY,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    holders.push(holder);
    if (!holder.stdout) throw new Error('The holder has no standard output.');
    for await (const line of createInterface({ input: holder.stdout })) {
      return { holder, urls: JSON.parse(line) as Urls };
    }
    throw new Error('The holder ended before its servers were up.');
  }

  it('should keep rows and keys when stopped and started again', async () => {
    const first = await start();
    await query(first.databaseUrl, 'CREATE TABLE kept (value text); INSERT INTO kept VALUES ($$été$$)');
    await withRedis(first.redisUrl, (redis) => redis.set('kept', 'yes'));
    await first.stop();

    const second = await start();
    expect(await query(second.databaseUrl, 'SELECT value FROM kept')).toEqual([{ value: 'été' }]);
    expect(await withRedis(second.redisUrl, (redis) => redis.get('kept'))).toBe('yes');
  });

  it('should be found by other commands only while they run', async () => {
    const dataDir = join(directory, 'data');
    const nothing = { databaseUrl: null, redisUrl: null };
    expect(await findEmbeddedServices(dataDir)).toEqual(nothing);
    const { databaseUrl, redisUrl, stop } = await start();
    const found = await findEmbeddedServices(dataDir);
    expect(found).toEqual({ databaseUrl, redisUrl });
    expect(await query(found.databaseUrl!, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await stop();
    expect(await findEmbeddedServices(dataDir)).toEqual(nothing);
  });

  it('should fold the case of all letters, verify checksums and grant no superuser rights', async () => {
    const { databaseUrl } = await start();
    const [row] = await query(
      databaseUrl,
      `SELECT lower('ÉÑЖ') AS folded, current_setting('data_checksums') AS checksums,
              current_setting('server_encoding') AS encoding, rolsuper AS superuser
         FROM pg_roles WHERE rolname = current_user`,
    );
    expect(row).toEqual({ folded: 'éñж', checksums: 'on', encoding: 'UTF8', superuser: false });
    await query(
      databaseUrl,
      'CREATE EXTENSION pg_trgm; CREATE EXTENSION unaccent; CREATE EXTENSION btree_gin',
    );
  });

  it('should refuse connections without the password', async () => {
    const { databaseUrl, redisUrl } = await start();
    const wrong = new URL(databaseUrl);
    wrong.password = 'wrong';
    await expect(query(wrong.toString(), 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    const open = new URL(redisUrl);
    open.password = '';
    await expect(withRedis(open.toString(), (redis) => redis.get('kept'))).rejects.toThrow('NOAUTH');
  });

  it('should name the directory and the pid when another start holds it', async () => {
    await start();
    const dataDir = join(directory, 'data');
    await expect(start()).rejects.toThrow(
      `The data directory ${dataDir} is in use by another Mailroom process (pid ${process.pid})`,
    );
  });

  it('should leave no process behind and start again at once when its process was killed', async () => {
    const { holder, urls } = await startHolder();
    await query(urls.databaseUrl, 'CREATE TABLE kept AS SELECT 1 AS value');
    await withRedis(urls.redisUrl, (redis) => redis.set('kept', 'yes'));
    const orphans = await serverPids(directory);
    expect(orphans).toHaveLength(2);

    holder.kill('SIGKILL');
    const next = await start();

    expect(await query(next.databaseUrl, 'SELECT value FROM kept')).toEqual([{ value: 1 }]);
    expect(await withRedis(next.redisUrl, (redis) => redis.get('kept'))).toBe('yes');
    const alive = await serverPids(directory);
    expect(alive.filter((pid) => orphans.includes(pid))).toEqual([]);
    await next.stop();
    expect(await serverPids(directory)).toEqual([]);
  });

  it('should recover when the servers were killed together with their process', async () => {
    const { holder, urls } = await startHolder();
    await query(urls.databaseUrl, 'CREATE TABLE kept AS SELECT 1 AS value');
    for (const pid of await serverPids(directory)) process.kill(pid, 'SIGKILL');
    holder.kill('SIGKILL');

    const next = await start();
    expect(await query(next.databaseUrl, 'SELECT value FROM kept')).toEqual([{ value: 1 }]);
  });

  it('should start when an unrelated process has the pid of a former server', async () => {
    await (await start()).stop();
    const pidFile = join(directory, 'data/embedded/postgres/postmaster.pid');
    await writeFile(pidFile, `${process.pid}\n${join(directory, 'data/embedded/postgres')}\n1\n5432\n`);
    const { databaseUrl } = await start();
    expect(await query(databaseUrl, 'SELECT 1 AS value')).toEqual([{ value: 1 }]);
  });

  it('should keep its passwords and data inaccessible to other users', async () => {
    await start();
    for (const path of ['credentials.json', 'postgres', 'redis', 'redis/redis.conf', 'postgres.log']) {
      const { mode } = await stat(join(directory, 'data/embedded', path));
      expect([path, mode & 0o077]).toEqual([path, 0]);
    }
  });

  it('should start only the requested servers', async () => {
    const services = await startEmbeddedServices({
      dataDir: join(directory, 'data'),
      postgres: false,
      redis: true,
      durable: false,
    });
    running.push(services);
    expect(services.databaseUrl).toBe('');
    expect(await withRedis(services.redisUrl, (redis) => redis.ping())).toBe('PONG');
  });

  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot('should keep its data elsewhere and say so when a folder above is closed', async () => {
    const closed = join(directory, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const dataDir = join(closed, 'data');
    const lines: string[] = [];
    const first = await startEmbeddedServices({
      dataDir,
      postgres: true,
      redis: false,
      durable: false,
      log: (line) => lines.push(line),
    });
    running.push(first);
    const recorded = await readFile(join(dataDir, 'embedded/location.json'), 'utf8');
    const elsewhere = (JSON.parse(recorded) as { directory: string }).directory;
    try {
      expect(lines.join('\n')).toContain(`its data is kept in ${elsewhere}`);
      await query(first.databaseUrl, 'CREATE TABLE kept AS SELECT 1 AS value');
      await first.stop();
      const second = await start(dataDir);
      expect(await query(second.databaseUrl, 'SELECT value FROM kept')).toEqual([{ value: 1 }]);
      await second.stop();
    } finally {
      for (const services of running) await services.stop();
      await rm(elsewhere, { recursive: true, force: true });
    }
  });
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function withRedis<T>(url: string, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

/** Processes started on a folder below `directory`, this process's own helpers left out. */
async function serverPids(directory: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found: number[] = [];
  for (const pid of pids) {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const program = commandLine.split('\0')[0] ?? '';
    if (/(postgres|redis-server)$/.test(program) && commandLine.includes(`${directory}/`)) found.push(pid);
  }
  return found;
}

async function waitUntil(what: string, condition: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 10_000;
  while (!(await condition())) {
    if (Date.now() > giveUpAt) throw new Error(`Gave up waiting until ${what}.`);
    await sleep(20);
  }
}
