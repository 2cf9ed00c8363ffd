import { setTimeout } from './timers';
export interface Pace {
  /** Time in milliseconds without any bytes that is tolerated; bytes that arrive early are credited up to this. */
  readonly graceMs: number;
  /** Bytes per second of the slowest transfer that is waited for. */
  readonly bytesPerSecond: number;
}

/** Milliseconds that a transfer of the given bytes may take at most. */
export const longestTransferMs = ({ graceMs, bytesPerSecond }: Pace, bytes: number): number =>
  graceMs + (bytes * 1_000) / bytesPerSecond;

/**
 * Watches that a transfer keeps a minimum pace. Time counts only between `startWaiting` and `pause`, so that a slow reader is
 * not held against a fast sender. A sender that falls silent and one that trickles are found within the same time.
 * See ADR 31.
 */
export class PaceWatch {
  private credit: number;
  private waitingSince: number | null = null;
  private timer: NodeJS.Timeout | undefined;

  /** @param onSlow called once, when the sender has used up its time */
  constructor(
    private readonly pace: Pace,
    private readonly onSlow: () => void,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.credit = pace.graceMs;
  }

  /** Starts the clock: it is the sender's turn. */
  startWaiting(): void {
    if (this.waitingSince !== null) return;
    this.waitingSince = this.now();
    this.timer = setTimeout(() => this.check(), Math.max(0, this.credit));
  }

  /** Stops the clock: nothing is expected of the sender. */
  pause(): void {
    this.chargeElapsedTime();
    this.waitingSince = null;
    clearTimeout(this.timer);
  }

  recordBytes(bytes: number): void {
    this.chargeElapsedTime();
    const earned = (bytes * 1_000) / this.pace.bytesPerSecond;
    this.credit = Math.min(this.pace.graceMs, this.credit + earned);
  }

  private chargeElapsedTime(): void {
    if (this.waitingSince === null) return;
    const now = this.now();
    this.credit -= now - this.waitingSince;
    this.waitingSince = now;
  }

  /** The timer is not moved for every chunk: it looks whether there is time left, and comes back then. */
  private check(): void {
    this.chargeElapsedTime();
    if (this.credit > 0) {
      this.timer = setTimeout(() => this.check(), this.credit);
      return;
    }
    this.pause();
    this.onSlow();
  }
}
