/** The place of a part of a query, in UTF-16 units. */
export interface QuerySpan {
  readonly offset: number;
  readonly length: number;
}

/** A token of the search language. */
export type QueryToken = QuerySpan &
  (
    | { readonly kind: '(' | ')' | '{' | '}' | 'or' | 'and' | 'not' | 'around' }
    /** `-` or `!` followed by a space or the end. */
    | { readonly kind: 'sign' }
    | { readonly kind: 'term'; readonly text: string; readonly quoted: boolean; readonly unclosed?: true }
    /** `from:`, whose value is the token or group that follows. */
    | { readonly kind: 'operator'; readonly name: string }
  );

const OPERATOR = /^([A-Za-z_\d]+):(?=\S)(?!\/\/)/;
const BREAKS = new Set([' ', '\t', '\r', '\n', '(', ')', '{', '}', '"']);

/** Replaces typographic quotation marks by plain ones; lengths stay. */
export const plainQuotes = (query: string): string => query.replace(/[“”„«»]/g, '"');

/**
 * Splits a query. `OR` and `|` separate alternatives, `AND` and `+` say nothing, `-` and `!` negate what follows, however often they
 * are repeated, quotes enclose one term, and an unknown `name:` is text like any other.
 */
export function tokenize(query: string, operators: ReadonlySet<string>): QueryToken[] {
  const tokens: QueryToken[] = [];
  const text = plainQuotes(query);
  let at = 0;
  while (at < text.length) {
    const char = text[at] as string;
    const one = { offset: at, length: 1 };
    if (/\s/.test(char) || char === '+') at++;
    else if (char === '(' || char === ')' || char === '{' || char === '}') {
      tokens.push({ kind: char, ...one });
      at++;
    } else if (char === '|') {
      tokens.push({ kind: 'or', ...one });
      at++;
    } else if (char === '"') at = readQuoted(text, at, tokens);
    else if (char === '-' || char === '!') at = readSigns(text, at, tokens);
    else at = readWord(text, at, operators, tokens);
  }
  return tokens;
}

function readQuoted(query: string, at: number, tokens: QueryToken[]): number {
  const close = query.indexOf('"', at + 1);
  const end = close < 0 ? query.length : close;
  const next = close < 0 ? end : end + 1;
  tokens.push({
    kind: 'term',
    text: query.slice(at + 1, end),
    quoted: true,
    offset: at,
    length: next - at,
    ...(close < 0 && { unclosed: true }),
  });
  return next;
}

/** `--a` says the same as `-a`; signs before a space or the end negate nothing. */
function readSigns(query: string, at: number, tokens: QueryToken[]): number {
  let end = at + 1;
  while (query[end] === '-' || query[end] === '!') end++;
  const isBeforeValue = end < query.length && !/\s/.test(query[end] as string);
  tokens.push({ kind: isBeforeValue ? 'not' : 'sign', offset: at, length: end - at });
  return end;
}

function readWord(query: string, at: number, operators: ReadonlySet<string>, tokens: QueryToken[]): number {
  const operator = OPERATOR.exec(query.slice(at, at + 40));
  if (operator !== null && operators.has((operator[1] as string).toLowerCase())) {
    const [{ length }] = operator;
    tokens.push({ kind: 'operator', name: (operator[1] as string).toLowerCase(), offset: at, length });
    return at + length;
  }
  let end = at;
  while (end < query.length && !BREAKS.has(query[end] as string)) end++;
  const text = query.slice(at, end);
  const span = { offset: at, length: end - at };
  if (text === 'OR') tokens.push({ kind: 'or', ...span });
  else if (text === 'AROUND') tokens.push({ kind: 'around', ...span });
  else if (text === 'AND') tokens.push({ kind: 'and', ...span });
  else tokens.push({ kind: 'term', text, quoted: false, ...span });
  return end;
}
