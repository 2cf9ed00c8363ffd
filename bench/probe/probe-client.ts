import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { ProbeAnswer, ProbeQuestion, ProbeRequest, ProcessFigures, RequestTimes } from './probe.types';

/** What a process that can be probed is to be started with. */
export const PROBE_ARGUMENTS: readonly string[] = ['--require', join(__dirname, 'process-probe.js')];

const PATIENCE_MS = 120_000;

/** Asks a child process that was started with `PROBE_ARGUMENTS` and an IPC channel. */
export class ProbeClient {
  private questions = 0;

  constructor(private readonly child: ChildProcess) {}

  figures(options: { collect?: boolean } = {}): Promise<ProcessFigures> {
    return this.ask({ ask: 'figures', ...options }) as Promise<ProcessFigures>;
  }

  async resetDelay(): Promise<void> {
    await this.ask({ ask: 'resetDelay' });
  }

  /** Requests from now on are timed, and what they wait for. */
  async resetRequests(): Promise<void> {
    await this.ask({ ask: 'resetRequests' });
  }

  slowestRequests(): Promise<RequestTimes> {
    return this.ask({ ask: 'slowestRequests' }) as Promise<RequestTimes>;
  }

  async startProfile(): Promise<void> {
    await this.ask({ ask: 'startProfile' });
  }

  /** Writes a `.cpuprofile`, which Chrome's developer tools open. */
  async stopProfile(path: string): Promise<void> {
    await this.ask({ ask: 'stopProfile', path });
  }

  async heapSnapshot(path: string): Promise<void> {
    await this.ask({ ask: 'heapSnapshot', path });
  }

  private ask(request: ProbeRequest): Promise<unknown> {
    this.questions += 1;
    const probe = this.questions;
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        this.child.off('message', listen);
        this.child.off('exit', gone);
      };
      const listen = (message: ProbeAnswer): void => {
        if (message.probe !== probe) return;
        done();
        if (message.error === undefined) resolve(message.value);
        else reject(new Error(message.error));
      };
      const gone = (): void => {
        done();
        reject(new Error('The process has ended'));
      };
      const timer = setTimeout(() => {
        done();
        reject(new Error(`The process did not answer ${request.ask}`));
      }, PATIENCE_MS);
      this.child.on('message', listen);
      this.child.once('exit', gone);
      this.child.send({ ...request, probe } satisfies ProbeQuestion);
    });
  }
}
