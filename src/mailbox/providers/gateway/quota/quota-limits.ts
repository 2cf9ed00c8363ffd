/** Parameters of one account's buckets, in units and units per second. */
export interface QuotaLimits {
  /** Refill of the bucket that keeps to the per-second limit. */
  readonly ratePerSecond: number;
  /** Its capacity. */
  readonly burst: number;
  /** Left in it by background calls, so that an interactive one need not queue behind them. */
  readonly reserve: number;
  /** Hard cap over any 60 seconds. */
  readonly perMinute: number;
  /** Pace of background calls, just below the per-minute limit. */
  readonly pacePerSecond: number;
  readonly paceBurst: number;
}

/** Below the limit by what calls may bunch up on their way (a fifth of a second's units). */
const BURST_SHARE = 0.8;
const RESERVE_SHARE = 0.1;
/** Together they stay within the limit over any 61 seconds, the window's worst case. */
const PACE_SHARE = 0.965;
const PACE_BURST_SHARE = 0.018;

/** The buckets that keep an account within what the provider allows, using at least 95 % of it. */
export function quotaLimits(config: { unitsPerSecond: number; unitsPerMinute: number }): QuotaLimits {
  return {
    ratePerSecond: config.unitsPerSecond,
    burst: Math.max(1, config.unitsPerSecond * BURST_SHARE),
    reserve: config.unitsPerSecond * RESERVE_SHARE,
    perMinute: config.unitsPerMinute,
    pacePerSecond: (config.unitsPerMinute / 60) * PACE_SHARE,
    paceBurst: Math.max(1, config.unitsPerMinute * PACE_BURST_SHARE),
  };
}

/** Most units one call should ask for at once: what flows in a second, and what the buckets hold. */
export function comfortableUnits(limits: QuotaLimits): number {
  return Math.max(1, Math.min(limits.burst, limits.paceBurst, limits.pacePerSecond));
}
