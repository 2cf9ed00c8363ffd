import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import Piscina from 'piscina';
import { AppConfig } from '../config/app-config';
import { waitForBackgroundTurn } from '../concurrency/background-pace';
import { compiledModule } from './compiled-module';

/** A plain function exported by a module that a worker thread can load. */
export interface WorkerTask {
  /** `require.resolve('./x.task')` of the caller. */
  readonly module: string;
  readonly name: string;
}

/** The process is ending: the task was not run, or not to its end. The task itself did not fail. */
export class WorkerPoolStopped extends Error {
  constructor(cause?: unknown) {
    super('The worker pool has been stopped', { cause });
  }
}

const IDLE_TIMEOUT_MS = 30_000;
/**
 * Limit of a thread's young generation in MB. Objects of a task die young; V8's own limit would keep 48 MB for each
 * thread.
 */
const MAX_YOUNG_MB = 12;
/**
 * No task needs a third of it. One that does need more ends with `ERR_WORKER_OUT_OF_MEMORY`, and its thread with it,
 * rather than with the whole process: V8's own limit is a share of the machine's memory, for each thread.
 */
const MAX_OLD_MB = 512;

/**
 * Errors lose what is theirs between threads, all but message and stack: the code of a system call, by which errors are
 * told apart, is read from the message again (`EISDIR: illegal operation on a directory, read`).
 */
function withSystemCode(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error) return error;
  const code = /^(E[A-Z0-9]+): /.exec(error.message)?.[1];
  return code === undefined ? error : Object.assign(error, { code });
}

/**
 * CPU work (MIME parsing, hashing, scans, encryption) runs here, on as many threads as there are cores, so that
 * the event loop answers requests in milliseconds while jobs run. Threads start with the first task; all but
 * one end when idle.
 */
@Injectable()
export class WorkerPool implements OnApplicationShutdown {
  private readonly logger = new Logger(WorkerPool.name);
  private started: Piscina | null = null;
  private stopped = false;

  constructor(private readonly config: AppConfig) {}

  /**
   * Runs `task` with structured-cloned `input`.
   * @param options.transfer buffers handed over instead of copied; the caller loses them
   * @throws WorkerPoolStopped at shutdown; what the task throws; an AbortError when `signal` ends it. A task that runs
   *   out of memory fails alone: its thread is replaced
   */
  async run<I, O>(
    task: WorkerTask,
    input: I,
    options: { transfer?: readonly ArrayBuffer[]; signal?: AbortSignal } = {},
  ): Promise<O> {
    await waitForBackgroundTurn();
    if (this.stopped) throw new WorkerPoolStopped();
    try {
      return (await this.pool().run(input, {
        filename: compiledModule(task.module),
        name: task.name,
        transferList: options.transfer ? [...options.transfer] : undefined,
        signal: options.signal,
      })) as O;
    } catch (error) {
      throw this.stopped ? new WorkerPoolStopped(error) : withSystemCode(error);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.started?.destroy();
  }

  private pool(): Piscina {
    this.started ??= this.start();
    return this.started;
  }

  private start(): Piscina {
    const pool = new Piscina({
      // Without a spare thread, tasks that are queued when an aborted task ends the last one would wait for ever; and
      // under Jest only threads of the initial set are ever taken for ready (Piscina asks `instanceof Object`).
      minThreads: 1,
      maxThreads: this.config.workers.threads,
      idleTimeout: IDLE_TIMEOUT_MS,
      // On a busy machine requests come first. Without the options of the process: threads refuse those of V8.
      execArgv: ['--require', compiledModule(require.resolve('./low-priority-thread'))],
      resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_MB, maxOldGenerationSizeMb: MAX_OLD_MB },
      // Callers bound what they have in flight; a refusal here would only surprise them.
      maxQueue: Number.MAX_SAFE_INTEGER,
    });
    // A thread that breaks between two tasks is replaced; an event without a listener would end the process.
    pool.on('error', (error: Error) => this.logger.error(`A worker thread failed: ${error.message}`));
    return pool;
  }
}
