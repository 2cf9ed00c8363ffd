import { cardAt } from './card-number';
import { isDigitAt, convertDigits } from '../../../platform/text/characters';
import { ExcludedZones } from './excluded-zones';
import { frenchPhoneAt } from './french-phone';
import { frenchSsnAt } from './french-ssn';
import { findIbans } from '../../../platform/text/iban';
import { findPasswords } from './password';
import { maskPii, PII_TYPES, PiiMatch, PiiSpan, PiiType } from './pii-match';

/** Least and greatest length of the first group of a card number. */
const MIN_CARD_GROUP = 3;
const MAX_GROUP = 19;
/** First digits of social security numbers, and lengths of their first group; six digits stand before 2A. */
const SSN_BEGINNINGS = '123478';
const SSN_GROUPS = new Set([1, 3, 5, 6, 7, 8, 10, 13, 15]);
/** Most values of a text that are found; further ones are ignored. */
const MAX_MATCHES = 10_000;

/**
 * Finds personal data in a text: payment cards, IBANs, French social security numbers, French telephone numbers and
 * passwords announced by a phrase. Numbers do not continue across lines and tabs (which separate cells), except where
 * mail wraps IBANs and cards. Time is linear in the text: each place takes bounded work.
 * @returns in the order of the text, without overlaps, 10,000 at most
 */
export function findPii(text: string): PiiMatch[] {
  const read = convertDigits(text);
  const zones = new ExcludedZones(read);
  const spans: Record<PiiType, PiiSpan[]> = {
    iban: findIbans(read),
    credit_card: [],
    french_ssn: [],
    phone_fr: [],
    password_plain: findPasswords(read, zones),
  };
  findNumbers(read, zones, spans);
  return removeOverlaps(text, spans);
}

function findNumbers(text: string, zones: ExcludedZones, spans: Record<PiiType, PiiSpan[]>): void {
  const ends = new Set(spans.iban.map((span) => span.end));
  for (let at = 0; at < text.length; at++) {
    if (!isDigitAt(text, at)) continue;
    let end = at + 1;
    while (isDigitAt(text, end)) end++;
    const found = numberAt(text, at, end - at, zones, ends);
    if (found) ends.add(found.span.end);
    if (found && spans[found.type].push(found.span) >= MAX_MATCHES) return;
    at = (found?.span.end ?? end) - 1;
  }
}

/** @param length of the first group of digits: it rules out most numbers of a text */
function numberAt(
  text: string,
  at: number,
  length: number,
  zones: ExcludedZones,
  ends: ReadonlySet<number>,
): { type: PiiType; span: PiiSpan } | null {
  const isLong = length >= MIN_CARD_GROUP && length <= MAX_GROUP;
  const maySsn =
    SSN_BEGINNINGS.includes(text.charAt(at)) &&
    SSN_GROUPS.has(length) &&
    (length > 1 || !isDigitAt(text, at + 2) || isDigitAt(text, at + 3));
  const mayPhone = text.charAt(at) === '0' || text.charAt(at - 1) === '+' || text.startsWith('(33)', at - 1);
  if (!(isLong || maySsn || mayPhone) || zones.has(at)) return null;
  const ssn = maySsn ? frenchSsnAt(text, at) : null;
  if (ssn) return { type: 'french_ssn', span: ssn };
  const card = isLong ? cardAt(text, at) : null;
  if (card) return { type: 'credit_card', span: card };
  const phone = mayPhone ? frenchPhoneAt(text, at, ends) : null;
  return phone && { type: 'phone_fr', span: phone };
}

function removeOverlaps(text: string, spans: Record<PiiType, PiiSpan[]>): PiiMatch[] {
  const kept: { type: PiiType; span: PiiSpan }[] = [];
  for (const type of PII_TYPES) {
    const others = kept.toSorted((one, other) => one.span.start - other.span.start);
    let next = 0;
    for (const span of spans[type]) {
      while (next < others.length && others[next]!.span.end <= span.start) next++;
      if (next === others.length || others[next]!.span.start >= span.end) kept.push({ type, span });
    }
  }
  return kept
    .sort((one, other) => one.span.start - other.span.start)
    .slice(0, MAX_MATCHES)
    .map(({ type, span: { start, end } }) => {
      const value = text.slice(start, end);
      return { type, value, start, end, masked: maskPii(type, value) };
    });
}

/** Findings of one type in one mail in their stored form, without secret parts. */
export interface PiiFinding {
  readonly type: PiiType;
  /** Number of different values: one that is quoted again, or stands in both alternatives, counts once. */
  readonly count: number;
  /** The first value, masked. */
  readonly snippet: string;
}

/** Findings of a text, by type, in the order of first appearance. */
export function summarisePii(text: string): PiiFinding[] {
  const found = new Map<PiiType, { values: Set<string>; snippet: string }>();
  for (const match of findPii(text)) {
    const known = found.get(match.type);
    if (known) known.values.add(identityOf(match));
    else found.set(match.type, { values: new Set([identityOf(match)]), snippet: match.masked });
  }
  return [...found].map(([type, { values, snippet }]) => ({ type, count: values.size, snippet }));
}

/** A key that is the same for every way to write a value. */
function identityOf({ type, value }: PiiMatch): string {
  if (type === 'password_plain') return value;
  const plain = value
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();
  if (type === 'phone_fr') return plain.replace(/^(?:(?:00)?33)?0?/, '');
  // The number may stand with its key or without.
  return type === 'french_ssn' ? plain.slice(0, 13) : plain;
}
