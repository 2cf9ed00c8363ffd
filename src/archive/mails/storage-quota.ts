/** Percentages of the quota at which a user is warned. */
export const QUOTA_MARKS = [80, 90, 100] as const;
export type QuotaMark = (typeof QUOTA_MARKS)[number];

/** The level a user has been notified of. */
export interface NotifiedLevel {
  /** 0, or the highest mark notified. */
  readonly percent: number;
  /** Free bytes when a refusal was notified; null when none is in force. */
  readonly refusedRoom: number | null;
}

export interface QuotaChange {
  readonly quotaBytes: number;
  readonly usedBefore: number;
  readonly usedAfter: number;
  /** A mail did not fit: the quota counts as used up however much is left. */
  readonly refused: boolean;
}

/** The highest mark a usage has reached, 0 below the first. A quota of 0 bytes is used up from the start. */
export function levelOf(usedBytes: number, quotaBytes: number): QuotaMark | 0 {
  return QUOTA_MARKS.findLast((mark) => usedBytes * 100 >= quotaBytes * mark) ?? 0;
}

/**
 * The number of mails, from the first on, that fit. Mails after one that does not fit are not considered.
 * @param growths bytes each adds to the archive; a mail that replaces a larger one adds none, and fits even above the
 *   quota
 */
export function countFitting(growths: readonly number[], roomBytes: number): number {
  let room = roomBytes;
  for (const [position, growth] of growths.entries()) {
    if (growth > 0 && growth > room) return position;
    room -= growth;
  }
  return growths.length;
}

/**
 * The mark to notify of, if any, and the level notified afterwards. Each crossing is notified once: a mark again after
 * the usage has been below it, also by a larger quota, and a refusal again after there was more room.
 */
export function dueNotification(
  notified: NotifiedLevel,
  change: QuotaChange,
): { notified: NotifiedLevel; mark: QuotaMark | null } {
  const { quotaBytes, usedBefore, usedAfter, refused } = change;
  const stillRefused = notified.refusedRoom !== null && quotaBytes - usedBefore <= notified.refusedRoom;
  const current = stillRefused
    ? notified.percent
    : Math.min(notified.percent, levelOf(usedBefore, quotaBytes));
  const reached = refused ? 100 : levelOf(usedAfter, quotaBytes);
  const refusedRoom = stillRefused ? notified.refusedRoom : null;
  return {
    mark: reached !== 0 && reached > current ? reached : null,
    notified: {
      percent: Math.max(current, reached),
      refusedRoom: refused ? Math.max(quotaBytes - usedAfter, refusedRoom ?? -Infinity) : refusedRoom,
    },
  };
}
