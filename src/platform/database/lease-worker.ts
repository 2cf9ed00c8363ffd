import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from '@nestjs/common';
import type { Lease } from './leased-rows';
import { describeError } from '../logging/describe-error';
import { HeartbeatOptions, LeaseHeartbeat, LeaseHolder } from './lease-heartbeat';
import { Ticker } from '../concurrency/ticker';
import { setTimeout } from '../concurrency/timers';

export interface LeaseWorkerOptions<T> {
  /** Pieces of work at a time, in this process. */
  readonly slots: number;
  /**
   * Interval at which it looks for work without a wake-up, in milliseconds. That finds work that was not announced, or
   * that a dead process left.
   */
  readonly pollMs?: number;
  /** Claims at most `free` pieces of work. It is called again until it returns none. @param running work that has not ended */
  claim(free: number, running: readonly T[]): Promise<readonly T[]>;
  /** Does one piece of work. @param signal aborted, with a `LeaseLost` or a `WorkerStopping`, when it has to end */
  run(work: T, signal: AbortSignal): Promise<void>;
  /** Without it leases are not renewed: for work that is shorter than its lease, or renews it by itself. */
  readonly heartbeat?: Omit<HeartbeatOptions<unknown>, 'logger'> & { leaseOf(work: T): Lease };
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}

/** Abort reason: another process may be working on the row by now, so nothing more may be written. */
export class LeaseLost extends Error {
  constructor() {
    super('The lease was lost.');
    this.name = 'LeaseLost';
  }
}

/** Abort reason: the process is stopping, and another one is to continue the work. */
export class WorkerStopping extends Error {
  constructor() {
    super('The process is stopping.');
    this.name = 'WorkerStopping';
  }
}

/**
 * This process's share of work that lies in leased rows: it claims as much as it has slots for and runs it. The table is
 * the truth; calls of `work` and `wake` only make it look sooner.
 */
export class LeaseWorker<T> {
  private readonly running = new Map<
    Promise<void>,
    { readonly work: T; readonly controller: AbortController }
  >();
  private readonly ticker: Ticker | undefined;
  private readonly heartbeat: LeaseHeartbeat<unknown> | undefined;
  /** Calls of `work` that have not been answered, oldest first. */
  private readonly waiting: (() => void)[] = [];
  private looking: Promise<void> | undefined;
  private lookAgain = false;
  private started = false;
  private stopped = false;
  private aborting = false;
  /**
   * Runs work without the context of the request that happened to wake the worker: not with its user, log fields or
   * limits.
   */
  private readonly withoutContext = AsyncLocalStorage.snapshot();

  constructor(private readonly options: LeaseWorkerOptions<T>) {
    const { pollMs, heartbeat, logger } = options;
    if (pollMs !== undefined) this.ticker = new Ticker(pollMs, async () => this.wake(), logger);
    if (heartbeat) this.heartbeat = new LeaseHeartbeat({ ...heartbeat, logger });
  }

  get freeSlots(): number {
    return this.stopped ? 0 : this.options.slots - this.running.size;
  }

  /** Begins to look for work. Before that, only `drain` claims anything. */
  start(): void {
    this.started = true;
    this.ticker?.start();
    this.wake();
  }

  /** Looks for work soon, if there is room for it. */
  wake(): void {
    if (!this.started || this.stopped) return;
    this.lookAgain = true;
    // Only one claim runs at a time; a call in the meantime causes another one afterwards.
    this.looking ??= this.withoutContext(() => this.claimWork()).finally(() => {
      this.looking = undefined;
      // A call may have come when the claim was about to end.
      if (this.lookAgain) this.wake();
      else this.resolveWaiting();
    });
  }

  /**
   * Looks for work, once it has started. As many calls stay pending as pieces of work are under way, so that a queue that
   * calls it for every wake-up leaves further ones to processes that have time. Never rejects.
   */
  work(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    const answer = new Promise<void>((resolve) => this.waiting.push(resolve));
    this.wake();
    return answer;
  }

