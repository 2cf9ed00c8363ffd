import { Command } from 'commander';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Client } from 'pg';
import { addAuditCommands } from '../../../src/operations/cli/audit-commands';
import { addBackupCommands } from '../../../src/operations/cli/backup-commands';
import { loadConfig } from '../../../src/platform/config/load-config';
import { SandboxServer, startSandbox } from '../../../sandbox/src/sandbox-server';
import { serve, TestApp } from '../app';
import { createTestDatabase } from '../database';
import { testEnvironment } from '../environment';
import { spawnBound } from '../run/bound-process';

const CLI = join(__dirname, '../../../dist/src/cli/main.js');

type Environment = Readonly<Record<string, string>>;

export interface CommandOutcome {
  readonly lines: string[];
  /** null when the command succeeded. */
  readonly error: (Error & { exitCode?: number }) | null;
}

/** Installations that share a mailbox provider and nothing else, and the commands run on them. */
export class BackupFixture {
  private readonly cleanups: (() => Promise<void>)[] = [];

  private constructor(
    readonly sandbox: SandboxServer,
    readonly directory: string,
  ) {}

  static async start(): Promise<BackupFixture> {
    return new BackupFixture(
      await startSandbox({ messages: 200 }),
      mkdtempSync(join(tmpdir(), 'mailroom-backup-')),
    );
  }

  /** An installation that has never been started: an empty database and no files. */
  async installation(settings: Environment = {}): Promise<Environment> {
    const database = await createTestDatabase({ migrated: false });
    this.cleanups.push(() => database.drop());
    const dataDir = mkdtempSync(join(this.directory, 'installation-'));
    return { ...testEnvironment(database.url, this.sandbox, dataDir), ...settings };
  }

  /** Starts the service; `close` of the result stops it and leaves everything it wrote. */
  async serve(env: Environment): Promise<TestApp> {
    const { app, url } = await serve(env);
    return new TestApp(app, url, env, this.sandbox, () => app.close());
  }

  /** The path of an unused folder. */
  folder(name: string): string {
    return join(this.directory, name);
  }

  /** Runs a command as the command line would, and says how it ended. */
  async command(env: Environment, ...args: string[]): Promise<CommandOutcome> {
    const lines: string[] = [];
    const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
    const print = (line: string): number => lines.push(line);
    addAuditCommands(program, () => loadConfig(env), { print, output: process.stderr });
    addBackupCommands(program, () => loadConfig(env), { print });
    return program.parseAsync(args, { from: 'user' }).then(
      () => ({ lines, error: null }),
      (error: Error) => ({ lines, error }),
    );
  }

  /** Runs a command that has to succeed. @returns what it printed */
  async succeed(env: Environment, ...args: string[]): Promise<string> {
    const { lines, error } = await this.command(env, ...args);
    if (error) throw error;
    return lines.join('\n');
  }

  /** Runs the built command line as a process and kills it as soon as `moment` has come. @returns whether it was killed */
  async killed(
    env: Environment,
    args: string[],
    moment: (output: string) => Promise<boolean>,
  ): Promise<boolean> {
    const child = spawnBound(process.execPath, [CLI, ...args], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = new Promise<boolean>((resolve) => {
      child.once('exit', (_code, signal) => resolve(signal === 'SIGKILL'));
    });
    while (child.exitCode === null && child.signalCode === null) {
      if (await moment(output)) child.kill('SIGKILL');
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return ended;
  }

  async close(): Promise<void> {
    for (const cleanup of this.cleanups) await cleanup();
    await this.sandbox.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Deletes what a restore has told users, which the source does not have. @returns how many notifications */
export async function deleteRestoreNotifications(databaseUrl: string): Promise<number> {
  return withDatabase(databaseUrl, async (client) => {
    const { rowCount } = await client.query(
      `DELETE FROM notifications WHERE event_key LIKE 'backup.restored/%'`,
    );
    return rowCount ?? 0;
  });
}

/** Every table's rows as one hash, whatever their order. */
export async function tableHashes(databaseUrl: string): Promise<Record<string, string>> {
  return withDatabase(databaseUrl, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
    );
    const hashes: Record<string, string> = {};
    for (const { name } of tables) {
      // The place of a message is unknown after a restore.
      const row = name === 'archived_mails' ? `to_jsonb(t) - 'presence' - 'may_be_offloaded'` : 't';
      const { rows } = await client.query<{ rows: string; hash: string }>(
        `SELECT count(*) AS rows, md5(coalesce(string_agg(md5((${row})::text), '' ORDER BY md5((${row})::text)), '')) AS hash FROM "${name}" t`,
      );
      hashes[name] = `${rows[0]!.rows} rows, ${rows[0]!.hash}`;
    }
    return hashes;
  });
}

export async function withDatabase<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Hashes of all files below a folder by their path. */
export async function fileHashes(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const hashes: Record<string, string> = {};
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // Signs of life of those who write there.
    if (path.startsWith(join(root, '.tmp'))) continue;
    hashes[relative(root, path)] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  }
  return hashes;
}
