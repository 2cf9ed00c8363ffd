import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import Bull from 'bull';
import type Redis from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { RedisService } from '../common/redis/redis.service';
import type { JobQueue } from './job-queue';
import { ALL_JOB_QUEUES, JOB_QUEUES } from './job-queue';

const CLOSE_MS = 1_000;
const MAX_RETRY_MS = 2_000;

/**
 * One Bull queue per lane, which only wakes workers up: its jobs carry nothing, and losing them costs seconds,
 * because workers also look at the table from time to time.
 */
@Injectable()
export class BullJobQueues implements OnApplicationShutdown {
  private readonly logger = new Logger(BullJobQueues.name);
  private readonly queues = new Map<JobQueue, Bull.Queue>();
  private readonly connections: Redis[] = [];
  private shared: Record<'client' | 'subscriber', Redis> | undefined;
  /** Wake-ups on their way: a stopping process hands its jobs over with its last ones. */
  private readonly waking = new Set<Promise<unknown>>();
  private closing = false;

  constructor(private readonly redis: RedisService) {}

  /** Wakes one free worker of the lane, in whichever process. */
  wake(lane: JobQueue): void {
    if (this.closing) return;
    const waking = this.queue(lane)
      .add({})
      .catch((error: unknown) => {
        this.logger.warn(`Workers of ${lane} were not woken, they look again soon: ${String(error)}`);
      })
      .finally(() => this.waking.delete(waking));
    this.waking.add(waking);
  }

  /** Calls `work` for every wake-up, as often at a time as the lane's concurrency allows. */
  consume(work: (lane: JobQueue) => Promise<void>): void {
    for (const lane of ALL_JOB_QUEUES) {
      this.queue(lane)
        .process(JOB_QUEUES[lane].concurrency, () => work(lane))
        .catch((error: unknown) => {
          if (!this.closing) this.logger.error(error);
        });
    }
  }

  /** Leaves further wake-ups, those of this process included, to other processes. */
  async stopConsuming(): Promise<void> {
    await this.atMost(CLOSE_MS, (queue) => queue.pause(true, true));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.race([Promise.allSettled(this.waking), delay(CLOSE_MS, undefined, { ref: false })]);
    this.closing = true;
    await this.atMost(CLOSE_MS, (queue) => queue.close(true));
    for (const connection of this.connections) connection.disconnect();
  }

  /** Bull waits for the server's answers; one that is away must not keep the process from ending. */
  private async atMost(milliseconds: number, act: (queue: Bull.Queue) => Promise<void>): Promise<void> {
    await Promise.race([
      Promise.allSettled([...this.queues.values()].map(act)),
      delay(milliseconds, undefined, { ref: false }),
    ]);
  }

  private queue(lane: JobQueue): Bull.Queue {
    let queue = this.queues.get(lane);
    if (!queue) {
      queue = new Bull(lane, {
        prefix: this.redis.key('queue'),
        createClient: (type) => this.connection(type),
        defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
        // Leases in the table decide what is lost; wake-ups of a dead process are just removed.
        settings: { maxStalledCount: 0 },
      });
      queue.on('error', (error) => this.onError(lane, error));
      this.queues.set(lane, queue);
    }
    return queue;
  }

  private onError(lane: JobQueue, error: Error): void {
    // After Redis was emptied Bull misses its own keys; the wake-up did its work all the same.
    if (!this.closing) this.logger.debug(`Queue ${lane}: ${error.message}`);
  }

  /** Commands and subscriptions share a connection for all lanes; each lane needs its own to block on. */
  private connection(type: 'client' | 'subscriber' | 'bclient'): Redis {
    if (type === 'bclient') return this.connect(null);
    this.shared ??= { client: this.connect(3), subscriber: this.connect(null) };
    return this.shared[type];
  }

  private connect(maxRetriesPerRequest: number | null): Redis {
    const connection = this.redis.connect({
      maxRetriesPerRequest,
      enableReadyCheck: false,
      // Bull connects its blocking connections again while it closes; with Redis away that would go on for ever.
      retryStrategy: (attempt) => (this.closing ? null : Math.min(attempt * 50, MAX_RETRY_MS)),
    });
    // One listener per lane and event.
    connection.setMaxListeners(10 * ALL_JOB_QUEUES.length);
    this.connections.push(connection);
    return connection;
  }
}