  /** Works until nothing can be claimed and everything claimed has ended, started or not. */
  async drain(): Promise<void> {
    this.started = true;
    this.wake();
    await this.waitUntilIdle();
  }

  /** Claims nothing more. */
  stopClaiming(): void {
    this.stopped = true;
  }

  /**
   * Claims nothing more; what runs has `graceMs` to end by itself, then it is aborted and has `abortMs` to end.
   * @returns number of pieces of work that are left; their leases run out
   */
  async stop({ graceMs = 0, abortMs }: { graceMs?: number; abortMs: number }): Promise<number> {
    this.stopClaiming();
    await this.ticker?.stop();
    await this.waitUntilIdleWithin(graceMs);
    this.aborting = true;
    for (const { controller } of this.running.values()) controller.abort(new WorkerStopping());
    await this.waitUntilIdleWithin(abortMs);
    this.heartbeat?.stop();
    for (const resolve of this.waiting.splice(0)) resolve();
    return this.running.size;
  }

  private async waitUntilIdleWithin(limitMs: number): Promise<void> {
    if (limitMs <= 0) return;
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)));
    await Promise.race([this.waitUntilIdle(), limit]);
    clearTimeout(timer);
  }

  private async waitUntilIdle(): Promise<void> {
    while (this.looking || this.running.size > 0) {
      await Promise.all([this.looking, ...this.running.keys()]);
    }
  }

  private async claimWork(): Promise<void> {
    try {
      while (this.lookAgain && this.freeSlots > 0) {
        this.lookAgain = false;
        const running = [...this.running.values()].map(({ work }) => work);
        const claimed = await this.options.claim(this.freeSlots, running);
        for (const work of claimed) this.startWork(work);
        this.lookAgain ||= claimed.length > 0;
      }
    } catch (error) {
      // The next look tries again: the database comes back.
      this.options.logger.warn(`Could not claim work: ${describeError(error).message}`);
    }
    this.lookAgain = false;
  }

  private startWork(work: T): void {
    const controller = new AbortController();
    // The work may have been claimed when the worker was about to stop.
    if (this.aborting) controller.abort(new WorkerStopping());
    const running = this.run(work, controller).finally(() => {
      this.running.delete(running);
      if (this.stopped) this.resolveWaiting();
      else this.wake();
    });
    this.running.set(running, { work, controller });
  }

  private async run(work: T, controller: AbortController): Promise<void> {
    const { heartbeat } = this.options;
    const holder = heartbeat && new HeldWork(heartbeat.leaseOf(work), heartbeat.leaseMs, controller);
    if (holder) this.heartbeat!.add(holder);
    try {
      await this.options.run(work, controller.signal);
    } catch (error) {
      this.options.logger.error(error);
    } finally {
      if (holder) this.heartbeat!.remove(holder);
    }
  }

  private resolveWaiting(): void {
    while (this.waiting.length > this.running.size) this.waiting.shift()!();
  }
}

/**
 * Returns the users who have as many pieces of work under way as one user may have.
 * @param userIds user of each piece of work
 */
export function usersAtLimit(limit: number, userIds: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const id of userIds) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= limit).map(([id]) => id);
}

/** Work under a lease: when the lease is lost, the work is aborted with a `LeaseLost`. */
export class HeldWork implements LeaseHolder<unknown> {
  readonly isEnding = false;
  private renewedAt = performance.now();

  constructor(
    readonly lease: Lease,
    private readonly leaseMs: number,
    private readonly controller: AbortController,
  ) {}

  get leaseExpired(): boolean {
    return performance.now() - this.renewedAt > this.leaseMs;
  }

  onRenewed(_row: unknown, askedAt: number): void {
    this.renewedAt = Math.max(this.renewedAt, askedAt);
  }

  onLeaseLost(): void {
    this.controller.abort(new LeaseLost());
  }
}
