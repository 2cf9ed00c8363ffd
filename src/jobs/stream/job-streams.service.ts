import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import type { AuthenticatedUser } from '../../common/auth/authenticated-user';
import { SessionEndings } from '../../common/auth/session-endings.port';
import { JobEvents } from '../../common/jobs/job-events';
import { JobReader } from '../../common/jobs/records/job-reader';
import type { JobRecord } from '../../common/jobs/records/job-record';
import { JobTimings } from '../../common/jobs/job-timings';
import { JobStream } from './job-stream';
import { SseConnection } from '../../common/http/sse/sse-connection';
import { StreamPlaces } from '../../common/http/sse/stream-places';

const HEARTBEAT_MS = 15_000;

/** Jobs a stream begins with. */
const SNAPSHOT_JOBS = 500;

interface StreamSource {
  readonly user: AuthenticatedUser;
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
  private readonly places = new StreamPlaces();
  private stopping = false;

  constructor(
    private readonly reader: JobReader,
    private readonly events: JobEvents,
    private readonly timings: JobTimings,
    private readonly sessions: SessionEndings,
  ) {}

  /**
   * All of the user's jobs, until the client goes away or its session ends.
   * @throws TooManyStreams
   */
  async streamAll(user: AuthenticatedUser, response: Response): Promise<void> {
    await this.stream(response, {
      user,
      read: (stream) => this.reader.openOrNamed(user.id, stream.openIds, SNAPSHOT_JOBS),
      concerns: () => true,
      endsWithJob: false,
    });
  }

  /**
   * One job, until it has ended.
   * @throws ResourceNotFound, TooManyStreams
   */
  async streamOne(user: AuthenticatedUser, jobId: string, response: Response): Promise<void> {
    const { id } = await this.reader.findRecord(user.id, jobId);
    await this.stream(response, {
      user,
      read: async () => [await this.reader.findRecord(user.id, id)],
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
    if (response.req.method === 'HEAD') {
      connection.open();
      connection.end();
      return;
    }
    const leave = [
      this.places.take(source.user.id),
      this.sessions.onEnded(source.user, () => connection.end()),
    ];
    const stream = new JobStream(connection, this.timings.publishMs, () => {
      if (source.endsWithJob) connection.end();
    });
    // Listening begins before the snapshot is read, and speaks after it: nothing is missed, nothing comes early.
    const early: JobRecord[] = [];
    let live = false;
    try {
      leave.push(
        await this.events.listen(source.user.id, (record) => {
          if (!source.concerns(record)) return;
          if (live) stream.show(record);
          else early.push(record);
        }),
      );
      const snapshot = await source.read(stream);
      if (this.stopping || connection.closed) {
        connection.end();
        for (const undo of leave) undo();
        return;
      }
      this.connections.add(connection);
      const heartbeat = setInterval(() => void this.beat(connection, stream, source), HEARTBEAT_MS);
      connection.onClose(() => {
        clearInterval(heartbeat);
        for (const undo of leave) undo();
        stream.close();
        this.connections.delete(connection);
      });
      connection.open();
      for (const record of snapshot) stream.catchUp(record);
      live = true;
      for (const record of early) stream.show(record);
    } catch (error) {
      for (const undo of leave) undo();
      throw error;
    }
  }

  private async beat(connection: SseConnection, stream: JobStream, source: StreamSource): Promise<void> {
    connection.comment('heartbeat');
    try {
      // The news of its end may have been lost on the way.
      if (await this.sessions.hasEnded(source.user)) {
        connection.end();
        return;
      }
      const records = await source.read(stream);
      if (!connection.closed) for (const record of records) stream.catchUp(record);
    } catch (error) {
      // The job or its owner was deleted, or the database is away: the client connects again and learns which.
      this.logger.debug(`Stream ended: ${String(error)}`);
      connection.end();
    }
  }
}
