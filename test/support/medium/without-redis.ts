import { KeyedQueue } from '../../../src/platform/concurrency/keyed-queue';
import type { BullQueues } from '../../../src/platform/redis/bull-queues';
import type { RedisBroadcast } from '../../../src/platform/redis/redis-broadcast';
import type { LockOptions, RedisLock } from '../../../src/platform/redis/redis-lock';
import { RedisService } from '../../../src/platform/redis/redis.service';
import type { ComputedResult, ResultCache } from '../../../src/platform/redis/result-cache';

type Public<T> = { [K in keyof T]: T[K] };
type Listener = (message: unknown) => void;

const NO_REDIS = 'A medium spec has no Redis: test this end to end';
/** Members by which libraries look at a client before they use it. */
const LOOKED_AT = new Set<string | symbol>(['defineCommand', 'isReady', 'status', 'then']);

/** A client of which every command fails. */
const refusingClient = new Proxy({} as RedisService['client'], {
  get: (client, name) => {
    if (LOOKED_AT.has(name) || name in client) return Reflect.get(client, name) as unknown;
    return () => Promise.reject(new Error(NO_REDIS));
  },
});

/** Delivers messages within the process. Its commands fail: what needs Redis itself is tested end to end. */
class LocalRedis implements Public<RedisService> {
  readonly client = refusingClient;
  private readonly listeners = new Map<string, Set<Listener>>();

  key(...parts: readonly string[]): string {
    return parts.join(':');
  }

  connect(): RedisService['client'] {
    return this.client;
  }

  async publish(channel: string, message: unknown): Promise<void> {
    for (const listener of this.listeners.get(channel) ?? []) listener(JSON.parse(JSON.stringify(message)));
  }

  async subscribe(channel: string, listener: Listener): Promise<() => Promise<void>> {
    const listeners = this.listeners.get(channel) ?? new Set();
    this.listeners.set(channel, listeners.add(listener));
    return async () => void listeners.delete(listener);
  }

  async onApplicationShutdown(): Promise<void> {
    this.listeners.clear();
  }
}

/** Messages to other processes, of which there are none. */
class LocalBroadcast implements Public<RedisBroadcast> {
  constructor(private readonly redis: LocalRedis) {}

  publish(channel: string, message: unknown): void {
    void this.redis.publish(channel, message);
  }

  async listen(channel: string, listener: Listener): Promise<() => void> {
    const stop = await this.redis.subscribe(channel, listener);
    return () => void stop();
  }
}

/** Locks within the process. */
class LocalLock implements Public<RedisLock> {
  private readonly turns = new KeyedQueue();

  run<T>(key: readonly string[], work: () => Promise<T>, options: LockOptions): Promise<T> {
    return this.turns.run(key.join(':'), work, options);
  }
}

/** Results kept in memory as JSON, as Redis has them; they do not expire. */
class LocalResultCache implements Public<ResultCache> {
  private readonly results = new Map<string, string>();

  async getOrCompute<T>(
    key: readonly string[],
    refresh: boolean,
    compute: () => Promise<ComputedResult<T>>,
  ): Promise<T> {
    const name = key.join(':');
    const kept = refresh ? undefined : this.results.get(name);
    if (kept !== undefined) return JSON.parse(kept) as T;
    const { value } = await compute();
    this.results.set(name, JSON.stringify(value));
    return value;
  }

  async forget(key: readonly string[]): Promise<void> {
    this.results.delete(key.join(':'));
  }
}

/** Queues that wake no worker: a spec runs its jobs itself. */
class SilentQueues implements Pick<Public<BullQueues>, 'wake' | 'stopConsuming' | 'onApplicationShutdown'> {
  wake(): void {}

  queue(): object {
    return { process() {}, on() {} };
  }

  async stopConsuming(): Promise<void> {}

  async onApplicationShutdown(): Promise<void> {}
}

/** The substitutes for Redis in a medium spec. */
export function withoutRedis(): {
  redis: LocalRedis;
  broadcast: LocalBroadcast;
  lock: LocalLock;
  results: LocalResultCache;
  queues: SilentQueues;
} {
  const redis = new LocalRedis();
  return {
    redis,
    broadcast: new LocalBroadcast(redis),
    lock: new LocalLock(),
    results: new LocalResultCache(),
    queues: new SilentQueues(),
  };
}
