import { monthOf, plainName } from './month-names';
import { zoneOf } from './time-zones';

/** The instant of a Date header, with what could not be read for certain. */
export interface MailDate {
  readonly date: Date;
  /** The part of the instant that is a guess, in words; null when everything was read. */
  readonly doubt: string | null;
}

const MAX_LENGTH = 200;
const MONTH = String.raw`\p{L}{3,12}`;

/** Forms of the day, the most certain first: RFC 5322 §3.3, the American one, ISO 8601, and numbers alone. */
const DAYS: readonly { readonly pattern: RegExp; readonly isAmbiguous?: true }[] = [
  { pattern: new RegExp(String.raw`\b(?<day>\d{1,2})(?:st|nd|rd|th|\.)?[ -](?<month>${MONTH})\.?,?[ -](?<year>\d{2,4})\b,?`, 'u') },
  { pattern: new RegExp(String.raw`(?<!\p{L})(?<month>${MONTH})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})\b(?![:.]\d),?`, 'u') },
  { pattern: /(?<!\d)(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?:t(?=\d)|(?!\d))/ },
  { pattern: /(?<!\d)(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})(?!\d)/ },
  // 3/4/2004 is April in most countries and March in the United States, from where most such headers come.
  { pattern: /(?<!\d)(?<month>\d{1,2})[/-](?<day>\d{1,2})[/-](?<year>\d{4})(?!\d)/, isAmbiguous: true },
]; // prettier-ignore
/** The day of asctime, whose year stands at the end: `Thu Nov 24 18:22:48 1986`, with a zone before or after the year. */
const ASCTIME_DAY = new RegExp(String.raw`(?<!\p{L})(?<month>${MONTH}) (?<day>\d{1,2})\b,?`, 'u');
const ASCTIME_YEAR = /(?<![\d:+.-])(\d{4})(?![\d:])/g;
const TIME =
  /(?<![\d:])(?<hour>\d{1,2})[:.](?<minute>\d{1,2})(?:[:.](?<second>\d{1,2})(?:[.,]\d{1,9})?)?(?:\s?(?<half>[ap])\.?m\b\.?)?/;
/** Names of days in the languages of `month-names`, and words that stand beside a time. */
const MEANINGLESS =
  /(?<!\p{L})(?:\p{L}{2,4}\.?,|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|satur|sat|sun)(?:day)?|at|um|uhr|of)(?!\p{L}),?/gu;

/**
 * Reads a Date header: RFC 5322 §3.3 with its obsolete forms, asctime, ISO 8601, and what programs write instead. A time
 * zone that is missing or unknown is taken as UTC, and a missing time as midnight: `doubt` says so.
 * @returns null for anything else, for days that no calendar has, and for years outside of 1900 to 9999
 */
export function readMailDate(value: string): MailDate | null {
  const text = value
    .slice(0, MAX_LENGTH)
    .replace(/\([^()]{0,100}\)?/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ?: ?/g, ':')
    .trim()
    .toLowerCase();
  const day = readDay(text);
  if (!day) return null;
  const time = readTime(day.rest);
  if (!time) return null;
  const zone = zoneOf(time.rest.replace(MEANINGLESS, ' ').replace(/[,;]/g, ' ').trim());
  const local = Date.UTC(day.year, day.month, day.day, time.hour, time.minute, time.second);
  const date = new Date(local - zone.minutes * 60_000);
  const year = date.getUTCFullYear();
  if (year < 1900 || year > 9999) return null;
  return { date, doubt: day.doubt ?? (time.isGiven ? zone.doubt : 'it has no time') };
}

/** The instant that `readMailDate` reads. */
export function parseMailDate(value: string): Date | null {
  return readMailDate(value)?.date ?? null;
}

interface ReadDay {
  readonly year: number;
  /** From 0. */
  readonly month: number;
  readonly day: number;
  /** The text around the day. */
  readonly rest: string;
  readonly doubt: string | null;
}

function readDay(text: string): ReadDay | null {
  for (const { pattern, isAmbiguous = false } of DAYS) {
    const found = pattern.exec(text);
    if (!found?.groups) continue;
    const { year = '', month = '', day = '' } = found.groups;
    const rest = `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`;
    const read = calendarDay(fullYear(year), month, Number(day), rest, isAmbiguous);
    if (read) return read;
  }
  return readAsctimeDay(text);
}

function readAsctimeDay(text: string): ReadDay | null {
  const found = ASCTIME_DAY.exec(text);
  if (!found?.groups) return null;
  const { month = '', day = '' } = found.groups;
  const before = text.slice(0, found.index);
  const after = text.slice(found.index + found[0].length);
  const year = [...after.matchAll(ASCTIME_YEAR)].at(-1);
  if (!year) return null;
  const rest = `${before} ${after.slice(0, year.index)} ${after.slice(year.index + 4)}`;
  return calendarDay(Number(year[1]), month, Number(day), rest, false);
}

function calendarDay(
  year: number,
  monthText: string,
  day: number,
  rest: string,
  isAmbiguous: boolean,
): ReadDay | null {
  const month = /^\d/.test(monthText) ? Number(monthText) - 1 : monthOf(plainName(monthText));
  if (month === null) return null;
  // 25/12/2004 can only be the other order.
  if (isAmbiguous && month > 11 && day <= 12) return calendarDay(year, String(day), month + 1, rest, false);
  const first = new Date(Date.UTC(2000, month, day));
  first.setUTCFullYear(year, month, day);
  if (month > 11 || day < 1 || first.getUTCMonth() !== month || first.getUTCDate() !== day) return null;
  const isGuessed = isAmbiguous && day <= 12 && month + 1 !== day;
  return { year, month, day, rest, doubt: isGuessed ? 'day and month may be the other way round' : null };
}

/** Completes a year (RFC 5322 §4.3): 00–49 are 2000–2049; 50–99 and three digits are counted from 1900. */
function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length === 2) return year < 50 ? 2000 + year : 1900 + year;
  return digits.length === 3 ? 1900 + year : year;
}

interface ReadTime {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly isGiven: boolean;
  /** The text around the time. */
  readonly rest: string;
}

/** @returns midnight when there is no time; null when the numbers are none of a clock */
function readTime(text: string): ReadTime | null {
  const found = TIME.exec(text);
  if (!found?.groups) return { hour: 0, minute: 0, second: 0, isGiven: false, rest: text };
  const { half } = found.groups;
  const written = Number(found.groups.hour);
  const minute = Number(found.groups.minute);
  // A leap second has no representation; the last one of the minute stands for it.
  const second = Math.min(Number(found.groups.second ?? 0), 59);
  if (written > 24 || minute > 59) return null;
  const hour = half && written <= 12 ? (written % 12) + (half === 'p' ? 12 : 0) : written;
  const rest = `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`;
  return { hour, minute, second, isGiven: true, rest };
}
