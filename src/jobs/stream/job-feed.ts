import type { JobRecord } from '../../common/jobs/records/job-record';
import type { SseFeed } from '../../common/http/sse/sse-streams';
import type { JobStream } from './job-stream';

export interface JobSource {
  /** Reads the current records of what the stream shows. */
  read(stream: JobStream): Promise<readonly JobRecord[]>;
  /** Calls the listener with every news of the user. @returns call it to stop */
  listen(listener: (record: JobRecord) => void): Promise<() => void>;
  /** Which of the user's news belong to the stream. */
  concerns(record: JobRecord): boolean;
}

/** Jobs as their news come, after a snapshot of the table; the table is read again with every heartbeat. */
export class JobFeed implements SseFeed {
  /** News that came before the snapshot was shown. */
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
