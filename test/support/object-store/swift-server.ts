import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../service-process';

/** Benchmarks run compiled, in dist, where the compiler puts no Python. */
const LAUNCHER = [__dirname, join(__dirname, '../../../../test/support/object-store')]
  .map((folder) => join(folder, 'swift-server.py'))
  .find((path) => existsSync(path)) as string;
/** Another python may be first on PATH, without Swift's modules. */
const PYTHON = '/usr/bin/python3';
const READY_MS = 60_000;
const ATTEMPTS = 3;
/** The number of accounts that the launcher sets up. */
const ACCOUNTS = 100;

/** OpenStack Swift with its S3 API, which ends with the process that started it. */
export class SwiftServer {
  private static shared: Promise<SwiftServer> | undefined;
  private accounts = 0;

  private constructor(
    readonly endpoint: string,
    private readonly directory: string,
    private readonly processes: readonly ChildProcess[],
  ) {}

  /** Under Jest this module is one for all specs of a worker. */
  static ofThisProcess(): Promise<SwiftServer> {
    SwiftServer.shared ??= SwiftServer.start().catch((error: unknown) => {
      // The next caller tries again.
      SwiftServer.shared = undefined;
      throw error;
    });
    return SwiftServer.shared;
  }

  /** The name of an unused account. */
  nextAccount(): string {
    if (this.accounts === ACCOUNTS) throw new Error('Every account of the object store is taken');
    return `test${(this.accounts += 1)}`;
  }

  private static async start(): Promise<SwiftServer> {
    for (let attempt = 1; ; attempt += 1) {
      const server = await SwiftServer.launch();
      const failure = await server.becomesReady();
      if (failure === null) return server.leftRunning();
      await server.stop();
      // Another process may have taken one of the ports in the meantime.
      if (attempt === ATTEMPTS) throw new Error(`The object store did not start: ${failure}`);
    }
  }

  private static async launch(): Promise<SwiftServer> {
    const directory = mkdtempSync(
      join(process.env.MAILROOM_TEST_DIRECTORY ?? tmpdir(), 'mailroom-objstore-'),
    );
    const ports = await Promise.all(Array.from({ length: 5 }, () => freePort()));
    const [, , , proxy, memcached] = ports;
    const log = openSync(join(directory, 'log'), 'a', 0o600);
    const run = (program: string, ...args: string[]): ChildProcess =>
      spawn('setpriv', ['--pdeathsig=KILL', '--', program, ...args], { stdio: ['ignore', log, log] });
    try {
      return new SwiftServer(`http://127.0.0.1:${proxy}`, directory, [
        run('memcached', '-u', 'root', '-l', '127.0.0.1', '-p', String(memcached), '-U', '0', '-m', '16'),
        run(PYTHON, LAUNCHER, directory, ...ports.map(String), String(ACCOUNTS)),
      ]);
    } finally {
      closeSync(log);
    }
  }

  /** Keeps no process from ending, and leaves nothing behind when it does. */
  private leftRunning(): SwiftServer {
    for (const child of this.processes) child.unref();
    process.once('exit', () => rmSync(this.directory, { recursive: true, force: true }));
    return this;
  }

  private async stop(): Promise<void> {
    await Promise.all(this.processes.map(killed));
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** @returns null once it answers, else why it will not */
  private async becomesReady(): Promise<string | null> {
    const deadline = Date.now() + READY_MS;
    while (this.processes.every(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
      if (await this.answers()) return null;
      if (Date.now() > deadline) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return readFileSync(join(this.directory, 'log'), 'utf8').slice(-2_000);
  }

  /** Signing in and listing needs all of its servers. */
  private async answers(): Promise<boolean> {
    const signal = AbortSignal.timeout(5_000);
    try {
      const login = await fetch(`${this.endpoint}/auth/v1.0`, {
        headers: { 'X-Auth-User': 'test1:tester', 'X-Auth-Key': 'testing' },
        signal,
      });
      const [url, token] = [login.headers.get('x-storage-url'), login.headers.get('x-auth-token')];
      if (!url || !token) return false;
      return (await fetch(url, { headers: { 'X-Auth-Token': token }, signal })).ok;
    } catch {
      // It is on its way.
      return false;
    }
  }
}

function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
    child.kill('SIGKILL');
  });
}
