import { JobCancelled, JobFailed, JobTimeout, MailroomError } from '../errors.js';
import type { ServerEvent } from '../events/sse-parser.js';
import { WatchedConnection } from '../events/watched-connection.js';
import { delay } from '../http/waiting.js';
import type { Schemas } from '../operations/operation-types.js';

/** A job without its payload. */
export type Job = Schemas['JobEventResponse'];

/** Options of waiting for a job. */
export interface WaitOptions {
  /** Ends the waiting; the job goes on (`jobs.cancel` ends it). */
  readonly signal?: AbortSignal;
  /** Longest time to wait in milliseconds; without limit unless given. */
  readonly timeout?: number;
  /** Called with every change of the job, the last one included: at most four times a second. */
  readonly onProgress?: (job: Job) => void;
}

/** Source of the state of a job. */
export interface JobSource {
  /** One connection; `alive` is called with everything that comes, heartbeats included. */
  stream(jobId: string, signal: AbortSignal, alive: () => void): Promise<AsyncIterable<ServerEvent<Job>>>;
  read(jobId: string, signal: AbortSignal): Promise<Job>;
}

const FIRST_POLL_MS = 500;
const MOST_POLL_MS = 5_000;
/** Number of broken streams after which polling is used: a proxy may not let streams through. */
const STREAM_FAILURES = 3;
/** Number of requests in a row that may stay without an answer, about half a minute. */
const UNANSWERED = 8;

/**
 * Waits until a job has ended: by its event stream, and by polling where streams do not get through.
 * @returns the completed job; `failed` and `result` report items that could not be done
 * @throws JobFailed, JobCancelled, JobTimeout, the signal's reason, and MailroomError when the job cannot be read
 */
export async function waitForJob(source: JobSource, jobId: string, options: WaitOptions = {}): Promise<Job> {
  const abortion = new AbortController();
  const stop = (): void => abortion.abort(options.signal?.reason);
  options.signal?.addEventListener('abort', stop, { once: true });
  if (options.signal?.aborted) stop();
  const { timeout } = options;
  const timer =
    timeout === undefined
      ? undefined
      : setTimeout(() => abortion.abort(new JobTimeout(jobId, timeout)), timeout);
  try {
    const job = await new JobWatch(source, jobId, abortion.signal, options.onProgress).end();
    if (job.status === 'failed') throw new JobFailed(job);
    if (job.status === 'cancelled') throw new JobCancelled(job);
    return job;
  } catch (error) {
    abortion.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', stop);
    abortion.abort();
  }
}

class JobWatch {
  private streamFailures = 0;
  private unanswered = 0;

  constructor(
    private readonly source: JobSource,
    private readonly jobId: string,
    private readonly signal: AbortSignal,
    private readonly onProgress: (job: Job) => void = () => undefined,
  ) {}

  async end(): Promise<Job> {
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 2, MOST_POLL_MS)) {
      const job =
        (this.streamFailures < STREAM_FAILURES ? await this.followStream() : null) ?? (await this.pollJob());
      if (job) return job;
      await delay(pollMs, this.signal);
    }
  }

  /** @returns the ended job, or null when the stream ended before it */
  private async followStream(): Promise<Job | null> {
    const connection = new WatchedConnection(this.signal);
    const alive = (): void => connection.alive();
    try {
      for await (const { data } of await this.source.stream(this.jobId, connection.signal, alive)) {
        this.unanswered = 0;
        this.onProgress(data);
        if (hasEnded(data)) return data;
      }
    } catch (error) {
      this.signal.throwIfAborted();
      if (isUnknownJob(error)) throw error;
    } finally {
      connection.close();
    }
    this.streamFailures += 1;
    return null;
  }

  private async pollJob(): Promise<Job | null> {
    let job: Job;
    try {
      job = await this.source.read(this.jobId, this.signal);
    } catch (error) {
      this.signal.throwIfAborted();
      this.unanswered += 1;
      if (isUnknownJob(error) || this.unanswered >= UNANSWERED) throw error;
      return null;
    }
    this.unanswered = 0;
    this.onProgress(job);
    return hasEnded(job) ? job : null;
  }
}

/** Whether the job has ended. A cancelled job works until its batch is complete. */
const hasEnded = (job: Job): boolean => job.completed_at !== null;

/** Whether the job does not exist or belongs to another user: another request would get the same answer. */
const isUnknownJob = (error: unknown): boolean =>
  error instanceof MailroomError && error.status >= 400 && error.status < 500 && error.status !== 429;
