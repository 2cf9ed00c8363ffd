import { ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../test/support/service-process';

const READY_TIMEOUT_MS = 60_000;
const MIB = 1024 * 1024;

/** The built service as its own process, so that memory and start-up are its own. */
export class ServiceProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    /** From spawn to the first ready answer, milliseconds. */
    readonly startMs: number,
  ) {}

  static async start(environment: Record<string, string>): Promise<ServiceProcess> {
    const port = await freePort();
    const startedAt = performance.now();
    const child = spawn(process.execPath, [join(__dirname, '../src/main.js')], {
      env: { PATH: process.env.PATH, ...environment, PORT: String(port) },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const url = `http://127.0.0.1:${port}`;
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

  resetPeak(): void {
    writeFileSync(`/proc/${this.child.pid}/clear_refs`, '5');
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await ended;
  }
}
