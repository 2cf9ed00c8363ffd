/** Offset of Pacific Standard Time: Gmail reads dates in API queries as midnight there. */
const PST_OFFSET_MS = 8 * 3_600_000;

/** Normalises words for comparison: lower case, without accents, split at everything but letters, digits and `_`. */
export function searchWords(text: string): string {
  return ` ${text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}_]+/gu, ' ')
    .trim()} `;
}

/** Whether the words of `phrase` follow each other in `text` (both results of `searchWords`). */
export function containsPhrase(text: string, phrase: string): boolean {
  return phrase === '  ' || phrase === ' ' || text.includes(phrase);
}

/**
 * Reads `2024/3/9`, `2024-03-09`, `3/9/2024` (month first) or epoch seconds as epoch milliseconds; undefined for a day
 * that no calendar has. Epoch seconds have nine or ten digits: `20250101` is a misread date, and thirteen digits are
 * milliseconds.
 */
function parseQueryDate(value: string): number | undefined {
  if (/^\d{9,10}$/.test(value)) return Number(value) * 1000;
  const yearFirst = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})$/.exec(value);
  if (yearFirst !== null) return midnight(Number(yearFirst[1]), Number(yearFirst[2]), Number(yearFirst[3]));
  const yearLast = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(value);
  if (yearLast !== null) return midnight(Number(yearLast[3]), Number(yearLast[1]), Number(yearLast[2]));
  return undefined;
}

function midnight(year: number, month: number, day: number): number | undefined {
  const utc = Date.UTC(year, month - 1, day);
  const read = new Date(utc);
  // `Date.UTC` makes 3 March of 31 February, and 1925 of the year 25.
  const exists =
    read.getUTCFullYear() === year && read.getUTCMonth() === month - 1 && read.getUTCDate() === day;
  return exists ? utc + PST_OFFSET_MS : undefined;
}

/** Reads `3d`, `2m` (months) or `1y` as the instant that long before `now`, in epoch milliseconds. */
function parseQueryAge(value: string, now: number): number | undefined {
  const match = /^(\d{1,5})([dmy])$/i.exec(value);
  if (match === null) return undefined;
  const count = Number(match[1]);
  const date = new Date(now);
  switch ((match[2] as string).toLowerCase()) {
    case 'd':
      return now - count * 86_400_000;
    case 'm':
      return date.setUTCMonth(date.getUTCMonth() - count);
    default:
      return date.setUTCFullYear(date.getUTCFullYear() - count);
  }
}

/** Reads `1000`, `10K` or `5M` as bytes. */
function parseQuerySize(value: string): number | undefined {
  const match = /^(\d{1,12})([km]?)b?$/i.exec(value);
  if (match === null) return undefined;
  const unit = { '': 1, k: 1024, m: 1024 * 1024 }[(match[2] as string).toLowerCase()] as number;
  return Number(match[1]) * unit;
}

/** Reads the value of a comparing operator: bytes for sizes, epoch milliseconds for ages and dates. */
export function parseComparison(operator: string, value: string, now: number): number | undefined {
  if (operator === 'size' || operator === 'larger' || operator === 'smaller') return parseQuerySize(value);
  return operator.endsWith('_than') ? parseQueryAge(value, now) : parseQueryDate(value);
}

/** Whether `account:` with this value names an account: by its id, or by a part of its address. */
export function isAccount(value: string, account: { readonly id: string; readonly email: string }): boolean {
  const wanted = value.toLowerCase();
  return account.id.toLowerCase() === wanted || account.email.toLowerCase().includes(wanted);
}
