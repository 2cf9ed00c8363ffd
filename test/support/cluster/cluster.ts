import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { SandboxOptions, SandboxServer, startSandbox } from '../../../sandbox/src/sandbox-server';
import { ApiClient } from '../api-client';
import { testEnvironment } from '../environment';
import { ServiceProcess } from '../service-process';
import { TestUser } from '../test-user';
import { waitFor } from '../wait';
import { OwnPostgres } from './own-postgres';
import { OwnRedis } from './own-redis';
import { LogLine, ProcessLog } from './process-log';
import { SpreadClient } from './spread-client';

const CRONS_ON_SIGNAL = join(__dirname, 'crons-on-signal.cjs');
/** Four that start at once on two cores. */
const READY_MS = 150_000;
const PASSWORD = 'correct horse battery staple';

export type MemberName = 'api1' | 'api2' | 'worker1' | 'worker2';
export const API: readonly MemberName[] = ['api1', 'api2'];
export const WORKERS: readonly MemberName[] = ['worker1', 'worker2'];

export interface ClusterOptions {
  readonly env?: Record<string, string>;
  readonly sandbox?: SandboxOptions;
  /** `real`: with the service's own timings. */
  readonly leases?: 'short' | 'real';
}

/**
 * Two processes that answer and two that work, of the built service, over one PostgreSQL, one Redis and one archive
 * directory, all of them its own: each can be stopped, killed and started again.
 */
export class Cluster {
  private readonly members = new Map<MemberName, ServiceProcess>();
  private readonly logs = new Map<MemberName, ProcessLog>();
  private readonly pool: Pool;
  private users = 0;

  private constructor(
    private readonly directory: string,
    readonly postgres: OwnPostgres,
    readonly redis: OwnRedis,
    readonly sandbox: SandboxServer,
    readonly env: Readonly<Record<string, string>>,
    private readonly leases: 'short' | 'real',
  ) {
    this.pool = new Pool({ connectionString: postgres.url, max: 2 });
    // Connections that wait in the pool break with the server.
    this.pool.on('error', () => undefined);
  }

  /** Everything is ready: all four have started at once over an empty database. */
  static async start(options: ClusterOptions = {}): Promise<Cluster> {
    const directory = mkdtempSync(join(tmpdir(), 'mailroom-cluster-'));
    // PostgreSQL runs as another user when the tests run as root.
    chmodSync(directory, 0o711);
    mkdirSync(join(directory, 'data'));
    const [postgres, redis, sandbox] = await Promise.all([
      OwnPostgres.create(directory),
      OwnRedis.create(directory),
      startSandbox({ messages: 1, ...options.sandbox }),
    ]);
    const env = {
      ...testEnvironment(postgres.url, sandbox, join(directory, 'data')),
      REDIS_URL: redis.url,
      APP_URL: 'http://mailroom.test',
      LOG_LEVEL: 'info',
      WORKER_THREADS: '1',
      NODE_OPTIONS: `--require ${CRONS_ON_SIGNAL}`,
      ...options.env,
    };
    const cluster = new Cluster(directory, postgres, redis, sandbox, env, options.leases ?? 'short');
    const starting = [...API, ...WORKERS].map((name) => cluster.startMember(name));
    try {
      await Promise.all(starting);
      return cluster;
    } catch (error) {
      await Promise.allSettled(starting);
      await cluster.stop();
      throw error;
    }
  }

  get archiveDir(): string {
    return this.env['ARCHIVE_DIR']!;
  }

  get dataDir(): string {
    return this.env['DATA_DIR']!;
  }

  member(name: MemberName): ServiceProcess {
    return this.members.get(name)!;
  }

  /** Starts one that does not run. Resolves when it is ready. */
  async startMember(name: MemberName): Promise<void> {
    const log = this.logs.get(name) ?? ProcessLog.open(join(this.directory, `${name}.log`));
    this.logs.set(name, log);
    const env = { ...this.env, ROLE: API.includes(name) ? 'api' : 'worker' };
    this.members.set(name, await ServiceProcess.start(env, log.descriptor, this.leases, READY_MS));
  }

  /** SIGKILL. */
  async kill(name: MemberName): Promise<void> {
    await this.member(name).kill();
  }

  /** Addresses of the processes that answer, as far as they run. */
  readonly apiUrls = (): string[] => {
    const running = API.map((name) => this.members.get(name)).filter((member) => member?.running);
    return running.map((member) => member!.url);
  };

  /** A client of one process, with the token of a user if there is one. */
  at(name: MemberName, user?: TestUser): ApiClient {
    return new ApiClient(this.member(name).url, user?.api.token ?? null);
  }

  /** Registers a user whose requests go to one process after the other. */
  async user(name = 'user', clientOf = (token: string): ApiClient => this.client(token)): Promise<TestUser> {
    const email = `${name}-${(this.users += 1)}@users.test`;
    const answer = await this.client(null).post('/api/auth/register', { email, password: PASSWORD });
    if (answer.status !== 201)
      throw new Error(`register answered ${answer.status}: ${answer.bytes.toString()}`);
    return new TestUser(answer.body.user.id as string, email, PASSWORD, clientOf(answer.body.access_token));
  }

  client(token: string | null): SpreadClient {
    return new SpreadClient(this.apiUrls, token);
  }

  /** Rows of a statement; asks again while the database is away. */
  async query<T = any>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    return waitFor('the database to answer', async () =>
      this.pool.query(sql, [...parameters]).then(
        ({ rows }) => rows as T[],
        (error: { code?: string }) => {
          // A statement that is wrong stays wrong.
          if (/^(22|23|42)/.test(error.code ?? '')) throw error;
          return undefined;
        },
      ),
    );
  }

  /** Waits until every process says that it is ready. */
  async ready(): Promise<void> {
    await Promise.all(
      [...this.members].map(([name, member]) =>
        waitFor(`${name} to be ready`, () =>
          fetch(`${member.url}/health/ready`).then(
            ({ ok }) => ok,
            () => false,
          ),
        ),
      ),
    );
  }

  /** All schedules of all processes strike, at the same moment. */
  strikeCrons(): void {
    for (const member of this.members.values()) if (member.running) member.signal('SIGUSR2');
  }

  /** A number of the process's `/metrics`, over all labels that contain `labels`. */
  async metric(name: MemberName, metric: string, labels = ''): Promise<number> {
    const text = await (await fetch(`${this.member(name).url}/metrics`)).text();
    return text
      .split('\n')
      .filter((line) => line.startsWith(metric) && line.includes(labels))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  /** Lines of the logs with one of the levels, by the process that wrote them. */
  logged(...levels: readonly string[]): (LogLine & { by: MemberName })[] {
    return [...this.logs].flatMap(([by, log]) => log.lines(...levels).map((line) => ({ by, ...line })));
  }

  async stop(): Promise<void> {
    for (const member of this.members.values()) if (member.running) member.signal('SIGCONT');
    await Promise.all([...this.members.values()].map((member) => member.stop()));
    await this.pool.end();
    for (const log of this.logs.values()) log.close();
    await Promise.all([this.postgres.stop(), this.redis.kill(), this.sandbox.close()]);
    rmSync(this.directory, { recursive: true, force: true });
  }
}
