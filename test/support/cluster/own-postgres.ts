import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { ChildServer, findFreePort } from '../../../src/platform/embedded/child-server';
import { EmbeddedCredentials, loadCredentials } from '../../../src/platform/embedded/credentials';
import { findPostgres, PostgresBinaries } from '../../../src/platform/embedded/postgres-binaries';
import {
  clusterFolder,
  createCluster,
  postgresSettings,
  SUPERUSER,
} from '../../../src/platform/embedded/postgres-cluster';
import { ServerHome, prepareServerHome } from '../../../src/platform/embedded/server-home';
import { waitFor } from '../wait';

const ROLE = 'mailroom';
const STOP_PATIENCE_MS = 20_000;
/** Few pages: what a test keeps fits anyway. */
const MEMORY_BYTES = 1024 ** 3;

/** A PostgreSQL of the test's own, on a port it keeps, that can be stopped and started again. */
export class OwnPostgres {
  private server: ChildServer | undefined;

  private constructor(
    private readonly home: ServerHome,
    private readonly binaries: PostgresBinaries,
    private readonly credentials: EmbeddedCredentials,
    private readonly port: number,
  ) {}

  /** Started, with an empty database. @param directory others may pass through it */
  static async create(directory: string): Promise<OwnPostgres> {
    const base = join(directory, 'postgresql');
    await mkdir(base, { mode: 0o711 });
    const home = await prepareServerHome(base, () => undefined);
    const credentials = await loadCredentials(base);
    const binaries = await findPostgres(home.account, null, join(base, 'binaries'));
    await createCluster(home, binaries, credentials, false);
    const postgres = new OwnPostgres(home, binaries, credentials, await findFreePort());
    await postgres.start();
    await postgres.asSuperuser(async (client) => {
      await client.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${credentials.postgres}'`);
      await client.query(`CREATE DATABASE ${ROLE} OWNER ${ROLE}`);
    });
    return postgres;
  }

  get url(): string {
    return `postgresql://${ROLE}:${this.credentials.postgres}@127.0.0.1:${this.port}/${ROLE}`;
  }

  /** Resolves when it takes connections again. */
  async start(): Promise<void> {
    // A server process of it is killed: what was committed before has to be there after the recovery.
    const settings = Object.entries({
      ...postgresSettings(MEMORY_BYTES, false),
      synchronous_commit: 'on',
    });
    this.server = await ChildServer.spawn(
      {
        program: join(this.binaries.bin, 'postgres'),
        args: [
          ...['-D', clusterFolder(this.home.directory), '-p', String(this.port)],
          ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
        ],
        account: this.home.account,
        deathSignal: 'INT',
      },
      join(this.home.directory, 'postgres.log'),
    );
    await this.takesConnections();
  }

  /** A fast shutdown: transactions are rolled back, connections end with 57P01. */
  async stop(): Promise<void> {
    await this.server?.stop('SIGINT', 'SIGQUIT', STOP_PATIENCE_MS);
  }

  /** Kills the server process of one of the service's connections: the server ends all others and recovers. */
  async killBackend(): Promise<void> {
    const pid = await this.asSuperuser(async (client) => {
      const { rows } = await client.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE usename = $1 ORDER BY state = 'active' DESC, random() LIMIT 1`,
        [ROLE],
      );
      return rows[0]!.pid;
    });
    process.kill(pid, 'SIGKILL');
    await this.takesConnections();
  }

  private async takesConnections(): Promise<void> {
    await waitFor('PostgreSQL to take connections', async () => {
      if (this.server?.exitReason) throw new Error(`PostgreSQL ended: ${await this.server.logTail()}`);
      return this.asSuperuser(() => Promise.resolve(true)).catch(() => false);
    });
  }

  private async asSuperuser<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({
      ...{ host: '127.0.0.1', port: this.port, user: SUPERUSER, database: 'postgres' },
      password: this.credentials.postgresSuperuser,
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}
