import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, AddressInfo } from 'node:net';
import { join } from 'node:path';
import { spawnBound } from './run/bound-process';
import { waitFor } from './wait';

const ENTRY = join(__dirname, '../../dist/src/main.js');
const SHORT_LEASES = join(__dirname, 'short-leases.cjs');
const READY_TIMEOUT_MS = 55_000;

/** A port nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The built service as a process of its own: it can be killed as a crash would. */
export class ServiceProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /**
   * @param output file descriptor for what it logs; that is thrown away without one
   * @param leases `short`: what a dead process was at is taken up after seconds; `real`: with the service's own timings
   */
  static async start(
    environment: Record<string, string>,
    output?: number,
    leases: 'short' | 'real' = 'short',
    readyMs = READY_TIMEOUT_MS,
  ): Promise<ServiceProcess> {
    if (!existsSync(ENTRY)) throw new Error('dist is missing: run `npm run build` first');
    const port = await freePort();
    const child = spawnBound(
      process.execPath,
      [...(leases === 'short' ? ['--require', SHORT_LEASES] : []), ENTRY],
      {
        env: { PATH: process.env.PATH, ...environment, PORT: String(port) },
        stdio: ['ignore', output ?? 'ignore', output ?? 'inherit'],
      },
    );
    const url = `http://127.0.0.1:${port}`;
    const isReady = async (): Promise<boolean> => {
      if (child.exitCode !== null) throw new Error(`The service ended with code ${child.exitCode}`);
      return fetch(`${url}/health/ready`).then(
        (response) => response.ok,
        () => false,
      );
    };
    try {
      await waitFor('the service to be ready', isReady, readyMs);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
    return new ServiceProcess(child, url);
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** False once it has ended, whatever way. */
  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** SIGSTOP: it does nothing any more and does not know of it, until `SIGCONT` or its end. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2'): void {
    this.child.kill(signal);
  }

  /** SIGKILL: nothing gets a chance to clean up. */
  kill(): Promise<number | null> {
    return this.end('SIGKILL');
  }

  /** SIGTERM. @returns the exit code */
  stop(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  private end(signal: NodeJS.Signals): Promise<number | null> {
    const { exitCode, signalCode } = this.child;
    if (exitCode !== null || signalCode !== null) return Promise.resolve(exitCode);
    const ended = new Promise<number | null>((resolve) => this.child.once('exit', (code) => resolve(code)));
    this.child.kill(signal);
    return ended;
  }
}
