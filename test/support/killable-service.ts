import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { SandboxOptions, SandboxServer, startSandbox } from '../../sandbox/src/sandbox-server';
import { ApiClient } from './api-client';
import { noteJobs } from './coverage';
import { createTestDatabase } from './database';
import { testEnvironment } from './environment';
import { ServiceProcess } from './service-process';
import { TestUser } from './test-user';

interface Options {
  readonly sandbox?: SandboxOptions;
  /** `real`: with the service's own leases. */
  readonly leases?: 'short' | 'real';
  /** On top of the environment of tests. */
  readonly environment?: Record<string, string>;
}

/**
 * The built service over a database, a folder and a provider of its own, which stay when it is killed: what it left
 * there is what the next process begins with.
 */
export class KillableService {
  private service!: ServiceProcess;
  private readonly clients: ApiClient[] = [];

  private constructor(
    readonly sandbox: SandboxServer,
    readonly dataDir: string,
    private readonly database: { url: string; drop: () => Promise<void> },
    private readonly tables: Client,
    private readonly environment: Record<string, string>,
    private readonly leases: 'short' | 'real',
  ) {}

  static async start({
    sandbox: options,
    leases = 'short',
    environment: more = {},
  }: Options = {}): Promise<KillableService> {
    const database = await createTestDatabase();
    const sandbox = await startSandbox({ messages: 1, ...options });
    const dataDir = mkdtempSync(join(tmpdir(), 'mailroom-killed-'));
    const environment = { ...testEnvironment(database.url, sandbox, dataDir), ...more };
    const tables = new Client({ connectionString: database.url });
    const killable = new KillableService(sandbox, dataDir, database, tables, environment, leases);
    try {
      await tables.connect();
      await killable.begin();
      return killable;
    } catch (error) {
      await killable.close();
      throw error;
    }
  }

  /** The address of the current process. */
  get url(): string {
    return this.service.url;
  }

  get databaseUrl(): string {
    return this.database.url;
  }

  /** Registers a user, whose requests go to the process that runs at the moment. */
  async user(name = 'killed'): Promise<TestUser> {
    const [email, password] = [`${name}@users.test`, randomBytes(12).toString('hex')];
    const client = new ApiClient(this.service.url, null);
    const { status, body, bytes } = await client.post('/api/auth/register', { email, password });
    if (status !== 201) throw new Error(`register answered ${status}: ${bytes.toString()}`);
    client.token = body.access_token as string;
    this.clients.push(client);
    return new TestUser(body.user.id as string, email, password, client);
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.service.kill();
  }

  /** Makes all its crons strike, if it was started with `crons-on-signal.cjs`. */
  strike(): void {
    this.service.signal('SIGUSR2');
  }

  /** SIGTERM. @returns the code it ended with */
  stop(): Promise<number | null> {
    return this.service.stop();
  }

  /** Starts it again over what is there, and waits until it is ready. */
  async begin(): Promise<void> {
    this.service = await ServiceProcess.start(this.environment, undefined, this.leases);
    for (const client of this.clients) client.baseUrl = this.service.url;
  }

  /** Rows of a statement, whether the service runs or not. */
  async query<T = any>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
    return (await this.tables.query(sql, [...parameters])).rows as T[];
  }

  async close(): Promise<void> {
    // It is killed, since it may be waiting for something that never comes.
    await this.service?.kill();
    await noteJobs((sql) => this.query(sql));
    await this.tables.end();
    await this.sandbox.close();
    await this.database.drop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
