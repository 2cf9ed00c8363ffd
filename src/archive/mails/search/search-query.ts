import { searchTokens } from './fold-text';
import { PASSAGE_OVERLAP, quoteLexeme } from './search-vector';
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
 * the last word unless it is quoted or excluded, also match as the beginning of a word. A word of several tokens
 * (`a.b@example.com`, text in a script without spaces) is a phrase. Everything else in the input is a separator, so no
 * input can make an invalid query. Of overlong input the first 2,000 characters and 100 words count.
 */
export function parseSearchQuery(input: string): WordQuery | null {
  const operands = operandsOf(input);
  if (operands.length === 0) return null;
  return { all: operands.map(({ word, negated }) => (negated ? { not: { word } } : { word })) };
}

/** Reads the terms that a search excludes if it does nothing else; null for every other search. No index finds mails that lack a word. */
export function parseExclusions(input: string): WordQuery | null {
  const operands = operandsOf(input);
  if (operands.length === 0 || operands.some(({ negated }) => !negated)) return null;
  return { any: operands.map(({ word }) => ({ word })) };
}

interface Operand {
  /** A word or phrase, as text for `$1::tsquery`. */
  readonly word: string;
  readonly negated: boolean;
}

function operandsOf(input: string): Operand[] {
  const terms = splitTerms(input.slice(0, MAX_QUERY_LENGTH).replace(/[“”„«»]/g, '"'));
  const operands: Operand[] = [];
  let budget = MAX_TOKENS;
  terms.forEach(({ text, negated, quoted }, index) => {
    const tokens = searchTokens(text).slice(0, budget);
    if (tokens.length === 0) return;
    budget -= tokens.length;
    const isTyped = index === terms.length - 1 && !negated;
    const isPrefix = !quoted && (isTyped || text.endsWith('*'));
    operands.push({ word: operandOf(tokens, isPrefix), negated });
  });
  return operands;
}

function operandOf(tokens: string[], isPrefix: boolean): string {
  const lexemes = tokens.map(quoteLexeme);
  if (isPrefix) lexemes.push(`${lexemes.pop() ?? ''}:*`);
  return lexemes.length === 1 ? (lexemes[0] ?? '') : `( ${lexemes.join(' <-> ')} )`;
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
