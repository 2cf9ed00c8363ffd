import { searchTokens } from './fold-text';
import { isCompound, nameAfterO } from '../../../platform/text/compounds';
import { arabicSpellings } from '../../../platform/text/arabic-spellings';
import { wholeNumber } from '../../../platform/text/joined-numbers';
import { MIN_SUFFIX_LETTERS, reversedEnd } from './reversed-words';
import { quoteLexeme } from './search-vector';
import { dropWrittenDots } from '../../../platform/text/written-umlauts';

/** The part of a word that a term gives. */
export type WordMatch = 'whole' | 'beginning' | 'end';

/** A text of tokens that a query looks for, and how many there are. */
export interface TermWords {
  /** A word or phrase, as text for `$1::tsquery`. */
  readonly word: string;
  readonly tokens: number;
}

/**
 * The words of a term as text for `$1::tsquery`: its tokens one after the other, each in any of its spellings. A compound also
 * matches as one word, `O'Brien` as `OBrien`, and a number in groups without its separators. Of telephone numbers the last digits
 * decide, as they are written with and without the country.
 * @param maxTokens tokens beyond are left out
 * @returns null for a term without words, or with the end of a word that is too short to be looked for
 */
export function wordsOfTerm(text: string, match: WordMatch, maxTokens: number): TermWords | null {
  const spelled = spellingsOf(text).slice(0, maxTokens);
  if (spelled.length === 0) return null;
  const last = spelled.length - 1;
  const tokens = spelled.map((spellings, at) => {
    const isTyped = match === 'beginning' && at === last;
    const lexemes = spellings.map((spelling) => quoteLexeme(spelling) + (isTyped ? ':*' : ''));
    return anyOf(match === 'end' && at === 0 ? [...lexemes, ...endsOf(spellings)] : lexemes);
  });
  if (match === 'end' && [...spelled[0]![0]!].length < MIN_SUFFIX_LETTERS) return null;
  const phrase = tokens.length === 1 ? tokens[0]! : `( ${tokens.join(' <-> ')} )`;
  const others = match === 'end' || spelled.length === maxTokens ? [] : joinedForms(text, spelled, match);
  return { word: anyOf([phrase, ...others, ...apart(spelled, match)]), tokens: spelled.length };
}

const endsOf = (spellings: readonly string[]): string[] =>
  spellings.map((spelling) => `${quoteLexeme(reversedEnd(spelling))}:*`);

/** One of several operands. A phrase operator takes it as a whole. */
const anyOf = (operands: readonly string[]): string =>
  operands.length === 1 ? operands[0]! : `( ${operands.join(' | ')} )`;

/** Digits by which a telephone number is found: fewer have no area. */
const PHONE_END = 8;
const PHONE = /^(?:\+|\(?0)[\d \u00a0\u202f./()-]{8,30}$/;
const MIN_PHONE_DIGITS = 9;
const MAX_PHONE_DIGITS = 15;

/** The term as one word. */
function joinedForms(
  text: string,
  spelled: readonly (readonly string[])[],
  match: WordMatch,
): readonly string[] {
  const forms = new Set<string>();
  if (isCompound(text, spelled.length)) {
    const joined = spelled.map(([first]) => first!).join('');
    forms.add(quoteLexeme(joined) + (match === 'beginning' ? ':*' : ''));
  }
  const number = numberOf(text);
  if (number !== null) forms.add(number);
  const phone = phoneOf(text);
  if (phone !== null) forms.add(phone);
  return [...forms];
}

/** A text that is one number in groups, as the word of that number; null when it is not. */
export function numberOf(text: string): string | null {
  const phone = phoneOf(text);
  if (phone !== null) return phone;
  const number = wholeNumber(text);
  return number === null ? null : quoteLexeme(number.toLowerCase());
}

/** A telephone number, by its last digits. */
function phoneOf(text: string): string | null {
  const end = phoneEndOf(text);
  return end === null ? null : `${quoteLexeme(reversedEnd(end))}:*`;
}

/** The last digits of a telephone number, by which it is found; null for other text. */
export function phoneEndOf(text: string): string | null {
  const digits = text.replace(/\D/g, '');
  const isPhone =
    PHONE.test(text.trim()) && digits.length >= MIN_PHONE_DIGITS && digits.length <= MAX_PHONE_DIGITS;
  return isPhone ? digits.slice(-PHONE_END) : null;
}

/** `OBrien` as `O'Brien`, whose O is a word. */
function apart(spelled: readonly (readonly string[])[], match: WordMatch): readonly string[] {
  const name = spelled.length === 1 ? nameAfterO(spelled[0]![0]!) : null;
  if (name === null || match === 'end') return [];
  return [`( 'o' <-> ${quoteLexeme(name)}${match === 'beginning' ? ':*' : ''} )`];
}

/** The tokens of a text, each with the spellings that stand for it: `mueller` and `muller`, `الكتاب` with and without its article. */
export function spellingsOf(text: string): string[][] {
  return searchTokens(text).map((token) => {
    const spellings = new Set([token]);
    const withoutDots = dropWrittenDots(token);
    if (withoutDots !== null) spellings.add(withoutDots);
    for (const spelling of arabicSpellings(token)) spellings.add(spelling);
    return [...spellings];
  });
}
