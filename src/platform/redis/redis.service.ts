import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import Redis, { RedisOptions } from 'ioredis';
import { AppConfig } from '../config/app-config';
import { delay } from '../concurrency/timers';

const QUIT_MS = 1_000;

type Listener = (message: unknown) => void;

/**
 * The process's Redis connections: one for commands, one for subscriptions. Everything in Redis can be rebuilt;
 * keys carry the configured prefix so that several installations can share a server.
 */
@Injectable()
export class RedisService implements OnApplicationShutdown {
  private readonly logger = new Logger(RedisService.name);
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly subscriber: Redis;
  /** For commands. A command waits at most a few seconds for a lost connection, then fails. */
  readonly client: Redis;

  constructor(private readonly config: AppConfig) {
    // Commands of the same tick leave in one write: under load that is most of a command's cost.
    this.client = this.connect({
      maxRetriesPerRequest: 3,
      commandTimeout: 5_000,
      enableAutoPipelining: true,
    });
    this.subscriber = this.connect({ maxRetriesPerRequest: null });
    this.subscriber.on('message', (channel: string, text: string) => this.deliver(channel, text));
  }

  /** `mailroom:<part>:<part>` */
  key(...parts: readonly string[]): string {
    return [this.config.redis.prefix, ...parts].join(':');
  }

  /** A further connection with its own options, for libraries that need one; the caller closes it. */
  connect(options: RedisOptions): Redis {
    const connection = new Redis(this.config.redisUrl, { connectTimeout: 10_000, ...options });
    // Without a listener a lost connection would end the process; ioredis reconnects by itself.
    connection.on('error', (error: Error) => this.logger.warn(`Redis connection: ${error.message}`));
    return connection;
  }

  /** Sends a JSON message to every process that listens on `channel`. */
  async publish(channel: string, message: unknown): Promise<void> {
    await this.client.publish(this.key(channel), JSON.stringify(message));
  }

  /** Listens on `channel` until the returned function is called. */
  async subscribe(channel: string, listener: Listener): Promise<() => Promise<void>> {
    const key = this.key(channel);
    let listeners = this.listeners.get(key);
    if (!listeners) {
      listeners = new Set();
      this.listeners.set(key, listeners);
    }
    listeners.add(listener);
    // Idempotent on the server, and awaited by every listener so that none misses what follows.
    await this.subscriber.subscribe(key);
    return () => this.unsubscribe(key, listener);
  }

  async onApplicationShutdown(): Promise<void> {
    // QUIT waits for the server; one that is unavailable must not keep the process from ending.
    const close = async (connection: Redis): Promise<void> => {
      if (connection.status === 'ready') {
        await Promise.race([connection.quit(), delay(QUIT_MS, undefined, { ref: false })]);
      }
      connection.disconnect();
    };
    await Promise.allSettled([close(this.client), close(this.subscriber)]);
  }

  private async unsubscribe(key: string, listener: Listener): Promise<void> {
    const listeners = this.listeners.get(key);
    if (!listeners?.delete(listener) || listeners.size > 0) return;
    this.listeners.delete(key);
    // No listener is left: no reason to wait for a server that may be unavailable.
    this.subscriber.unsubscribe(key).catch((error: unknown) => {
      this.logger.debug(`Unsubscribing failed: ${String(error)}`);
    });
  }

  private deliver(channel: string, text: string): void {
    const message: unknown = JSON.parse(text);
    for (const listener of this.listeners.get(channel) ?? []) listener(message);
  }
}
