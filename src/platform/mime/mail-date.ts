const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Offsets of the zone names of RFC 822 §5, in hours; any other name means UTC (RFC 5322 §4.3). */
const ZONE_HOURS: Readonly<Record<string, number>> = {
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  cet: 1,
  cest: 2,
  eet: 2,
  eest: 3,
  bst: 1,
};

const TIME = String.raw`(\d{1,2})[:.](\d{1,2})(?:[:.](\d{1,2})(?:\.\d{1,9})?)?`;
const RFC5322 = new RegExp(
  String.raw`\b(\d{1,2})[ -]([a-z]{3})[a-z]{0,6}\.?,?[ -](\d{2,4}),? ${TIME}(?: ?(.{1,20}))?`,
);
const ASCTIME = new RegExp(
  String.raw`\b([a-z]{3}) (\d{1,2}),? ${TIME}(?: ([+-]\d{4}|[a-z]{1,5}))? (\d{4})\b`,
);
const ISO = /^\d{4}-\d{2}-\d{2}(?:[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?(?:z|[+-]\d{2}:?\d{2}))?)?/;

/**
 * Reads a Date header: RFC 5322 with its obsolete forms, asctime, ISO 8601. Without a zone it is taken as UTC.
 * Answers null for anything else, and for dates outside the years 1900 to 9999.
 */
export function parseMailDate(value: string): Date | null {
  const text = value
    .slice(0, 200)
    .replace(/\([^()]{0,100}\)?/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ?: ?/g, ':')
    .trim()
    .toLowerCase();
  const mail = RFC5322.exec(text);
  if (mail) {
    const [, day, month, year, hour, minute, second, zone] = mail;
    return assemble({ day, month, year, hour, minute, second, zone });
  }
  const asctime = ASCTIME.exec(text);
  if (asctime) {
    const [, month, day, hour, minute, second, zone, year] = asctime;
    return assemble({ day, month, year, hour, minute, second, zone });
  }
  const iso = ISO.exec(text);
  return iso ? isoDate(iso[0]) : null;
}

interface DateParts {
  day?: string;
  month?: string;
  year?: string;
  hour?: string;
  minute?: string;
  second?: string;
  zone?: string;
}

function assemble(parts: DateParts): Date | null {
  const month = MONTHS.indexOf(parts.month ?? '');
  const day = Number(parts.day);
  const hour = Number(parts.hour);
  const minute = Number(parts.minute);
  if (month === -1 || day < 1 || day > 31 || hour > 24 || minute > 59) return null;
  // A leap second has no representation; the last one of the minute stands for it.
  const second = Math.min(Number(parts.second ?? 0), 59);
  const local = Date.UTC(fullYear(parts.year ?? ''), month, day, hour, minute, second);
  return inRange(new Date(local - zoneMinutes(parts.zone ?? '') * 60_000));
}

/** RFC 5322 §4.3: 00-49 are 2000-2049, 50-99 and three digits are counted from 1900. */
function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length === 2) return year < 50 ? 2000 + year : 1900 + year;
  return digits.length === 3 ? 1900 + year : year;
}

function zoneMinutes(zone: string): number {
  const numeric = /^(?:gmt|utc?)? ?([+-])(\d{1,2}):?(\d{2})/.exec(zone);
  if (numeric) {
    const minutes = Number(numeric[2]) * 60 + Number(numeric[3]);
    return minutes < 24 * 60 ? (numeric[1] === '-' ? -minutes : minutes) : 0;
  }
  const name = /^[a-z]+/.exec(zone)?.[0] ?? '';
  return Object.hasOwn(ZONE_HOURS, name) ? (ZONE_HOURS[name] ?? 0) * 60 : 0;
}

function isoDate(text: string): Date | null {
  const [, day = '', time = '', zone = ''] =
    /^(\S{10})(?:[t ](\d[\d:.]*))?(?: ?(z|[+-].*))?$/.exec(text) ?? [];
  const clock =
    time === '' ? '00:00:00' : time.replace(/^(\d\d:\d\d)$/, '$1:00').replace(/(\.\d{3})\d+$/, '$1');
  const offset = zone === '' || zone === 'z' ? 'Z' : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  return inRange(new Date(`${day}T${clock}${offset}`));
}

function inRange(date: Date): Date | null {
  const year = date.getUTCFullYear();
  return year >= 1900 && year <= 9999 ? date : null;
}
