import { Injectable } from '@nestjs/common';
import { LiveNews } from '../../redis/live-news';
import type { JobRecord } from '../records/job-record';

const CANCELLATIONS = 'jobs:cancelled';
const ofUser = (userId: string): string => `jobs:user:${userId}`;

/** News about jobs between processes. Lossy by nature: the table is the truth. */
@Injectable()
export class JobEvents {
  constructor(private readonly news: LiveNews) {}

  /** Tells the listeners of the job's owner. */
  publish(record: JobRecord): void {
    this.news.publish(ofUser(record.userId), record);
  }

  /** Tells the process that runs the job, whichever it is, that it was cancelled. */
  publishCancellation(id: string): void {
    this.news.publish(CANCELLATIONS, id);
  }

  /** Calls `listener` for every record published for the user, until the returned function is called. */
  async listen(userId: string, listener: (record: JobRecord) => void): Promise<() => void> {
    return this.news.listen(ofUser(userId), (message) => listener(message as JobRecord));
  }

  async listenToCancellations(listener: (id: string) => void): Promise<() => void> {
    return this.news.listen(CANCELLATIONS, (message) => listener(message as string));
  }
}
