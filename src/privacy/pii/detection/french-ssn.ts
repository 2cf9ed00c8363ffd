import { beginsAt, endsAt, isDigitAt, isInvisible } from '../../../platform/text/characters';
import { contextWords, judge, OTHER_NUMBERS } from './context';
import { gapAfter } from './number-reader';
import type { PiiSpan } from './pii-match';

const WITHOUT_KEY = 13;
const WITH_KEY = 15;
/** Positions at which groups may end: sex, year, month, department (two or, overseas, three characters), commune, order. */
const CUTS = new Set([1, 3, 5, 7, 8, 10, 13]);
const SEPARATORS = new Set([' ', '-', '.', '/', '\n']);
const KEY_LABEL = /^[\s(:,/-]{0,4}(?:cl[ée]|key)[\s:.]{0,3}(\d\d)(?!\d)/iu;
const WINDOW = { grouped: 40, plain: 90 };

const WORDS = contextWords({
  for: 'secu securite sociale ss nir insee social ssn vitale ins assure assuree assurance cpam ameli mutuelle nss',
  against: OTHER_NUMBERS,
});

/**
 * Whether characters without separators are a French social security number (NIR): sex, year, month (with the special
 * ones of the registry), department (Corsica 2A and 2B, overseas, abroad), commune, order, and the key if it is there.
 */
export function isFrenchSsn(ssn: string): boolean {
  if (!hasSsnForm(ssn)) return false;
  return ssn.length === WITHOUT_KEY || Number(ssn.slice(WITHOUT_KEY)) === ssnKey(ssn.slice(0, WITHOUT_KEY));
}

/** The key that belongs to the first thirteen characters, 1 to 97. */
export function ssnKey(ssn: string): number {
  // In Corsica 2A counts as 19 and 2B as 18, at the place of the department alone.
  const department = ssn.slice(5, 7).toUpperCase().replace('2A', '19').replace('2B', '18');
  return 97 - Number(BigInt(ssn.slice(0, 5) + department + ssn.slice(7)) % 97n);
}

function hasSsnForm(ssn: string): boolean {
  const form = /^[1-478]\d\d(\d\d)(\d\d|2[AB])(\d{3})(\d{3})(\d\d)?$/i.exec(ssn);
  if (!form) return false;
  const [, month = '', department = '', commune = '', order = '', key] = form;
  if (key !== undefined && (key === '00' || key > '97')) return false;
  return isMonth(Number(month)) && isPlace(department.toUpperCase(), commune) && order !== '000';
}

/** Whether a number stands for a month; 20, 30 to 42 and 50 to 99 stand for unknown months. */
function isMonth(month: number): boolean {
  return (month >= 1 && month <= 12) || month === 20 || (month >= 30 && month <= 42) || month >= 50;
}

function isPlace(department: string, commune: string): boolean {
  if (department === '00' || commune === '000') return false;
  if (department === '97' || department === '98')
    return commune[0] !== '0' ? commune.slice(1) !== '00' : false;
  return department === '99' || commune <= '990';
}

/** A social security number whose first digit stands at `start`. */
export function frenchSsnAt(text: string, start: number): PiiSpan | null {
  if (!'123478'.includes(text.charAt(start)) || !beginsAt(text, start)) return null;
  const read = readSsn(text, start);
  if (!read) return null;
  const { ssn, end, groups } = read;
  const isGrouped = groups >= 5;
  // No other number has seven groups that fit, and a key that fits.
  if (groups === 7 && ssn.length === WITH_KEY) return { start, end };
  const verdict = judge(text, start, WORDS, isGrouped ? WINDOW.grouped : WINDOW.plain);
  if (verdict === 'against') return null;
  // A column of numbers is no social security number, unless words say so.
  if (verdict === 'silent' && groups < 6 && /\n/.test(text.slice(start, end))) return null;
  if (ssn.length === WITHOUT_KEY) {
    const label = KEY_LABEL.exec(text.slice(end, end + 16));
    if (label) {
      return isFrenchSsn(ssn + label[1]!) ? { start, end: end + label[0].length } : null;
    }
    return verdict === 'for' ? { start, end } : null;
  }
  return { start, end };
}

/** Reads fifteen characters, or thirteen when no key follows, group by group. */
function readSsn(text: string, start: number): { ssn: string; end: number; groups: number } | null {
  let ssn = '';
  let end = start;
  let groups = 1;
  let withoutKey: { ssn: string; end: number; groups: number } | null = null;
  for (;;) {
    const character = text.charAt(end);
    const isCorsican = ssn.length === 6 && ssn[5] === '2' && /[ABab]/.test(character);
    if (!isDigitAt(text, end) && !isCorsican) break;
    ssn += character.toUpperCase();
    end++;
    if (ssn.length === WITHOUT_KEY && endsAt(text, end) && isFrenchSsn(ssn))
      withoutKey = { ssn, end, groups };
    if (ssn.length === WITH_KEY) {
      return endsAt(text, end) && isFrenchSsn(ssn) && !goesOn(text, end, groups)
        ? { ssn, end, groups }
        : rejectWrongKey(withoutKey, text);
    }
    if (isDigitAt(text, end) || (ssn.length === 6 && /[ABab]/.test(text.charAt(end)))) continue;
    const gap = gapAfter(text, end);
    if (!gap || !isDigitAt(text, gap.end)) break;
    if (gap.kind !== '') {
      if (!SEPARATORS.has(gap.kind) || !CUTS.has(ssn.length)) break;
      groups++;
    }
    end = gap.end;
  }
  return rejectWrongKey(withoutKey, text);
}

/** The reading, or null when the two digits behind its thirteen characters are not their key. */
function rejectWrongKey<T extends { end: number }>(read: T | null, text: string): T | null {
  return read && !/^[ .\u00a0-]\d\d(?!\d)/.test(text.slice(read.end, read.end + 4)) ? read : null;
}

/** Whether another group of the same row follows a number written in groups. */
function goesOn(text: string, end: number, groups: number): boolean {
  if (groups < 5) return false;
  let at = end;
  while (isInvisible(text.charAt(at))) at++;
  return /^[ \u00a0\u202f-]\d{1,3}(?!\d)/.test(text.slice(at, at + 5));
}
