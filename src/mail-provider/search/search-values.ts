/** Gmail reads dates in API queries as midnight Pacific Standard Time. */
const PST_OFFSET_MS = 8 * 3_600_000;

/** Words as searches compare them: lower case, without accents, split at everything but letters, digits and `_`. */
export function searchWords(text: string): string {
  return ` ${text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}_]+/gu, ' ')
    .trim()} `;
}

/** True when the words of `phrase` follow each other in `text` (both through `searchWords`). */
export function containsPhrase(text: string, phrase: string): boolean {
  return phrase === '  ' || phrase === ' ' || text.includes(phrase);
}

/** `2024/3/9`, `2024-03-09`, `3/9/2024` (month first) or epoch seconds, as epoch milliseconds. */
export function parseQueryDate(value: string): number | undefined {
  if (/^\d{5,}$/.test(value)) return Number(value) * 1000;
  const yearFirst = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})$/.exec(value);
  if (yearFirst !== null)
    return Date.UTC(Number(yearFirst[1]), Number(yearFirst[2]) - 1, Number(yearFirst[3])) + PST_OFFSET_MS;
  const yearLast = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(value);
  if (yearLast !== null)
    return Date.UTC(Number(yearLast[3]), Number(yearLast[1]) - 1, Number(yearLast[2])) + PST_OFFSET_MS;
  return undefined;
}

/** The instant `3d`, `2m` (months) or `1y` before `now`. */
export function parseQueryAge(value: string, now: number): number | undefined {
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

/** `1000`, `10K`, `5M` in bytes. */
export function parseQuerySize(value: string): number | undefined {
  const match = /^(\d{1,12})([km]?)b?$/i.exec(value);
  if (match === null) return undefined;
  const unit = { '': 1, k: 1024, m: 1024 * 1024 }[(match[2] as string).toLowerCase()] as number;
  return Number(match[1]) * unit;
}
