import { isDigitAt, isLetterAt } from '../characters';
import { IBAN_COUNTRIES } from './iban-countries';
import type { PiiSpan } from '../pii-match';

const BLANK = '[ \\u00a0\\u2002-\\u200a\\u202f-]';
/** Where an IBAN may begin: a country and two check digits. */
const BEGINNING = new RegExp(`[A-Za-z]{2}${BLANK}?\\d${BLANK}?\\d`, 'g');
/** Between two characters: spaces and dashes, and the end of a line with the marks of a quoted one. */
const BETWEEN = /[\s>\u00ad\u2010-\u2013\u200b-\u200f\u202a-\u202e\u2060\ufeff.-]/;
const MAX_BETWEEN = 6;
const CHARACTER = /[A-Za-z0-9]/;
/** Words people write without a space before the number. */
const GLUED_BEFORE = /(?:iban|rib|compte|account|bic)$/i;

/** Whether characters without separators, in upper case, are an IBAN: country, form, check digits (ISO 13616-1). */
export function isIban(iban: string): boolean {
  const country = IBAN_COUNTRIES.get(iban.slice(0, 2));
  const check = Number(iban.slice(2, 4));
  if (!country || iban.length !== country.length || !(check >= 2 && check <= 98)) return false;
  const bban = iban.slice(4);
  return country.bban.test(bban) && new Set(bban).size > 1 && mod97(`${bban}${iban.slice(0, 4)}`) === 1;
}

/** @param text digits and upper-case letters, A standing for 10 and Z for 35 */
function mod97(text: string): number {
  let rest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    rest = code < 0x41 ? (rest * 10 + code - 0x30) % 97 : (rest * 100 + code - 0x37) % 97;
  }
  return rest;
}

/** All IBANs of a text. Each place where one may begin is read for 34 characters at most. */
export function findIbans(text: string): PiiSpan[] {
  const found: PiiSpan[] = [];
  BEGINNING.lastIndex = 0;
  for (let match = BEGINNING.exec(text); match; match = BEGINNING.exec(text)) {
    const span = ibanAt(text, match.index);
    if (span) found.push(span);
    // The letters of the next one cannot lie before the digits of this one.
    BEGINNING.lastIndex = span?.end ?? match.index + 2;
  }
  return found;
}

function ibanAt(text: string, start: number): PiiSpan | null {
  const country = IBAN_COUNTRIES.get(text.slice(start, start + 2).toUpperCase());
  if (!country || !mayBegin(text, start)) return null;
  let iban = '';
  let end = start;
  while (iban.length < country.length) {
    let at = end;
    while (at - end < MAX_BETWEEN && BETWEEN.test(text.charAt(at))) at++;
    const character = text.charAt(at);
    if (!CHARACTER.test(character)) return null;
    iban += character.toUpperCase();
    end = at + 1;
  }
  // A word may be glued to it; more digits make it something else.
  if (isDigitAt(text, end) || !isIban(iban)) return null;
  return { start, end };
}

function mayBegin(text: string, start: number): boolean {
  if (isDigitAt(text, start - 1)) return false;
  return !isLetterAt(text, start - 1) || GLUED_BEFORE.test(text.slice(Math.max(0, start - 8), start));
}
