import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { RedisService } from '../redis/redis.service';
import type { JobRecord } from './records/job-record';

/** How long a listener waits for Redis; it re-reads the table anyway. */
const SUBSCRIBE_MS = 2_000;

const CANCELLATIONS = 'jobs:cancelled';
const ofUser = (userId: string): string => `jobs:user:${userId}`;

/** News about jobs between processes, through Redis. Lossy by nature: the table is the truth. */
@Injectable()
export class JobEvents {
  private readonly logger = new Logger(JobEvents.name);
  private reportedFailure = false;

  constructor(private readonly redis: RedisService) {}

  /** Tells the listeners of the job's owner. */
  publish(record: JobRecord): void {
    this.send(ofUser(record.userId), record);
  }

  /** Tells the process that runs the job, whichever it is, that it was cancelled. */
  publishCancellation(id: string): void {
    this.send(CANCELLATIONS, id);
  }

  /** Calls `listener` for every record published for the user, until the returned function is called. */
  async listen(userId: string, listener: (record: JobRecord) => void): Promise<() => void> {
    return this.subscribe(ofUser(userId), (message) => listener(message as JobRecord));
  }

  async listenToCancellations(listener: (id: string) => void): Promise<() => void> {
    return this.subscribe(CANCELLATIONS, (message) => listener(message as string));
  }

  private async subscribe(channel: string, listener: (message: unknown) => void): Promise<() => void> {
    const subscription = this.redis.subscribe(channel, listener);
    const stop = (): void => {
      subscription.then((unsubscribe) => unsubscribe()).catch((error: unknown) => this.report(error));
    };
    // While Redis is away the subscription stays queued and takes effect when it is back.
    await Promise.race([
      subscription.catch((error: unknown) => this.report(error)),
      delay(SUBSCRIBE_MS, undefined, { ref: false }),
    ]);
    return stop;
  }

  private send(channel: string, message: unknown): void {
    this.redis.publish(channel, message).then(
      () => {
        this.reportedFailure = false;
      },
      (error: unknown) => this.report(error),
    );
  }

  /** Once per outage, not four times a second. */
  private report(error: unknown): void {
    if (this.reportedFailure) return;
    this.reportedFailure = true;
    this.logger.warn(`Live job updates are interrupted: ${String(error)}`);
  }
}
