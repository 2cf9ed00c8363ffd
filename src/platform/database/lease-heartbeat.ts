import type { Logger } from '@nestjs/common';
import type { Lease, Renewal } from './leased-rows';
import { describeError } from '../logging/describe-error';
import { Ticker } from '../concurrency/ticker';
import { setTimeout, setInterval } from '../concurrency/timers';

/** Renewals that may wait for their answer at once: one that hangs keeps a connection of the pool for minutes. */
const MAX_UNANSWERED = 4;
/** Checks for expired leases in the time of one lease: this process must notice before another one claims the row. */
const CHECKS_PER_LEASE = 15;

/** A piece of work that this process does under a lease. */
export interface LeaseHolder<W> {
  readonly lease: Lease;
  /** It renews the lease by itself: its row may be locked for seconds, and all others would wait for it. */
  readonly isEnding: boolean;
  /** The lease has run out without this process getting through to the database. */
  readonly leaseExpired: boolean;
  /** @param row what was read with the renewal @param askedAt by `performance.now()`: the lease may be no younger */
  onRenewed(row: W, askedAt: number): void;
  /** Another process may be working on it by now: stop. */
  onLeaseLost(): void;
}

export interface HeartbeatOptions<W> {
  readonly leaseMs: number;
  /** At most a third of the lease, so that one missed beat costs nothing. */
  readonly everyMs: number;
  /** Renews leases as `LeasedRows.renew` does. */
  renew(leases: readonly Lease[]): Promise<readonly (Renewal & W)[]>;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}

const nameOf = ({ id, token }: Lease): string => `${id} ${token}`;

/**
 * Renews the leases this process holds, all in one statement, and stops what has lost its lease. It beats while it holds
 * any.
 */
export class LeaseHeartbeat<W, H extends LeaseHolder<W> = LeaseHolder<W>> {
  private readonly holders = new Set<H>();
  private unanswered = 0;
  private stopped = false;
  private ticker: Ticker | undefined;
  private watchdog: NodeJS.Timeout | undefined;

  constructor(private readonly options: HeartbeatOptions<W>) {}

  get held(): readonly H[] {
    return [...this.holders];
  }

  /**
   * Adds a holder. An earlier attempt at the same row has lost its lease, or the row could not have been claimed: it is
   * stopped.
   */
  add(holder: H): void {
    for (const other of this.holders) if (other.lease.id === holder.lease.id) other.onLeaseLost();
    this.holders.add(holder);
    if (this.ticker) return;
    const { everyMs, leaseMs, logger } = this.options;
    this.ticker = new Ticker(everyMs, () => this.beat(), logger);
    if (!this.stopped) this.ticker.start();
    // Not part of the heartbeat: leases run out whether or not one gets through.
    this.watchdog = setInterval(() => this.stopExpired(), leaseMs / CHECKS_PER_LEASE).unref();
  }

  remove(holder: H): void {
    this.holders.delete(holder);
    if (this.holders.size > 0) return;
    clearInterval(this.watchdog);
    // `stop` never rejects; a round that is under way finds nothing to renew.
    void this.ticker?.stop();
    this.ticker = undefined;
  }

  /** Renews nothing more: what is still held is left to run out. */
  stop(): void {
    this.stopped = true;
    void this.ticker?.stop();
  }

  /**
   * A connection that hangs answers nothing for minutes: the question is asked again over another, several times before
   * a lease has run out.
   */
  private async beat(): Promise<void> {
    for (let due = this.listRenewable(); due.length > 0; due = this.listRenewable()) {
      if (this.unanswered >= MAX_UNANSWERED) {
        this.options.logger.warn(`Skipped a heartbeat: ${this.unanswered} are still waiting for an answer`);
        return;
      }
      if (await settlesWithin(this.renew(due), this.options.everyMs / 2)) return;
    }
  }

  /**
   * Renews leases. Never throws. An answer counts however late it is: a lease that is gone stays gone, one that is held
   * is dated.
   */
  private async renew(holders: readonly H[]): Promise<void> {
    const askedAt = performance.now();
    this.unanswered += 1;
    try {
      const rows = await this.options.renew(holders.map(({ lease }) => lease));
      const held = new Map(rows.map((row) => [nameOf(row), row]));
      for (const holder of holders) {
        const row = held.get(nameOf(holder.lease));
        if (!row) holder.onLeaseLost();
        // Otherwise it is held, and grows older.
        else if (row.renewed) holder.onRenewed(row, askedAt);
      }
    } catch (error) {
      this.options.logger.warn(`Heartbeat failed: ${describeError(error).message}`);
    } finally {
      this.unanswered -= 1;
    }
  }

  private stopExpired(): void {
    for (const holder of this.listRenewable()) if (holder.leaseExpired) holder.onLeaseLost();
  }

  private listRenewable(): readonly H[] {
    return this.held.filter((holder) => !holder.isEnding);
  }
}

async function settlesWithin(work: Promise<void>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), limitMs)));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
