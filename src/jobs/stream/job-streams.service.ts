import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { JobEvents } from '../../common/jobs/job-events';
import { JobReader } from '../../common/jobs/records/job-reader';
import type { JobRecord } from '../../common/jobs/records/job-record';
import { JobTimings } from '../../common/jobs/job-timings';
import { JobStream } from './job-stream';
import { SseConnection } from './sse-connection';

const HEARTBEAT_MS = 15_000;

/** Jobs a stream begins with. */
const SNAPSHOT_JOBS = 500;

interface StreamSource {
  readonly userId: string;
  /** Reads the current records of what the stream shows. */
  read(stream: JobStream): Promise<readonly JobRecord[]>;
  /** Which of the user's news belong to the stream. */
  concerns(record: JobRecord): boolean;
  /** Whether the stream is over when a job's end has been shown. */
  readonly endsWithJob: boolean;
}

/**
 * Event streams about jobs. News come through Redis from whichever process runs a job; the table is read at the
 * start and with every heartbeat, so that nothing stays missed when Redis was away.
 */
@Injectable()
export class JobStreamsService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(JobStreamsService.name);
  private readonly connections = new Set<SseConnection>();
  private stopping = false;

  constructor(
    private readonly reader: JobReader,
    private readonly events: JobEvents,
    private readonly timings: JobTimings,
  ) {}

  /** All of the user's jobs, until the client goes away. */
  async streamAll(userId: string, response: Response): Promise<void> {
    await this.stream(response, {
      userId,
      read: (stream) => this.reader.openOrNamed(userId, stream.openIds, SNAPSHOT_JOBS),
      concerns: () => true,
      endsWithJob: false,
    });
  }

  /**
   * One job, until it has ended.
   * @throws ResourceNotFound
   */
  async streamOne(userId: string, jobId: string, response: Response): Promise<void> {
    const { id } = await this.reader.findRecord(userId, jobId);
    await this.stream(response, {
      userId,
      read: async () => [await this.reader.findRecord(userId, id)],
      concerns: (record) => record.id === id,
      endsWithJob: true,
    });
  }

  /** Open streams would keep the HTTP server from closing; clients connect again to another process. */
  beforeApplicationShutdown(): void {
    this.stopping = true;
    for (const connection of this.connections) connection.end();
  }

  private async stream(response: Response, source: StreamSource): Promise<void> {
    const connection = new SseConnection(response);
    const stream = new JobStream(connection, this.timings.publishMs, () => {
      if (source.endsWithJob) connection.end();
    });
    // Listening begins before the snapshot is read, and speaks after it: nothing is missed, nothing comes early.
    const early: JobRecord[] = [];
    let live = false;
    const stopListening = await this.events.listen(source.userId, (record) => {
      if (!source.concerns(record)) return;
      if (live) stream.show(record);
      else early.push(record);
    });
    try {
      const snapshot = await source.read(stream);
      if (this.stopping || connection.closed) {
        stopListening();
        connection.end();
        return;
      }
      this.connections.add(connection);
      const heartbeat = setInterval(() => this.beat(connection, stream, source), HEARTBEAT_MS);
      connection.onClose(() => {
        clearInterval(heartbeat);
        stopListening();
        stream.close();
        this.connections.delete(connection);
      });
      connection.open();
      for (const record of snapshot) stream.catchUp(record);
      live = true;
      for (const record of early) stream.show(record);
    } catch (error) {
      stopListening();
      throw error;
    }
  }

  private beat(connection: SseConnection, stream: JobStream, source: StreamSource): void {
    connection.comment('heartbeat');
    source.read(stream).then(
      (records) => {
        if (!connection.closed) for (const record of records) stream.catchUp(record);
      },
      (error: unknown) => {
        // The job or its owner was deleted, or the database is away: the client connects again and learns which.
        this.logger.debug(`Stream ended: ${String(error)}`);
        connection.end();
      },
    );
  }
}
