import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedServiceUnavailable, hasErrorCode } from './embedded.errors';
import type { ServiceAccount } from './service-account';

/** A TCP port that was free on 127.0.0.1 a moment ago; the caller tries another one if it is taken by then. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ host: '127.0.0.1', port: 0 }, () => {
      const address = probe.address();
      probe.close(() => {
        if (address && typeof address === 'object') resolve(address.port);
        else reject(new Error('The operating system assigned no port.'));
      });
    });
  });
}

/** Folders in which programs are searched after those of PATH: a trimmed PATH leaves them out. */
const SYSTEM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/** Nothing of this process's environment, which holds secrets, reaches a server. */
const SERVER_ENVIRONMENT = { PATH: SYSTEM_FOLDERS.join(delimiter), TZ: 'UTC' };

export interface ServerCommand {
  program: string;
  args: string[];
  account: ServiceAccount;
  /** Sent by the kernel to the server when this process dies, however it dies. */
  deathSignal: 'INT' | 'TERM' | 'KILL';
}

/** The absolute path of a program, or null when it is not installed. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...SYSTEM_FOLDERS];
  for (const folder of folders) {
    if (!folder.startsWith('/')) continue;
    const candidate = join(folder, name);
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch (error) {
      if (!['ENOENT', 'ENOTDIR', 'EACCES'].some((code) => hasErrorCode(error, code))) throw error;
    }
  }
  return null;
}

/** The command line that gives a program its user and its death signal (setpriv(1)). */
function wrap({ program, args, account, deathSignal }: ServerCommand): { file: string; args: string[] } {
  const setpriv = findProgram('setpriv');
  if (!setpriv) {
    throw new EmbeddedServiceUnavailable(
      'setpriv was not found: install it with `apt-get install util-linux` or set DATABASE_URL and REDIS_URL.',
    );
  }
  const identity = account.switched
    ? [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups']
    : [];
  return { file: setpriv, args: [...identity, `--pdeathsig=${deathSignal}`, '--', program, ...args] };
}

/** Runs a program to its end as the service account; rejects with its standard error on failure. */
export function runAs(command: ServerCommand, timeoutMs: number): Promise<string> {
  const { file, args } = wrap(command);
  return new Promise((resolve, reject) => {
    const options = { cwd: '/', env: SERVER_ENVIRONMENT, timeout: timeoutMs, killSignal: 'SIGKILL' as const };
    execFile(file, args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(stderr.trim() || error.message));
      else resolve(stdout);
    });
  });
}

/** A running private server. */
export class ChildServer {
  private exit: string | null = null;
  private stopping = false;
  private readonly exited: Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    readonly logFile: string,
  ) {
    this.exited = new Promise((resolve) => {
      const end = (reason: string): void => {
        this.exit ??= reason;
        resolve();
      };
      child.once('exit', (code, signal) => end(signal ? `killed by ${signal}` : `exit code ${code}`));
      child.once('error', (error) => end(error.message));
    });
  }

  /**
   * Starts a server with its output in `logFile`; the file of the run before is kept as `<logFile>.1`.
   * The server has its own session, so that Ctrl-C in a terminal reaches only this process, which then
   * stops it in order.
   */
  static async spawn(command: ServerCommand, logFile: string): Promise<ChildServer> {
    const { file, args } = wrap(command);
    await rename(logFile, `${logFile}.1`).catch((error: unknown) => {
      if (!hasErrorCode(error, 'ENOENT')) throw error;
    });
    const output = openSync(logFile, 'a', 0o600);
    try {
      const child = spawn(file, args, {
        cwd: '/',
        env: SERVER_ENVIRONMENT,
        detached: true,
        stdio: ['ignore', output, output],
      });
      child.unref();
      return new ChildServer(child, logFile);
    } finally {
      closeSync(output);
    }
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Why the server ended, or null while it runs. */
  get exitReason(): string | null {
    return this.exit;
  }

  /** Calls back once if the server ends without having been asked to. */
  onUnexpectedExit(listener: (reason: string) => void): void {
    void this.exited.then(() => {
      if (!this.stopping) listener(this.exit ?? 'unknown reason');
    });
  }

  async logTail(): Promise<string> {
    const text = await readFile(this.logFile, 'utf8');
    return text.split('\n').filter(Boolean).slice(-5).join(' | ');
  }

  /** Sends `signal` and waits; after `patienceMs` sends `lastResort`. */
  async stop(signal: NodeJS.Signals, lastResort: NodeJS.Signals, patienceMs: number): Promise<void> {
    this.stopping = true;
    if (this.exit !== null) return;
    this.child.ref();
    this.child.kill(signal);
    const cancel = new AbortController();
    const patience = sleep(patienceMs, 'late', { signal: cancel.signal }).catch(() => 'cancelled');
    if ((await Promise.race([this.exited, patience])) === 'late') this.child.kill(lastResort);
    cancel.abort();
    await this.exited;
  }
}
