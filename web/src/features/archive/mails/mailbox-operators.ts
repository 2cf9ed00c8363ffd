import type { ArchiveConditions } from './archive-filter';

/** A term of the mailbox's search language in a search of the archive, which takes it for words. */
export interface MailboxTerm {
  /** Term as it was typed: `from:papeterie`. */
  readonly written: string;
  /** `from:` */
  readonly operator: string;
  /** The filter that does the same; null when there is none. */
  readonly filter: MailboxFilter | null;
  readonly conditions: ArchiveConditions | null;
  /** The search without the term; undefined when nothing is left. */
  readonly rest: string | undefined;
}

/** The name of a filter in the texts. */
export type MailboxFilter = 'sender' | 'recipient' | 'files' | 'after' | 'before' | 'min' | 'max';

const TERM =
  /(?<=^|\s)-?(from|to|cc|bcc|subject|has|is|in|label|category|filename|list|larger|smaller|size|older_than|newer_than|after|before|older|newer|rfc822msgid|deliveredto):("[^"]*"|[^\s"]+)/gi;
const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2 };
const DAY_MS = 24 * 60 * 60 * 1000;

/** Finds the terms of the mailbox's language in a search of the archive. @param now epoch milliseconds */
export function mailboxTerms(q: string, now: number): readonly MailboxTerm[] {
  // Quoted parts are text.
  const hidden = q.replace(/(?<=^|\s)-?"[^"]*"/g, (quoted) => ' '.repeat(quoted.length));
  return [...hidden.matchAll(TERM)].map((match) => {
    const written = match[0];
    const operator = (match[1] ?? '').toLowerCase();
    const value = (match[2] ?? '').replace(/^"|"$/g, '');
    const filter = written.startsWith('-') ? null : filterFor(operator, value, now);
    const rest = `${q.slice(0, match.index)} ${q.slice(match.index + written.length)}`
      .replace(/\s+/g, ' ')
      .trim();
    return {
      written,
      operator: `${operator}:`,
      filter: filter && (Object.keys(filter)[0] as MailboxFilter),
      conditions: filter,
      rest: rest === '' ? undefined : rest,
    };
  });
}

function filterFor(operator: string, value: string, now: number): ArchiveConditions | null {
  switch (operator) {
    case 'from':
      return value === '' ? null : { sender: value };
    case 'to':
    case 'cc':
      return value === '' ? null : { recipient: value };
    case 'has':
      return value.toLowerCase() === 'attachment' ? { files: true } : null;
    case 'larger':
    case 'size':
      return parseSize('min', value);
    case 'smaller':
      return parseSize('max', value);
    case 'after':
    case 'newer':
      return limitDate('after', parseDay(value));
    case 'newer_than':
      return limitDate('after', subtractAge(value, now));
    case 'before':
    case 'older':
      return limitDate('before', subtractDay(parseDay(value)));
    case 'older_than':
      return limitDate('before', subtractAge(value, now));
    default:
      return null;
  }
}

function parseSize(name: 'min' | 'max', value: string): ArchiveConditions | null {
  const match = /^(\d{1,12})([km]?)b?$/i.exec(value);
  return match && { [name]: Number(match[1]) * (UNITS[(match[2] ?? '').toLowerCase()] ?? 1) };
}

const limitDate = (name: 'after' | 'before', day: string | null): ArchiveConditions | null =>
  day === null ? null : { [name]: day };

/** `2025/1/31` as `2025-01-31`; null for a day that no calendar has. */
function parseDay(value: string): string | null {
  const match = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})$/.exec(value);
  if (!match) return null;
  const day = `${match[1]}-${match[2]?.padStart(2, '0')}-${match[3]?.padStart(2, '0')}`;
  const read = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(day) ? day : null;
}

/** The filter counts the day itself, `before:` does not. */
function subtractDay(day: string | null): string | null {
  if (day === null) return null;
  return new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);
}

/** The day that was `14d`, `2m` or `1y` before `now`. */
function subtractAge(age: string, now: number): string | null {
  const match = /^(\d{1,4})([dmy])$/i.exec(age);
  if (!match) return null;
  const count = Number(match[1]);
  const date = new Date(now);
  const unit = match[2]?.toLowerCase();
  if (unit === 'd') date.setUTCDate(date.getUTCDate() - count);
  else if (unit === 'm') date.setUTCMonth(date.getUTCMonth() - count);
  else date.setUTCFullYear(date.getUTCFullYear() - count);
  return date.toISOString().slice(0, 10);
}
