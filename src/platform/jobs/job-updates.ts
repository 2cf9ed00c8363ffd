import { Injectable } from '@nestjs/common';
import { RedisBroadcast } from '../redis/redis-broadcast';
import type { JobRecord } from './job-record';

const CANCELLATIONS = 'jobs:cancelled';
const channelOf = (userId: string): string => `jobs:user:${userId}`;

/** Changes of jobs, from process to process. Messages may be lost: the table is the truth. */
@Injectable()
export class JobUpdates {
  constructor(private readonly broadcast: RedisBroadcast) {}

  /** Publishes a record to the listeners of the job's owner. */
  publish(record: JobRecord): void {
    this.broadcast.publish(channelOf(record.userId), record);
  }

  /** Announces a cancellation to the process that runs the job, whichever it is. */
  publishCancellation(id: string): void {
    this.broadcast.publish(CANCELLATIONS, id);
  }

  /** Calls `listener` for every record published for the user, until the returned function is called. */
  async listen(userId: string, listener: (record: JobRecord) => void): Promise<() => void> {
    return this.broadcast.listen(channelOf(userId), (message) => listener(message as JobRecord));
  }

  async listenToCancellations(listener: (id: string) => void): Promise<() => void> {
    return this.broadcast.listen(CANCELLATIONS, (message) => listener(message as string));
  }
}
