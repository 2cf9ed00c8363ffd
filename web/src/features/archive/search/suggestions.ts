/** A suggestion for a search that is being typed. */
export interface Suggestion {
  readonly kind: 'term' | 'recent' | 'saved';
  /** The search with it. */
  readonly q: string;
  /** The text that is shown. */
  readonly text: string;
  /** Name of a saved search, or of the explanation of a term. */
  readonly name: string;
}

export type TermName = keyof typeof TERMS;

/** Terms that are offered, in this order, by the names of their explanations. */
const TERMS = {
  from: 'from:',
  to: 'to:',
  cc: 'cc:',
  subject: 'subject:',
  body: 'body:',
  file: 'file:',
  filename: 'filename:',
  list: 'list:',
  attachment: 'has:attachment',
  unread: 'is:unread',
  starred: 'is:starred',
  important: 'is:important',
  inbox: 'in:inbox',
  label: 'label:',
  account: 'account:',
  after: 'after:',
  before: 'before:',
  newer: 'newer_than:',
  older: 'older_than:',
  larger: 'larger:',
  smaller: 'smaller:',
} as const;

/** Most suggestions of each kind. */
const MOST = 5;
/** The word at the end of a search, with the sign before it; none within quotes. */
const LAST_WORD = /(?:^|[\s({])-?([\p{L}_:]+)$/u;

interface Kept {
  readonly recent: readonly string[];
  readonly saved: readonly { readonly name: string; readonly query: string }[];
}

/** Terms that begin as the last word does, and searches of before with what was typed. */
export function suggestionsFor(typed: string, { recent, saved }: Kept): readonly Suggestion[] {
  const wanted = typed.trim().toLowerCase();
  const has = (text: string): boolean => text.toLowerCase().includes(wanted);
  return [
    ...termsFor(typed).slice(0, MOST),
    ...recent
      .filter((q) => has(q) && q.toLowerCase() !== wanted)
      .slice(0, MOST)
      .map((q): Suggestion => ({ kind: 'recent', q, text: q, name: '' })),
    ...saved
      .filter(({ name, query }) => has(name) || has(query))
      .slice(0, MOST)
      .map(({ name, query }): Suggestion => ({ kind: 'saved', q: query, text: query, name })),
  ];
}

function termsFor(typed: string): readonly Suggestion[] {
  const isQuoted = typed.split('"').length % 2 === 0;
  const word = isQuoted ? undefined : LAST_WORD.exec(typed)?.[1]?.toLowerCase();
  if (word === undefined) return [];
  const before = typed.slice(0, typed.length - word.length);
  return Object.entries(TERMS)
    .filter(([, term]) => isBegun(term, word))
    .map(([name, term]) => ({
      kind: 'term',
      // A value is typed next, or another term.
      q: before + term + (term.endsWith(':') ? '' : ' '),
      text: term,
      name,
    }));
}

/** `un` begins `is:unread` as well. */
const isBegun = (term: string, word: string): boolean =>
  term !== word && (term.startsWith(word) || term.slice(term.indexOf(':') + 1).startsWith(word));
