import { Throttle } from '../concurrency/throttle';
import type { SseOutlet } from '../sse/sse-connection';
import type { SseFeed } from '../sse/sse-streams';
import { toJobEventResponse } from './dto/job.response';
import type { JobRecord } from './job-record';

interface ShownJob {
  latest: JobRecord;
  readonly throttle: Throttle;
}

/** Ended jobs remembered, so that a straggling message does not bring one back. */
const REMEMBERED_ENDS = 1_000;

/**
 * The messages to one client: the latest record of each job, at most one message per job and interval. A client that
 * reads slowly gets fewer messages, never a growing queue.
 */
export class JobStream {
  private readonly jobs = new Map<string, ShownJob>();
  /** Times of the last record by ended job: a job that was taken up again has a later one. */
  private readonly ends = new Map<string, string>();
  private readonly waiting = new Set<ShownJob>();
  private messages = 0;

  /** @param ended called after a job's last message has been sent */
  constructor(
    private readonly connection: SseOutlet,
    private readonly intervalMs: number,
    private readonly ended: (record: JobRecord) => void = () => undefined,
  ) {
    connection.onDrain(() => this.sendWaiting());
  }

  /** Ids of the jobs whose end has not been shown yet. */
  get openIds(): readonly string[] {
    return [...this.jobs.keys()];
  }

  /** Shows an update as it comes. Progress between two writes to the row has the row's time: equal times are updates. */
  show(record: JobRecord): void {
    const shown = this.jobs.get(record.id);
    if (!shown) this.add(record);
    else if (!shown.latest.completedAt && record.updatedAt >= shown.latest.updatedAt)
      this.replace(shown, record);
  }

  /** Shows a record as read from the table, when it is ahead of the updates. */
  catchUp(record: JobRecord): void {
    const shown = this.jobs.get(record.id);
    if (!shown) this.add(record);
    else if (!shown.latest.completedAt && record.updatedAt > shown.latest.updatedAt)
      this.replace(shown, record);
  }

  close(): void {
    for (const job of this.jobs.values()) job.throttle.cancel();
    this.jobs.clear();
    this.waiting.clear();
  }

  private add(record: JobRecord): void {
    const endedAt = this.ends.get(record.id);
    if (endedAt !== undefined && record.updatedAt <= endedAt) return;
    const job: ShownJob = { latest: record, throttle: new Throttle(this.intervalMs, () => this.send(job)) };
    this.jobs.set(record.id, job);
    job.throttle.request();
  }

  private replace(shown: ShownJob, record: JobRecord): void {
    shown.latest = record;
    shown.throttle.request();
  }

  private send(job: ShownJob): void {
    if (this.connection.congested) {
      this.waiting.add(job);
      return;
    }
    const { latest } = job;
    this.messages += 1;
    this.connection.send({
      event: 'job',
      id: `${latest.jobId}.${this.messages}`,
      data: toJobEventResponse(latest),
    });
    if (!latest.completedAt) return;
    this.jobs.delete(latest.id);
    this.ends.set(latest.id, latest.updatedAt);
    if (this.ends.size > REMEMBERED_ENDS) this.ends.delete(this.ends.keys().next().value!);
    this.ended(latest);
  }

  private sendWaiting(): void {
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const job of waiting) this.send(job);
  }
}

export interface JobSource {
  /** Reads the current records of what the stream shows. */
  read(stream: JobStream): Promise<readonly JobRecord[]>;
  /** Calls the listener with every update of the user's jobs. @returns call it to stop */
  listen(listener: (record: JobRecord) => void): Promise<() => void>;
  /** Whether an update belongs to the stream. */
  concerns(record: JobRecord): boolean;
}

/** A snapshot of the table, then updates as they come; the table is read again with every heartbeat. */
export class JobFeed implements SseFeed {
  /** Updates that came before the snapshot was shown. */
  private readonly early: JobRecord[] = [];
  private live = false;
  private closed = false;

  constructor(
    private readonly stream: JobStream,
    private readonly source: JobSource,
  ) {}

  listen(): Promise<() => void> {
    return this.source.listen((record) => {
      if (!this.source.concerns(record)) return;
      if (this.live) this.stream.show(record);
      else this.early.push(record);
    });
  }

  async begin(): Promise<() => void> {
    const snapshot = await this.source.read(this.stream);
    return () => {
      for (const record of snapshot) this.stream.catchUp(record);
      this.live = true;
      for (const record of this.early) this.stream.show(record);
    };
  }

  async catchUp(): Promise<void> {
    const records = await this.source.read(this.stream);
    if (!this.closed) for (const record of records) this.stream.catchUp(record);
  }

  close(): void {
    this.closed = true;
    this.stream.close();
  }
}
