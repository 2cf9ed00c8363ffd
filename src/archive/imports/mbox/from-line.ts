/** Most characters of a From_ line. */
export const MAX_FROM_LINE = 1_000;

const WEEKDAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?';
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(${MONTHS.join('|')})`;
const DAY = '(\\d{1,2})';
const TIME = '(\\d{1,2}):(\\d\\d)(?::(\\d\\d))?';
const ZONE = '(?:[+-]\\d{4}|[A-Z]{1,5}(?:[+-]\\d{1,4})?)';
const YEAR = '(\\d{4})';
const REST = '(?: +remote from .*)?\\s*$';

/** asctime, its zone before or after the year: `Thu Nov 24 18:22:48 1986`, `Tue Mar 19 09:13:51 +0000 2019`. */
const ASCTIME = new RegExp(
  `^From (?:.* )?${WEEKDAY} +${MONTH} +${DAY},? +${TIME}((?: +${ZONE}){0,2}) +${YEAR}((?: +${ZONE}){0,2})${REST}`,
);
/** The form of a Date header: `Thu, 24 Nov 1986 18:22:48 +0000`. */
const RFC5322 = new RegExp(
  `^From (?:.* )?${WEEKDAY} +${DAY} +${MONTH} +${YEAR} +${TIME}((?: +${ZONE}){0,2})${REST}`,
);
const TAKEOUT = /^From \d{1,20}@xxx [A-Z][a-z]{2} /;

/** Whether a line is `From `, an optional sender, and a complete date with weekday and time: prose of this form is very rare. */
export function isDatedFromLine(line: string): boolean {
  return ASCTIME.test(line) || RFC5322.test(line);
}

/** Whether a line is a From_ line of Google Takeout: `From 1628424719502045299@xxx Tue Mar 19 09:13:51 +0000 2019`. */
export function isTakeoutFromLine(line: string): boolean {
  return TAKEOUT.test(line) && isDatedFromLine(line);
}

/** The instant a From_ line names, in UTC unless it has a numeric zone; null when it names none. */
export function fromLineDate(line: string): Date | null {
  const asctime = ASCTIME.exec(line);
  if (asctime) {
    const [, month, day, hours, minutes, seconds, zone, year, zoneAfter] = asctime;
    return instant([year, month, day, hours, minutes, seconds], `${zone ?? ''} ${zoneAfter ?? ''}`);
  }
  const rfc5322 = RFC5322.exec(line);
  if (!rfc5322) return null;
  const [, day, month, year, hours, minutes, seconds, zone] = rfc5322;
  return instant([year, month, day, hours, minutes, seconds], zone ?? '');
}

function instant(fields: readonly (string | undefined)[], zone: string): Date | null {
  const [year, month, day, hours, minutes, seconds] = fields;
  const time = Date.UTC(
    Number(year),
    MONTHS.indexOf(month ?? ''),
    Number(day),
    Number(hours),
    Number(minutes),
    Number(seconds ?? 0),
  );
  const [, sign, zoneHours, zoneMinutes] = /([+-])(\d\d)(\d\d)/.exec(zone) ?? [];
  const east = sign ? (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1) : 0;
  const date = new Date(time - east * 60_000);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Conventions of a file, known before it is split. */
export interface MboxDialect {
  /** Whether the file is from Google Takeout: dates that other programs write in From_ lines prove nothing there. */
  readonly takeout: boolean;
  /** Whether the file's writer quoted body lines that begin with `From `. */
  readonly unquote: boolean;
}

/** Whether a line, without its line end, has the form that this file's writer gives to From_ lines: no text has it. */
export function isCertain({ takeout }: Pick<MboxDialect, 'takeout'>, line: string): boolean {
  return takeout ? isTakeoutFromLine(line) : isDatedFromLine(line);
}
