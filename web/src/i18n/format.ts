import { i18next } from './catalogue';

/** The language of the page. */
export const currentLanguage = (): 'en' | 'fr' => (i18next.resolvedLanguage === 'fr' ? 'fr' : 'en');

/** The page's language as people write it where the person is: 14 Nov and 16:50, or Nov 14 and 4:50 PM. */
const resolveLocale = (): string =>
  navigator.languages.find((tag) => tag.split('-')[0] === currentLanguage()) ?? currentLanguage();

/** The formatters of a kind, each made once: to make one takes as long as to format a hundred values. */
function cacheFormatters<O, F>(
  localeOf: () => string,
  make: (locale: string, options: O) => F,
): (options: O) => F {
  const made = new Map<string, F>();
  return (options) => {
    const locale = localeOf();
    const key = `${locale} ${JSON.stringify(options)}`;
    const known = made.get(key);
    if (known) return known;
    const formatter = make(locale, options);
    made.set(key, formatter);
    return formatter;
  };
}

const numberFormat = cacheFormatters(
  currentLanguage,
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);
/** Formatters of dates as people write them where the person is. */
export const dateFormat = cacheFormatters(
  resolveLocale,
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);

/** Powers of 1024, as mail programs count. */
const UNITS = { en: ['B', 'KB', 'MB', 'GB', 'TB'], fr: ['o', 'Ko', 'Mo', 'Go', 'To'] };
const NO_BREAK_SPACE = '\u00a0';

/** `12 MB`, `1.9 GB`, in French `1,9 Go`: two digits are enough to compare sizes. */
export function formatBytes(bytes: number): string {
  const isFrench = currentLanguage() === 'fr';
  const units = isFrench ? UNITS.fr : UNITS.en;
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const value = bytes / 1024 ** power;
  const digits = value < 10 && power > 0 ? 1 : 0;
  const text = numberFormat({ maximumFractionDigits: digits }).format(value);
  return `${text}${isFrench ? NO_BREAK_SPACE : ' '}${units[power]}`;
}

export const formatNumber = (value: number): string => numberFormat({}).format(value);

/**
 * In the person's time zone: the time today, the day this year, else with the year.
 * @param written as the service or the sender wrote it: what is no date is shown as it is
 */
export function formatShortDate(written: string, now = new Date()): string {
  const date = new Date(written);
  if (Number.isNaN(date.getTime())) return written;
  if (date.toDateString() === now.toDateString()) return dateFormat({ timeStyle: 'short' }).format(date);
  const year = date.getFullYear() === now.getFullYear() ? undefined : ('numeric' as const);
  return dateFormat({ day: 'numeric', month: 'short', year }).format(date);
}

/** With everything, for what is shown when one points at a date. */
export function formatFullDate(written: string): string {
  const date = new Date(written);
  if (Number.isNaN(date.getTime())) return written;
  return dateFormat({ dateStyle: 'full', timeStyle: 'short' }).format(date);
}

/** `14 Nov, 16:50`: a moment of these days. @param written as the service wrote it */
export const formatDateTime = (written: string): string =>
  dateFormat({ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }).format(
    new Date(written),
  );

/** `40 s`, `3 min`, `2 h`: about how long something takes. */
export function formatDuration(seconds: number): string {
  const [value, unit] =
    seconds < 90
      ? ([Math.max(1, Math.round(seconds)), 'second'] as const)
      : seconds < 5_400
        ? ([Math.round(seconds / 60), 'minute'] as const)
        : ([Math.round(seconds / 3_600), 'hour'] as const);
  return numberFormat({ style: 'unit', unit, unitDisplay: 'short' }).format(value);
}

/** `Feb 2024`. @param month as the service counts it, `2024-02` in UTC */
export function formatMonth(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return month;
  return dateFormat({ month: 'short', year: 'numeric', timeZone: 'UTC' }).format(date);
}

/** `29 Feb 2024`. @param day of the person, `2024-02-29` */
export function formatDay(day: string): string {
  const date = new Date(`${day}T00:00:00`);
  if (Number.isNaN(date.getTime())) return day;
  return dateFormat({ day: 'numeric', month: 'short', year: 'numeric' }).format(date);
}

/** `6 %`, `100 %`. @param share from 0 to 1 */
export const formatPercent = (share: number): string => numberFormat({ style: 'percent' }).format(share);

/** `Monday`. @param day 0 is Monday */
export function formatWeekday(day: number, weekday: 'short' | 'long'): string {
  // The first of January 2024 was a Monday.
  return dateFormat({ weekday, timeZone: 'UTC' }).format(new Date(Date.UTC(2024, 0, 1 + day)));
}

/** `9 AM`, `09`: an hour of the day as people write it. */
export const formatHour = (hour: number): string =>
  dateFormat({ hour: 'numeric', timeZone: 'UTC' }).format(new Date(Date.UTC(2024, 0, 1, hour)));

/** IANA name of where the person is. */
export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
