import type { QueryTerm } from '../../platform/search/query-parser';
import { searchWords } from '../../platform/search/search-values';
import { spellingsOf } from '../../platform/search/spellings';

/** Characters that end or escape a quoted term. The provider documents no way to write them inside one. */
const QUOTE_OR_ESCAPE = /["\\]/g;
/** Characters that a lenient parser might take for the two above. */
const LOOKALIKES = /[\u201C-\u201F\u00AB\u00BB\u2033\u2036\u301D-\u301F\uFF02\uFE68\uFF3C]/gu;
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu;
/**
 * Matches the operator of proximity searches, which works inside quotes too, but only in capitals. Words are compared
 * in any case.
 */
const AROUND = /(?<![\p{L}\p{N}_])AROUND(?![\p{L}\p{N}_])/gu;

const PLAIN = /^[\p{L}\p{M}\p{N}_.%@][\p{L}\p{M}\p{N}_.%@-]*$/u;
/** Matches addresses, in which `+` is not read as an alternative. */
const ADDRESS = /^[A-Za-z\d_.%][A-Za-z\d_.%+-]*@[A-Za-z\d.-]+$/;
const KEYWORD = /^(?:or|and|around)$/i;

/**
 * Cleans a value for a search, so that nothing in it ends a quoted term.
 * @returns undefined when no letter or digit is left, as providers search for words and ignore the rest
 */
export function searchText(value: string): string | undefined {
  const text = value
    .normalize('NFC')
    .replace(UNPRINTABLE, ' ')
    .replace(LOOKALIKES, ' ')
    .replace(QUOTE_OR_ESCAPE, '')
    .replace(AROUND, 'around')
    .replace(/\s+/gu, ' ')
    .trim();
  return /[\p{L}\p{N}]/u.test(text) ? text : undefined;
}

/** Whether the text means the same with and without quotes. */
export function isPlainTerm(text: string): boolean {
  // Compatibility forms, e.g. full-width letters, might be folded into text that is not a plain word.
  if (text !== text.normalize('NFKC') || KEYWORD.test(text)) return false;
  return PLAIN.test(text) || ADDRESS.test(text);
}

/** Formats one term of a search, quoted unless it is a plain word or an address. @param text result of `searchText` */
export function searchTerm(text: string): string {
  return isPlainTerm(text) ? text : `"${text}"`;
}

/**
 * Formats words that are found as they are written only: without quotes, `guest` would find `Güst` as well. Jobs change what they find.
 * @param text result of `searchText`
 */
export function exactTerm(text: string): string {
  const term: QueryTerm = {
    kind: 'term',
    operator: undefined,
    value: text,
    quoted: false,
    offset: 0,
    length: 0,
  };
  const written = searchWords(text);
  const isAlone = spellingsOf(term).every(({ value }) => searchWords(value) === written);
  return isAlone ? searchTerm(text) : `"${text}"`;
}

/** Whether a name can be written inside quotes unchanged. */
export function isQuotable(name: string): boolean {
  return [QUOTE_OR_ESCAPE, LOOKALIKES, UNPRINTABLE].every((pattern) => name.search(pattern) < 0);
}

const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/**
 * Builds the query for mail of one sender. No part of the address acts as an operator. Providers may find more, e.g.
 * longer addresses that contain this one.
 * @returns null for text that is not an address, since a word would select senders by their names, and `me` the account
 *   itself
 */
export function senderQuery(address: string): string | null {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, Math.max(0, at)), address.slice(at + 1)];
  if (!SAYS_SOMETHING.test(local) || !SAYS_SOMETHING.test(domain)) return null;
  const text = searchText(address);
  return text === undefined ? null : `from:(${searchTerm(text)})`;
}
