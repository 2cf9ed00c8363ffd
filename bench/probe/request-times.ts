import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import Redis from 'ioredis';
import pg from 'pg';
import { FairSemaphore } from '../../src/platform/concurrency/fair-semaphore';
import type { RequestTimes } from './probe.types';

/** Of all requests; those beyond are not looked at. */
const MOST_REQUESTS = 500_000;
const SLOWEST = 0.01;

type Waited = 'turn' | 'connection' | 'statements' | 'redis' | 'provider';

/** One request, and how long it has waited for what. Waits of one kind that overlap count once. */
class Timed {
  readonly waits: Record<Waited, number> = { turn: 0, connection: 0, statements: 0, redis: 0, provider: 0 };
  private readonly underWay = new Map<Waited, { count: number; since: number }>();
  readonly startedAt = performance.now();
  totalMs = 0;

  begin(kind: Waited): void {
    const open = this.underWay.get(kind);
    if (open) open.count += 1;
    else this.underWay.set(kind, { count: 1, since: performance.now() });
  }

  end(kind: Waited): void {
    const open = this.underWay.get(kind);
    if (!open || --open.count > 0) return;
    this.underWay.delete(kind);
    this.waits[kind] += performance.now() - open.since;
  }
}

/** What the requests of this process wait for, as its drivers show it. */
export class RequestTimesProbe {
  private readonly current = new AsyncLocalStorage<Timed>();
  private finished: Timed[] = [];
  private isWatching = false;

  /** Forgets the requests so far; from the first call on every request is timed. */
  reset(): void {
    this.finished = [];
    if (this.isWatching) return;
    this.isWatching = true;
    this.watchRequests();
    this.watchProvider();
    this.watch(FairSemaphore.prototype, 'reserve', 'turn');
    this.watch(pg.Pool.prototype, 'connect', 'connection');
    this.watch(pg.Client.prototype, 'query', 'statements');
    this.watch(Redis.prototype, 'sendCommand', 'redis');
  }

  /** @returns the means of the slowest hundredth of all requests since the last reset; noughts when there were none */
  slowest(): RequestTimes {
    const sorted = this.finished.sort((one, other) => other.totalMs - one.totalMs);
    const some = sorted.slice(0, Math.ceil(sorted.length * SLOWEST));
    const mean = (of: (timed: Timed) => number): number =>
      some.reduce((sum, timed) => sum + of(timed), 0) / Math.max(1, some.length);
    return {
      total: mean(({ totalMs }) => totalMs),
      turn: mean(({ waits }) => waits.turn),
      connection: mean(({ waits }) => waits.connection),
      statements: mean(({ waits }) => waits.statements),
      redis: mean(({ waits }) => waits.redis),
      provider: mean(({ waits }) => waits.provider),
    };
  }

  private watchRequests(): void {
    const timed = new WeakMap<IncomingMessage, Timed>();
    subscribe('http.server.request.start', (message) => {
      const { request } = message as { request: IncomingMessage };
      const one = new Timed();
      timed.set(request, one);
      this.current.enterWith(one);
    });
    subscribe('http.server.response.finish', (message) => {
      const one = timed.get((message as { request: IncomingMessage }).request);
      if (!one || this.finished.length >= MOST_REQUESTS) return;
      one.totalMs = performance.now() - one.startedAt;
      this.finished.push(one);
    });
  }

  private watchProvider(): void {
    const calls = new WeakMap<object, Timed>();
    const ended = (message: unknown): void => {
      const { request } = message as { request: object };
      calls.get(request)?.end('provider');
      calls.delete(request);
    };
    subscribe('http.client.request.start', (message) => {
      const one = this.current.getStore();
      if (!one) return;
      calls.set((message as { request: object }).request, one);
      one.begin('provider');
    });
    subscribe('http.client.response.finish', ended);
    subscribe('http.client.request.error', ended);
  }

  /** Times what a method's promise takes. */
  private watch(prototype: object, method: string, kind: Waited): void {
    const methods = prototype as Record<string, (...args: unknown[]) => unknown>;
    const original = methods[method]!;
    const { current } = this;
    methods[method] = function (this: unknown, ...args: unknown[]): unknown {
      const result = original.apply(this, args);
      const one = current.getStore();
      if (one && result instanceof Promise) {
        one.begin(kind);
        const end = (): void => one.end(kind);
        result.then(end, end);
      }
      return result;
    };
  }
}
