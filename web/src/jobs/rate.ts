/** When how much was done, in milliseconds and items. */
export interface Sample {
  readonly at: number;
  readonly processed: number;
}

/** A rate over less time than this says little. */
const LEAST_MS = 2_000;

/** Items a second between two samples, and the seconds that are left at this rate; null while it is too early to say. */
export function rateOf(
  first: Sample,
  last: Sample,
  total: number,
): { readonly perSecond: number; readonly secondsLeft: number } | null {
  const elapsed = last.at - first.at;
  const done = last.processed - first.processed;
  if (elapsed < LEAST_MS || done <= 0) return null;
  const perSecond = done / (elapsed / 1000);
  return { perSecond, secondsLeft: Math.max(0, total - last.processed) / perSecond };
}
