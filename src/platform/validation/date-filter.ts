import { ValidationFailed } from '../http/domain-error';

/** `2024-02-29`, or with a time and perhaps a zone; without a zone it is UTC. */
const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface DateFilter {
  /** Inclusive. */
  readonly from: Date | null;
  /** Exclusive. */
  readonly until: Date | null;
}

/**
 * The range of a `from_date` / `to_date` pair, both inclusive as people mean them: a date without time covers its
 * whole day in UTC, a time its whole second or millisecond, as precisely as it is written.
 * @param names of the pair in the request
 * @throws ValidationFailed naming the field that is no ISO 8601 date
 */
export function dateFilter<From extends string = 'from_date', To extends string = 'to_date'>(
  query: { readonly [name in NoInfer<From | To>]?: string },
  names: { from: From; to: To } = { from: 'from_date' as From, to: 'to_date' as To },
): DateFilter {
  const errors: { field: string; message: string }[] = [];
  const bound = (field: From | To, side: 'start' | 'end'): Date | null => {
    const value = query[field];
    if (value === undefined) return null;
    const period = periodOf(value);
    if (period === null) {
      errors.push({ field, message: `${field} must be an ISO 8601 date, e.g. 2024-02-29` });
      return null;
    }
    return period[side];
  };
  const filter = { from: bound(names.from, 'start'), until: bound(names.to, 'end') };
  if (errors.length > 0) throw new ValidationFailed(errors);
  return filter;
}

function periodOf(value: string): { start: Date; end: Date } | null {
  const match = ISO_8601.exec(value.trim());
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  const midnight = new Date(0);
  midnight.setUTCFullYear(y, m - 1, d);
  // 2024-02-30 would roll over into March.
  if (midnight.getUTCMonth() !== m - 1 || midnight.getUTCDate() !== d) return null;
  if (hour === undefined) return { start: midnight, end: new Date(midnight.getTime() + DAY_MS) };
  const [h, min, s] = [Number(hour), Number(minute), Number(second ?? 0)];
  if (h > 23 || min > 59 || s > 59) return null;
  const offset = zoneMinutes(zone);
  if (offset === null) return null;
  const milliseconds = fraction === undefined ? 0 : Math.trunc(Number(`0.${fraction}`) * 1000);
  const start = midnight.getTime() + ((h * 60 + min - offset) * 60 + s) * 1000 + milliseconds;
  const precision = fraction !== undefined ? 1 : second !== undefined ? 1000 : 60_000;
  return { start: new Date(start), end: new Date(start + precision) };
}

function zoneMinutes(zone: string | undefined): number | null {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || 0);
  if (hours > 15 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
