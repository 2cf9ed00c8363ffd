/** Share of a provider's daily limit that jobs use. The rest is left to people and other programs. */
export const SHARE_OF_JOBS = 0.8;

/** Bytes that are read of a message before its body: header fields and the structure of its parts. An estimate. */
export const HEADER_BYTES = 2_048;

const DAY_MS = 24 * 60 * 60_000;

/** A provider's daily limit of bytes in one direction, and its use. */
export interface DailyBytes {
  readonly limit: number;
  /** Bytes of the last 24 hours. */
  readonly used: number;
}

/**
 * Returns the time by which jobs have transferred so many bytes, or null when they fit into the rest of this day's limit.
 * Every day counts in full: bytes that were used become free within 24 hours.
 * @param share part of the limit that jobs use
 */
export function completionOf(
  bytes: number,
  { limit, used }: DailyBytes,
  now: Date,
  share = SHARE_OF_JOBS,
): Date | null {
  const perDay = limit * share;
  const left = bytes - Math.max(0, perDay - used);
  return left <= 0 ? null : new Date(now.getTime() + Math.ceil(left / perDay) * DAY_MS);
}
