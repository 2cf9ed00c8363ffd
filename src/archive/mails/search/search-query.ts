import { searchTokens } from './fold-text';
import { MIN_SUFFIX_LETTERS } from './reversed-words';
import { PASSAGE_OVERLAP } from './search-vector';
import { numberOf, type WordMatch, wordsOfTerm } from './term-words';
import type { WordQuery } from './word-query';

const MAX_QUERY_LENGTH = 2_000;
/** No phrase of a query is longer than what two passages of a long mail have in common. */
const MAX_TOKENS = PASSAGE_OVERLAP;

interface Term {
  text: string;
  negated: boolean;
  quoted: boolean;
}

/**
 * Turns what a person types into a query of words, or null when there is nothing to search for.
 *
 * All words are required, in any order; `"several words"` are a phrase; `-word` and `-"several words"` are excluded; `word*`, and
 * the last word unless it is quoted or excluded, also match as the beginning of a word, and `*word` as its end. A word of several
 * tokens (`a.b@example.com`, text in a script without spaces) is a phrase. Everything else in the input is a separator, so no
 * input can make an invalid query. Of overlong input the first 2,000 characters and 100 words count.
 * @param isTyped whether the last word may be the beginning of one that is still being typed
 */
export function parseSearchQuery(input: string, { isTyped = true } = {}): WordQuery | null {
  const operands = operandsOf(input, isTyped);
  if (operands.length === 0) return null;
  return { all: joinNumbers(operands).map(({ query, negated }) => (negated ? { not: query } : query)) };
}

/** Reads the terms that a search excludes if it does nothing else; null for every other search. No index finds mails that lack a word. */
export function parseExclusions(input: string): WordQuery | null {
  const operands = operandsOf(input);
  if (operands.length === 0 || operands.some(({ negated }) => !negated)) return null;
  return { any: operands.map(({ query }) => query) };
}

interface Operand {
  readonly query: WordQuery;
  readonly negated: boolean;
  /** Its text, if it may be a group of a number; else null. */
  readonly group: string | null;
}

function operandsOf(input: string, isBeingTyped = true): Operand[] {
  const terms = splitTerms(input.slice(0, MAX_QUERY_LENGTH).replace(/[“”„«»]/g, '"'));
  const operands: Operand[] = [];
  let budget = MAX_TOKENS;
  terms.forEach(({ text, negated, quoted }, index) => {
    const isTyped = isBeingTyped && index === terms.length - 1 && !negated;
    const words = wordsOfTerm(text, matchOf(text, quoted, isTyped), budget);
    if (words === null) return;
    budget -= words.tokens;
    operands.push({ query: { word: words.word }, negated, group: negated || quoted ? null : text });
  });
  return operands;
}

function matchOf(text: string, quoted: boolean, isTyped: boolean): WordMatch {
  if (quoted) return 'whole';
  if (text.endsWith('*')) return 'beginning';
  if (isEnd(text)) return 'end';
  return isTyped ? 'beginning' : 'whole';
}

const isEnd = (text: string): boolean => text.startsWith('*') && [...text].length > MIN_SUFFIX_LETTERS;

/** Most groups of a number: an IBAN has nine. */
const MAX_GROUPS = 9;

/** Lets the groups of a number that are typed one after the other also match as one word: `DE89 3704 0044 0532 0130 00`. */
function joinNumbers(operands: readonly Operand[]): Operand[] {
  const joined: Operand[] = [];
  for (let start = 0; start < operands.length;) {
    const { end, number } = numberFrom(operands, start);
    const groups = operands.slice(start, end);
    if (number === null) joined.push(...groups);
    else {
      const all = groups.map(({ query }) => query);
      joined.push({ query: { any: [{ all }, { word: number }] }, negated: false, group: null });
    }
    start = end;
  }
  return joined;
}

/** The longest number that begins with an operand. */
function numberFrom(operands: readonly Operand[], start: number): { end: number; number: string | null } {
  const groups: string[] = [];
  for (const { group } of operands.slice(start, start + MAX_GROUPS)) {
    if (group === null) break;
    groups.push(group);
  }
  for (let count = groups.length; count > 1; count--) {
    const number = numberOf(groups.slice(0, count).join(' '));
    if (number !== null) return { end: start + count, number };
  }
  return { end: start + 1, number: null };
}

/** Splits at white space outside quotes; a quote that is never closed reaches to the end. */
function splitTerms(input: string): Term[] {
  const terms: Term[] = [];
  for (const [, minus = '', phrase, word] of input.matchAll(
    /(?:(?<!\S)(-+))?(?:"([^"]*)(?:"|$)|([^\s"]+))/g,
  )) {
    const text = phrase ?? word ?? '';
    // Punctuation alone is no word: it must not take the place of the last one.
    if (searchTokens(text).length > 0)
      terms.push({ text, negated: minus !== '', quoted: phrase !== undefined });
  }
  return terms;
}
