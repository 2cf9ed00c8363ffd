import { FactoryProvider, Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { getQueueToken } from '@nestjs/bull';
import Bull from 'bull';
import type Redis from 'ioredis';
import { AppConfig } from '../config/app-config';
import { RedisService } from './redis.service';
import { delay } from '../concurrency/timers';

const CLOSE_MS = 1_000;
const MAX_RETRY_MS = 2_000;

/**
 * Bull queues that only wake workers up. Their jobs carry nothing, and losing them costs seconds, because workers also
 * look at their table from time to time. A class with `@Processor` is called for every wake-up, in processes that run
 * jobs. See ADR 35.
 */
@Injectable()
export class BullQueues implements OnApplicationShutdown {
  private readonly logger = new Logger(BullQueues.name);
  private readonly queues = new Map<string, Bull.Queue>();
  private readonly connections: Redis[] = [];
  private shared: Record<'client' | 'subscriber', Redis> | undefined;
  /** Wake-ups on their way: a stopping process hands its work over with its last ones. */
  private readonly waking = new Set<Promise<unknown>>();
  private pausing: Promise<void> | undefined;
  private closing = false;

  constructor(
    private readonly redis: RedisService,
    private readonly config: AppConfig,
  ) {}

  /** Wakes one free worker of the queue, in whichever process. Returns at once. */
  wake(name: string): void {
    if (this.closing) return;
    const waking = this.queue(name)
      .add({})
      .catch((error: unknown) => {
        this.logger.warn(`Could not wake the workers of ${name}, they will poll soon: ${String(error)}`);
      })
      .finally(() => this.waking.delete(waking));
    this.waking.add(waking);
  }

  /** The process ends: leaves further wake-ups, including its own, to other processes. */
  stopConsuming(): Promise<void> {
    // Bull takes half a second for it: the first caller pauses all queues at once.
    this.pausing ??= this.config.runsJobs
      ? this.runOnQueues(CLOSE_MS, (queue) => queue.pause(true, true))
      : Promise.resolve();
    return this.pausing;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.race([Promise.allSettled(this.waking), delay(CLOSE_MS, undefined, { ref: false })]);
    this.closing = true;
    await this.runOnQueues(CLOSE_MS, (queue) => queue.close(true));
    for (const connection of this.connections) connection.disconnect();
  }

  queue(name: string): Bull.Queue {
    let queue = this.queues.get(name);
    if (!queue) {
      queue = this.open(name);
      this.queues.set(name, queue);
    }
    return queue;
  }

  private open(name: string): Bull.Queue {
    const queue = new Bull(name, {
      prefix: this.redis.key('queue'),
      createClient: (type) => this.connection(type),
      defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
      // Leases in the table decide what is lost; wake-ups of a dead process are just removed.
      settings: { maxStalledCount: 0 },
    });
    queue.on('error', (error) => this.onError(name, error));
    // Nest finds the processors in every process, and does not look at the promise.
    const process = queue.process.bind(queue);
    const processHere = async (
      concurrency: number,
      work: Bull.ProcessPromiseFunction<unknown>,
    ): Promise<void> => {
      if (!this.config.runsJobs) return;
      await process(concurrency, work).catch((error: unknown) => {
        if (!this.closing) this.logger.error(error);
      });
    };
    queue.process = processHere as Bull.Queue['process'];
    return queue;
  }

  /** Bull waits for the server's answers; one that is unavailable must not keep the process from ending. */
  private async runOnQueues(milliseconds: number, act: (queue: Bull.Queue) => Promise<void>): Promise<void> {
    await Promise.race([
      Promise.allSettled([...this.queues.values()].map(act)),
      delay(milliseconds, undefined, { ref: false }),
    ]);
  }

  private onError(name: string, error: Error): void {
    // After Redis was emptied Bull misses its own keys; the wake-up did its work all the same.
    if (!this.closing) this.logger.debug(`Queue ${name}: ${error.message}`);
  }

  /** Commands and subscriptions share a connection for all queues; each queue needs its own to block on. */
  private connection(type: 'client' | 'subscriber' | 'bclient'): Redis {
    if (type === 'bclient') return this.connect(null);
    this.shared ??= { client: this.connect(3), subscriber: this.connect(null) };
    return this.shared[type];
  }

  private connect(maxRetriesPerRequest: number | null): Redis {
    const connection = this.redis.connect({
      maxRetriesPerRequest,
      enableReadyCheck: false,
      // Bull connects its blocking connections again while it closes; with Redis unavailable that would never end.
      retryStrategy: (attempt) => (this.closing ? null : Math.min(attempt * 50, MAX_RETRY_MS)),
    });
    // Every queue listens for several events.
    connection.setMaxListeners(0);
    this.connections.push(connection);
    return connection;
  }
}

/** The queue as `@Processor(name)` looks for it. */
export const bullQueue = (name: string): FactoryProvider => ({
  provide: getQueueToken(name),
  inject: [BullQueues],
  useFactory: (queues: BullQueues) => queues.queue(name),
});
