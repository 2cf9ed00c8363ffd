/** Languages in which programs write the names of months into Date headers, against RFC 5322 §3.3. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'sv', 'da', 'nb'];

/** Lower case, without accents and dots: as the names are looked up. */
export function plainName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[\p{M}.]/gu, '')
    .toLowerCase();
}

/** Months from 0 by name, in full and abbreviated. A name that means two months in two languages is left out. */
const MONTHS = readMonthNames();

function readMonthNames(): ReadonlyMap<string, number> {
  const months = new Map<string, number>();
  const ambiguous = new Set<string>();
  for (const language of LANGUAGES) {
    for (const form of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { month: form, day: 'numeric', timeZone: 'UTC' });
      for (let month = 0; month < 12; month += 1) {
        const parts = format.formatToParts(Date.UTC(2020, month, 15));
        const name = plainName(parts.find(({ type }) => type === 'month')?.value ?? '');
        if (!/^[a-z]{3,}$/.test(name)) continue;
        if (months.has(name) && months.get(name) !== month) ambiguous.add(name);
        else months.set(name, month);
      }
    }
  }
  for (const name of ambiguous) months.delete(name);
  return months;
}

/** @param name as `plainName` returns it, in full or cut to at least three letters. @returns the month from 0, or null */
export function monthOf(name: string): number | null {
  const known = MONTHS.get(name);
  if (known !== undefined) return known;
  // English names may be cut anywhere: Sept, Janu.
  return name.length >= 3 ? (MONTHS.get(name.slice(0, 3)) ?? null) : null;
}
