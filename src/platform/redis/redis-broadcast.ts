import { Injectable, Logger } from '@nestjs/common';
import { RedisService } from './redis.service';
import { delay } from '../concurrency/timers';

/** Time that a listener waits for Redis, in milliseconds; it re-reads the table anyway. */
const SUBSCRIBE_MS = 2_000;

/** Messages between processes, through Redis. They may get lost: listeners look at the table from time to time. */
@Injectable()
export class RedisBroadcast {
  private readonly logger = new Logger(RedisBroadcast.name);
  private reportedFailure = false;

  constructor(private readonly redis: RedisService) {}

  /** Sends to all listeners of the channel, in any process; to none without Redis. Never fails, never waits. */
  publish(channel: string, message: unknown): void {
    this.redis.publish(channel, message).then(
      () => {
        this.reportedFailure = false;
      },
      (error: unknown) => this.report(error),
    );
  }

  /** Calls `listener` for every message, until the returned function is called. */
  async listen(channel: string, listener: (message: unknown) => void): Promise<() => void> {
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

  /** Logs the first failure of an outage: the others follow four times a second. */
  private report(error: unknown): void {
    if (this.reportedFailure) return;
    this.reportedFailure = true;
    this.logger.warn(`Live updates are interrupted: ${String(error)}`);
  }
}
