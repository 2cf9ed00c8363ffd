/** The way in which a cell shows its number; null: as it is. */
export type NumberKind = 'date' | 'percentage' | null;

/** Built-in formats that are dates and times (ECMA-376, 18.8.30), and percentages. */
const DATES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;
const PERCENTAGES: ReadonlySet<number> = new Set([9, 10]);
/** Text, colours and conditions in a format. */
const LITERALS = /"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g;
const DAY_MS = 86_400_000;
/** Day 0 of Excel's dates, for those from March 1900 on: Excel has a day 29 February 1900. */
const EPOCH = Date.UTC(1899, 11, 30);
/** Days between the two kinds of dates that workbooks have. */
const DAYS_TO_1904 = 1_462;
/** The day after 31 December 9999. */
const MAX_DAY = 2_958_466;

/** @param code of a format that the workbook defines; null: a built-in one */
export function numberKindOf(id: number, code: string | null): NumberKind {
  if (code === null) {
    if (PERCENTAGES.has(id)) return 'percentage';
    return DATES.some(([first, last]) => id >= first && id <= last) ? 'date' : null;
  }
  const plain = code.replace(LITERALS, '');
  if (/general/i.test(plain)) return null;
  if (plain.includes('%')) return 'percentage';
  return /[ymdhs]/i.test(plain) ? 'date' : null;
}

/** A number as a cell shows it; dates as `2026-04-14` or `2026-04-14 09:30`. */
export function shownNumber(value: number, kind: NumberKind, is1904: boolean): string {
  if (kind === 'percentage') return `${Number((value * 100).toPrecision(12))}%`;
  const days = is1904 ? value + DAYS_TO_1904 : value;
  if (kind === null || !(value >= 0 && days < MAX_DAY)) return String(value);
  const [date, time] = new Date(EPOCH + Math.round(days * 1_440) * (DAY_MS / 1_440)).toISOString().split('T');
  const minutes = time!.slice(0, 5);
  if (value < 1) return minutes;
  return minutes === '00:00' ? date! : `${date} ${minutes}`;
}
