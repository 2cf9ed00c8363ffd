import { Injectable, Logger } from '@nestjs/common';
import { ClientGone } from '../http/client-signal';
import { RedisService } from './redis.service';

/** Larger results are computed each time: Redis also holds the queues and the quota. */
const MAX_BYTES = 2 * 1024 * 1024;

export interface ComputedResult<T> {
  /** Survives JSON. */
  readonly value: T;
  /** Time for which the value is cached, in seconds. */
  readonly keepSeconds: number;
}

interface Computation {
  readonly isRefresh: boolean;
  readonly result: Promise<unknown>;
}

/**
 * Results that took an effort, kept in Redis for all processes. It saves work and nothing depends on it: when Redis
 * is unavailable, results are computed.
 */
@Injectable()
export class ResultCache {
  private readonly logger = new Logger(ResultCache.name);
  /** The latest of each name. */
  private readonly computing = new Map<string, Computation>();

  constructor(private readonly redis: RedisService) {}

  /**
   * The kept result, or a new one. Requests for the same result that find none share one computation in this process; one
   * that wants it refreshed shares only what was begun for another such.
   *
   * @param key names the result, e.g. `['heatmap', accountId]`
   * @param refresh computes whatever is kept, and keeps that instead
   */
  async getOrCompute<T>(
    key: readonly string[],
    refresh: boolean,
    compute: () => Promise<ComputedResult<T>>,
  ): Promise<T> {
    const name = this.redis.key('result', ...key);
    if (!refresh) {
      const kept = await this.read<T>(name);
      if (kept !== undefined) return kept;
    }
    const running = this.computing.get(name);
    if (running && (running.isRefresh || !refresh)) {
      try {
        return (await running.result) as T;
      } catch (error) {
        // The client for which it was computed has left, which is no answer for this one.
        if (!(error instanceof ClientGone)) throw error;
        return this.getOrCompute(key, refresh, compute);
      }
    }
    const isLatest = (): boolean => this.computing.get(name) === computation;
    const result = this.computeAndKeep(name, compute, isLatest).finally(() => {
      if (isLatest()) this.computing.delete(name);
    });
    const computation: Computation = { isRefresh: refresh, result };
    this.computing.set(name, computation);
    return result;
  }

  /** Deletes a kept result, so that the next request computes it. */
  async forget(key: readonly string[]): Promise<void> {
    await this.tryCommand('delete', () => this.redis.client.del(this.redis.key('result', ...key)));
  }

  private async computeAndKeep<T>(
    name: string,
    compute: () => Promise<ComputedResult<T>>,
    isLatest: () => boolean,
  ): Promise<T> {
    const { value, keepSeconds } = await compute();
    const text = JSON.stringify(value);
    if (isLatest() && Buffer.byteLength(text) <= MAX_BYTES) {
      await this.tryCommand('keep', () => this.redis.client.set(name, text, 'EX', keepSeconds));
    }
    return value;
  }

  private async read<T>(name: string): Promise<T | undefined> {
    const text = await this.tryCommand('read', () => this.redis.client.get(name));
    return text == null ? undefined : (JSON.parse(text) as T);
  }

  private async tryCommand<T>(what: string, command: () => Promise<T>): Promise<T | undefined> {
    try {
      return await command();
    } catch (error) {
      this.logger.warn(`Could not ${what} a result: ${String(error)}`);
      return undefined;
    }
  }
}
