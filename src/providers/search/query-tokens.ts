/** A token of Gmail's search language. */
export type QueryToken =
  | { readonly kind: '(' | ')' | '{' | '}' | 'or' | 'not' | 'around' }
  /** `-` or `!` followed by a space or the end. */
  | { readonly kind: 'sign' }
  | { readonly kind: 'term'; readonly text: string; readonly quoted: boolean; readonly unclosed?: true }
  /** `from:`, whose value is the token or group that follows. */
  | { readonly kind: 'operator'; readonly name: string };

const OPERATOR = /^([A-Za-z_\d]+):(?=\S)/;
const BREAKS = new Set([' ', '\t', '\r', '\n', '(', ')', '{', '}', '"']);

/**
 * Splits a query. `OR` and `|` separate alternatives, `AND` and `+` are dropped, `-` and `!` negate what follows,
 * quotes enclose one term, and an unknown `name:` is text like any other.
 */
export function tokenize(query: string, operators: ReadonlySet<string>): QueryToken[] {
  const tokens: QueryToken[] = [];
  let at = 0;
  while (at < query.length) {
    const char = query[at] as string;
    if (/\s/.test(char)) at++;
    else if (char === '(' || char === ')' || char === '{' || char === '}') {
      tokens.push({ kind: char });
      at++;
    } else if (char === '|') {
      tokens.push({ kind: 'or' });
      at++;
    } else if (char === '"') {
      const close = query.indexOf('"', at + 1);
      const end = close < 0 ? query.length : close;
      const text = query.slice(at + 1, end);
      tokens.push({ kind: 'term', text, quoted: true, ...(close < 0 && { unclosed: true }) });
      at = end + 1;
    } else if (
      (char === '-' || char === '!') &&
      at + 1 < query.length &&
      !/\s/.test(query[at + 1] as string)
    ) {
      tokens.push({ kind: 'not' });
      at++;
    } else if (char === '-' || char === '!') {
      tokens.push({ kind: 'sign' });
      at++;
    } else if (char === '+') at++;
    else at = readWord(query, at, operators, tokens);
  }
  return tokens;
}

function readWord(query: string, at: number, operators: ReadonlySet<string>, tokens: QueryToken[]): number {
  const operator = OPERATOR.exec(query.slice(at, at + 40));
  if (operator !== null && operators.has((operator[1] as string).toLowerCase())) {
    tokens.push({ kind: 'operator', name: (operator[1] as string).toLowerCase() });
    return at + operator[0].length;
  }
  let end = at;
  while (end < query.length && !BREAKS.has(query[end] as string)) end++;
  const text = query.slice(at, end);
  if (text === 'OR') tokens.push({ kind: 'or' });
  else if (text === 'AROUND') tokens.push({ kind: 'around' });
  else if (text !== 'AND') tokens.push({ kind: 'term', text, quoted: false });
  return end;
}
