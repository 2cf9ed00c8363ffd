import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { AccessRevocation } from '../access/access-revocation.port';
import { AuthenticatedUser, boundAccountsOf } from '../access/authenticated-user';
import type { SseOutlet } from '../sse/sse-connection';
import { type SseFeed, SseStreams } from '../sse/sse-streams';
import { JobReader } from './job-reader';
import { JobFeed, JobStream } from './job-stream';
import { JobTimings } from './job-timings';
import { JobUpdates } from './job-updates';

/** Jobs a stream begins with. */
const SNAPSHOT_JOBS = 500;

/**
 * Event streams about jobs. Updates come through Redis from the process that runs a job; the table is read at the start
 * and with every heartbeat, so that nothing stays missed when Redis was unavailable.
 */
@Injectable()
export class JobStreamsService implements BeforeApplicationShutdown {
  private readonly streams: SseStreams<AuthenticatedUser>;

  constructor(
    private readonly reader: JobReader,
    private readonly updates: JobUpdates,
    private readonly timings: JobTimings,
    revocation: AccessRevocation,
  ) {
    this.streams = new SseStreams(revocation);
  }

  /**
   * All jobs the user may see, until the client goes away or its session ends.
   * @throws TooManyStreams
   */
  async streamAll(user: AuthenticatedUser, response: Response): Promise<void> {
    await this.streams.serve(user, response, (connection) => this.feedOfAll(user, connection));
  }

  /** The events of `streamAll`, for a stream that also has other events. */
  feedOfAll(user: AuthenticatedUser, outlet: SseOutlet): SseFeed {
    const within = boundAccountsOf(user);
    return new JobFeed(new JobStream(outlet, this.timings.publishMs), {
      read: (stream) => this.reader.openOrNamed(user.id, stream.openIds, SNAPSHOT_JOBS, within),
      listen: (listener) => this.updates.listen(user.id, listener),
      concerns: ({ accountId }) => !within || (accountId !== null && within.includes(accountId)),
    });
  }

  /**
   * Streams one job until it has ended.
   * @throws ResourceNotFound, TooManyStreams
   */
  async streamOne(user: AuthenticatedUser, jobId: string, response: Response): Promise<void> {
    const within = boundAccountsOf(user);
    const { id } = await this.reader.findRecord(user.id, jobId, within);
    await this.streams.serve(
      user,
      response,
      (connection) =>
        new JobFeed(new JobStream(connection, this.timings.publishMs, () => connection.end()), {
          read: async () => [await this.reader.findRecord(user.id, id, within)],
          listen: (listener) => this.updates.listen(user.id, listener),
          concerns: (record) => record.id === id,
        }),
    );
  }

  beforeApplicationShutdown(): void {
    this.streams.stop();
  }
}
