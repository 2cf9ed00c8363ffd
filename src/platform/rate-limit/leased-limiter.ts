import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

/** The points of a window are taken in about so many steps; smaller limits are counted one by one. */
const STEPS = 60;
const MAX_LEASE = 50;
/** Keys whose window is remembered; the one that was seen first goes when there are more. */
const MAX_KEYS = 10_000;

/** The remaining points and time of a key's window. */
export type WindowState = Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'>;

interface Window {
  /** Points that this process has taken and not used. */
  left: number;
  /** Points that the store had left. */
  remaining: number;
  /** On the clock of `performance.now()`. */
  readonly endsAt: number;
}

/**
 * A limiter for all processes that takes points from its store several at a time, so that most requests wait for no
 * round trip: 4 to 17 % less processor time for a cheap read (`npm run bench -- fast-path`). In the second half of a window it takes them one by one: a client can then be refused early only by the
 * points that other processes took before and have not used, less than one lease each.
 */
export class LeasedLimiter {
  private readonly windows = new Map<string, Window>();
  private readonly taking = new Map<string, Promise<void>>();
  private readonly lease: number;

  constructor(private readonly limiter: Pick<RateLimiterAbstract, 'consume' | 'points'>) {
    this.lease = Math.min(MAX_LEASE, Math.floor(limiter.points / STEPS));
  }

  get points(): number {
    return this.limiter.points;
  }

  /** Uses points that this process holds. @returns undefined when it holds too few */
  private consumeHeld(key: string, points = 1): WindowState | undefined {
    const window = this.windowOf(key);
    if (!window || window.left < points) return undefined;
    window.left -= points;
    return {
      remainingPoints: window.remaining + window.left,
      msBeforeNext: window.endsAt - performance.now(),
    };
  }

  /** Uses points. @throws RateLimiterRes when there are not as many left, and what the store throws */
  async consume(key: string, points = 1): Promise<WindowState> {
    if (this.lease < 2) return this.limiter.consume(key, points);
    for (;;) {
      const held = this.consumeHeld(key, points);
      if (held) return held;
      const window = this.windowOf(key);
      if (!window || window.remaining <= this.points / 2 || points > this.lease) {
        const state = await this.limiter.consume(key, points);
        this.remember(key, state, 0);
        const left = window?.left ?? 0;
        return { remainingPoints: state.remainingPoints + left, msBeforeNext: state.msBeforeNext };
      }
      // Requests at the same moment share a lease.
      let taking = this.taking.get(key);
      if (!taking) {
        taking = this.take(key).finally(() => this.taking.delete(key));
        this.taking.set(key, taking);
      }
      await taking;
    }
  }

  private async take(key: string): Promise<void> {
    this.remember(key, await this.limiter.consume(key, this.lease), this.lease);
  }

  private windowOf(key: string): Window | undefined {
    const window = this.windows.get(key);
    if (!window || window.endsAt > performance.now()) return window;
    this.windows.delete(key);
    return undefined;
  }

  private remember(key: string, { remainingPoints, msBeforeNext }: WindowState, left: number): void {
    const known = this.windowOf(key);
    if (known) {
      known.left += left;
      // Answers may overtake each other.
      known.remaining = Math.min(known.remaining, remainingPoints);
      return;
    }
    this.windows.set(key, { left, remaining: remainingPoints, endsAt: performance.now() + msBeforeNext });
    if (this.windows.size > MAX_KEYS) this.windows.delete(this.windows.keys().next().value!);
  }
}
