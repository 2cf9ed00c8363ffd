import { JobCancelled, JobFailed, JobTimeout, MailroomError } from '../errors.js';
import type { ServerEvent } from '../events/sse-parser.js';
import { WatchedConnection } from '../events/watched-connection.js';
import { delay } from '../http/waiting.js';
import type { Schemas } from '../operations/operation-types.js';

/** A job without what it was started with. */
export type Job = Schemas['JobEventResponse'];

/** How long to wait for a job, and what to hear of it. */
export interface WaitOptions {
  /** Ends the waiting; the job goes on (`jobs.cancel` ends it). */
  readonly signal?: AbortSignal;
  /** Milliseconds; for ever unless given. */
  readonly timeout?: number;
  /** Called with every news of the job, the last one included: at most four times a second. */
  readonly onProgress?: (job: Job) => void;
}

/** Where the news of a job come from. */
export interface JobSource {
  /** One connection; `alive` is called with everything that comes, heartbeats included. */
  stream(jobId: string, signal: AbortSignal, alive: () => void): Promise<AsyncIterable<ServerEvent<Job>>>;
  read(jobId: string, signal: AbortSignal): Promise<Job>;
}

const FIRST_POLL_MS = 500;
const MOST_POLL_MS = 5_000;
/** A stream that breaks this often is left alone: something between does not let it through. */
const STREAM_FAILURES = 3;
/** Questions in a row that may stay without an answer, about half a minute. */
const UNANSWERED = 8;

/**
 * Waits until a job has ended: by its event stream, and by asking where streams do not get through.
 * @returns the completed job; `failed` and `result` tell of items that could not be done
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
        (this.streamFailures < STREAM_FAILURES ? await this.streamed() : null) ?? (await this.asked());
      if (job) return job;
      await delay(pollMs, this.signal);
    }
  }

  /** @returns the ended job, or null when the stream ended before it */
  private async streamed(): Promise<Job | null> {
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

  private async asked(): Promise<Job | null> {
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

/** A cancelled job works until its batch is through. */
const hasEnded = (job: Job): boolean => job.completed_at !== null;

/** Or one that is not the caller's; what is refused now is refused the next time. */
const isUnknownJob = (error: unknown): boolean =>
  error instanceof MailroomError && error.status >= 400 && error.status < 500 && error.status !== 429;
