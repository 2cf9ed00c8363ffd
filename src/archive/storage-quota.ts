/** Parts of the quota, in percent, that are warned about. */
export const QUOTA_MARKS = [80, 90, 100] as const;
export type QuotaMark = (typeof QUOTA_MARKS)[number];

/** What a user has been told of their usage. */
export interface NotifiedLevel {
  /** 0, or the highest mark told. */
  readonly percent: number;
  /** Bytes there was room for when a refusal was told; null when none is in force. */
  readonly refusedRoom: number | null;
}

export interface QuotaChange {
  readonly quotaBytes: number;
  readonly usedBefore: number;
  readonly usedAfter: number;
  /** Something did not fit, which is the quota being used up however much is left. */
  readonly refused: boolean;
}

/** The highest mark a usage has reached, 0 below the first. A quota of nothing is used up from the start. */
export function levelOf(usedBytes: number, quotaBytes: number): QuotaMark | 0 {
  return QUOTA_MARKS.findLast((mark) => usedBytes * 100 >= quotaBytes * mark) ?? 0;
}

/**
 * How many mails there is room for, from the first on; those after one that does not fit are not asked.
 * @param growths bytes by which each makes the archive larger; not positive for one that replaces a larger one, which
 *   is welcome even above the quota
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
 * Which mark is to be told of, if any, and what has been told then. Each crossing is told once: a mark is told again
 * after the usage was below it, or the quota was raised so that it was, and a refusal after there was more room.
 */
export function dueNotification(
  told: NotifiedLevel,
  change: QuotaChange,
): { told: NotifiedLevel; mark: QuotaMark | null } {
  const { quotaBytes, usedBefore, usedAfter, refused } = change;
  const stillRefused = told.refusedRoom !== null && quotaBytes - usedBefore <= told.refusedRoom;
  const standing = stillRefused ? told.percent : Math.min(told.percent, levelOf(usedBefore, quotaBytes));
  const reached = refused ? 100 : levelOf(usedAfter, quotaBytes);
  const known = stillRefused ? told.refusedRoom : null;
  return {
    mark: reached !== 0 && reached > standing ? reached : null,
    told: {
      percent: Math.max(standing, reached),
      refusedRoom: refused ? Math.max(quotaBytes - usedAfter, known ?? -Infinity) : known,
    },
  };
}
