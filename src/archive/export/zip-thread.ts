import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { Worker } from 'node:worker_threads';
import { setTimeout } from '../../platform/concurrency/timers';
import { compiledModule } from '../../platform/workers/compiled-module';
import type { ZipAnswer, ZipRequest } from './zip-archive';
import type { ZipMessage, ZipReply } from './zip-archives.task';

/** Time after which a thread without a ZIP is ended. */
const IDLE_MS = 30_000;
/**
 * Limits of the memory of the thread in MB. It keeps some 400 bytes for each entry of the ZIPs that are open: the 16 downloads
 * that a user may have take 640 MB with 100,000 mails each.
 */
const LIMITS = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1024 };

/** A ZIP that is being written elsewhere. */
export interface RemoteZip {
  /** Makes the next steps; answers come in the order of the requests. The caller loses the bytes. @throws if the writing fails */
  run(request: ZipRequest): Promise<ZipAnswer>;
  /** Gives up a ZIP that has not ended. Has to be called at the end of each. */
  close(): void;
}

/** Begins a ZIP. */
export interface ZipOpener {
  begin(options: { readonly compress: boolean }): RemoteZip;
}

interface Waiting {
  readonly resolve: (answer: ZipAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The worker thread in which all ZIP files are written. A ZIP is open as long as its download takes, so it has no place in
 * the pool: there, slow clients would keep the threads from all others. The thread begins with the first ZIP and ends when
 * there has been none for half a minute.
 */
@Injectable()
export class ZipThread implements ZipOpener, OnApplicationShutdown {
  private running: RunningThread | null = null;
  private isStopped = false;
  private lastZip = 0;
  private idle: NodeJS.Timeout | undefined;

  begin({ compress }: { readonly compress: boolean }): RemoteZip {
    clearTimeout(this.idle);
    const thread = this.running?.isAlive ? this.running : new RunningThread();
    this.running = thread;
    const zip = (this.lastZip += 1);
    thread.open(zip);
    return {
      run: (request) => thread.run({ zip, compress, request }),
      close: () => {
        thread.close(zip);
        this.endWhenIdle();
      },
    };
  }

  /** ZIPs that are open still come to their end. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.idle);
    await this.endUnlessBusy();
  }

  private endWhenIdle(): void {
    clearTimeout(this.idle);
    if (this.isStopped) void this.endUnlessBusy();
    else this.idle = setTimeout(() => void this.endUnlessBusy(), IDLE_MS).unref();
  }

  private async endUnlessBusy(): Promise<void> {
    if (this.running && !this.running.isBusy) await this.running.end();
  }
}

/** A thread, with the requests that it has not answered. */
class RunningThread {
  private readonly worker = new Worker(compiledModule(require.resolve('./zip-archives.task')), {
    name: 'zip',
    // Without the options of the process: threads refuse those of V8.
    execArgv: [],
    resourceLimits: LIMITS,
  });
  /** The open ZIPs, each with its unanswered requests in their order. */
  private readonly waiting = new Map<number, Waiting[]>();
  private failure: Error | null = null;

  constructor() {
    // A connection that waits for a ZIP keeps the process alive; the thread does not have to.
    this.worker.unref();
    this.worker.on('message', (reply: ZipReply) => {
      const request = this.waiting.get(reply.zip)?.shift();
      if ('answer' in reply) request?.resolve(reply.answer);
      else request?.reject(new Error(`A ZIP could not be written: ${reply.error}`));
    });
    this.worker.on('error', (error) => this.fail(error));
    this.worker.on('exit', () => this.fail(new Error('The thread that writes ZIP files has ended')));
  }

  get isAlive(): boolean {
    return this.failure === null;
  }

  get isBusy(): boolean {
    return this.waiting.size > 0;
  }

  open(zip: number): void {
    this.waiting.set(zip, []);
  }

  run(message: Extract<ZipMessage, { request: ZipRequest }>): Promise<ZipAnswer> {
    if (this.failure) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      this.waiting.get(message.zip)!.push({ resolve, reject });
      this.worker.postMessage(message, [message.request.bytes]);
    });
  }

  close(zip: number): void {
    if (!this.waiting.delete(zip) || this.failure) return;
    this.worker.postMessage({ zip, request: null } satisfies ZipMessage);
  }

  async end(): Promise<void> {
    this.failure ??= new Error('The thread that writes ZIP files has been ended');
    await this.worker.terminate();
  }

  private fail(error: Error): void {
    this.failure ??= error;
    for (const requests of this.waiting.values()) for (const { reject } of requests) reject(this.failure);
  }
}
