import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { spawnBound } from './run/bound-process';
import { waitFor } from './wait';

const ENTRY = join(__dirname, '../../dist/src/main.js');
const SHORT_LEASES = join(__dirname, 'short-leases.cjs');
const READY_TIMEOUT_MS = 55_000;

/** Below the ports that Linux gives to connections and to `listen(0)` by itself (32768–60999): none of them takes a port meanwhile. */
const PORTS = { from: 12_000, to: 32_000 } as const;

/** A port of 127.0.0.1 on which nothing listens at the moment. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port between ${PORTS.from} and ${PORTS.to}`);
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
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
