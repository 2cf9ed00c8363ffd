import { ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../test/support/service-process';
import { PROBE_ARGUMENTS, ProbeClient } from './probe/probe-client';
import { SERVICE_NODE } from './service-node';

const READY_TIMEOUT_MS = 60_000;
const MIB = 1024 * 1024;

export interface ServiceProcessOptions {
  readonly probed?: boolean;
  /** File descriptor for what it logs; without one that goes to the terminal. */
  readonly output?: number;
  /** Scripts that Node loads before the service. */
  readonly preload?: readonly string[];
}

/** The built service as its own process, so that memory and start-up are its own. */
export class ServiceProcess {
  /** Asks the process from inside; it has to be started with `probed`. */
  readonly probe: ProbeClient;

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    /** From spawn to the first ready answer, milliseconds. */
    readonly startMs: number,
  ) {
    this.probe = new ProbeClient(child);
  }

  static async start(
    environment: Record<string, string>,
    { probed = false, output, preload = [] }: ServiceProcessOptions = {},
  ): Promise<ServiceProcess> {
    const port = await freePort();
    const startedAt = performance.now();
    const entry = join(__dirname, '../src/main.js');
    const url = `http://127.0.0.1:${port}`;
    const preloaded = preload.flatMap((script) => ['--require', script]);
    const child = spawn(SERVICE_NODE, [...(probed ? PROBE_ARGUMENTS : []), ...preloaded, entry], {
      env: { PATH: process.env.PATH, APP_URL: url, ...environment, PORT: String(port) },
      stdio: ['ignore', output ?? 'inherit', output ?? 'inherit', ...(probed ? (['ipc'] as const) : [])],
    });
    while (performance.now() - startedAt < READY_TIMEOUT_MS) {
      if (child.exitCode !== null) throw new Error(`The service ended with code ${child.exitCode}`);
      const ready = await fetch(`${url}/health/ready`).then(
        (response) => response.ok,
        () => false,
      );
      if (ready) return new ServiceProcess(child, url, performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    child.kill('SIGKILL');
    throw new Error('The service did not become ready');
  }

  /** Resident set in MiB: now, and the peak since the last `resetPeak`. */
  memory(): { now: number; peak: number } {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    const kib = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? NaN);
    return { now: (kib('VmRSS') * 1024) / MIB, peak: (kib('VmHWM') * 1024) / MIB };
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Files, sockets and pipes that are open. */
  openHandles(): number {
    return readdirSync(`/proc/${this.child.pid}/fd`).length;
  }

  resetPeak(): void {
    writeFileSync(`/proc/${this.child.pid}/clear_refs`, '5');
  }

  /** @returns the exit code */
  stop(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  /** Without waiting for what it is at. */
  kill(): Promise<number | null> {
    return this.end('SIGKILL');
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    const { exitCode, signalCode } = this.child;
    if (exitCode !== null || signalCode !== null) return exitCode;
    const ended = new Promise<number | null>((resolve) => this.child.once('exit', resolve));
    this.child.kill(signal);
    return ended;
  }
}
