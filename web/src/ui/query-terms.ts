/** Terms of a search that stand side by side: `from:"Ada L" {a b} c` has three. */
function splitTerms(query: string): string[] {
  const terms: string[] = [];
  let [term, depth, isQuoted] = ['', 0, false];
  for (const character of query) {
    if (character === '"') isQuoted = !isQuoted;
    if (!isQuoted && (character === '(' || character === '{')) depth += 1;
    if (!isQuoted && (character === ')' || character === '}')) depth -= 1;
    if (/\s/.test(character) && !isQuoted && depth <= 0) {
      terms.push(term);
      term = '';
    } else term += character;
  }
  return [...terms, term].filter((each) => each !== '');
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Whether a term stands in a search by itself, and not as one of several alternatives. */
export function hasTerm(query: string, term: string): boolean {
  const terms = splitTerms(query);
  return !terms.includes('OR') && terms.some((each) => isSame(each, term));
}

/** The search, narrowed by a term. Alternatives are put in brackets, as the term is meant for all of them. */
export function addTerm(query: string, term: string): string {
  const terms = splitTerms(query);
  const before = terms.includes('OR') ? `(${terms.join(' ')})` : terms.join(' ');
  return before === '' ? term : `${before} ${term}`;
}

/** The search without a term. */
export const removeTerm = (query: string, term: string): string =>
  splitTerms(query)
    .filter((each) => !isSame(each, term))
    .join(' ');

/** A value as one term, whatever characters it has. */
export const quoteValue = (value: string): string =>
  /^[\p{L}\p{N}_.%][\p{L}\p{N}_.%+@-]*$/u.test(value) ? value : `"${value.replace(/["“”„«»\\]/g, '-')}"`;
