import { searchTokens } from './fold-text';
import { quoteLexeme } from './search-vector';

const MAX_QUERY_LENGTH = 2_000;
const MAX_TOKENS = 100;

interface Term {
  text: string;
  negated: boolean;
  quoted: boolean;
}

/**
 * Turns what a person types into PostgreSQL text for `$1::tsquery`, or null when there is nothing to search for.
 *
 * All words are required; `"several words"` are a phrase; `-word` and `-"several words"` are excluded; the last word,
 * unless quoted or excluded, also matches as the beginning of a word. A word of several tokens (`a.b@example.com`,
 * text in a script without spaces) is a phrase. Everything else in the input is a separator, so no input can make an
 * invalid query. Of overlong input the first 2,000 characters and 100 words count.
 */
export function parseSearchQuery(input: string): string | null {
  const operands = operandsOf(input);
  if (operands.length === 0) return null;
  return operands.map(({ negated, text }) => (negated ? `!${text}` : text)).join(' & ');
}

/**
 * Reads the terms that a search excludes if it does nothing else, in the same form; null for every other search. No index finds
 * mails that lack a word.
 */
export function parseExclusions(input: string): string | null {
  const operands = operandsOf(input);
  if (operands.length === 0 || operands.some(({ negated }) => !negated)) return null;
  return operands.map(({ text }) => text).join(' | ');
}

interface Operand {
  readonly text: string;
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
    const isPrefix = index === terms.length - 1 && !quoted && !negated;
    operands.push({ text: operandOf(tokens, isPrefix), negated });
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
