import { senderText } from '../../../ui/sender';
import { quoteValue } from '../../../ui/query-terms';

/** A suggestion for a search that is being typed. */
export interface Suggestion {
  readonly kind: 'term' | 'person' | 'label' | 'recent' | 'saved';
  /** The search with it. */
  readonly q: string;
  /** The text that is shown. */
  readonly text: string;
  /** Name of a saved search, or of the explanation of a term or value. */
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
  /** People and labels that the service suggests for the value that is typed. */
  readonly people: readonly { readonly email: string; readonly sender: string }[];
  readonly labels: readonly string[];
}

/** The value that is being typed at the end of a search, of a person, a label, or of neither yet. */
export interface TypedValue {
  readonly field: 'from' | 'to' | 'cc' | 'label' | null;
  readonly text: string;
  /** The search before the value and its operator, with its sign. */
  readonly before: string;
}

const VALUE = /(?<=^|[\s({])(-?)(?:(from|to|cc|label|in):)?([^\s(){}":]+)$/iu;
/** Most people have written to fewer than all who have one letter in common. */
const MIN_WORD = 2;

/** The value at the end of a search for which people or labels can be suggested; null: there is none. */
export function typedValue(typed: string): TypedValue | null {
  const isQuoted = typed.split('"').length % 2 === 0;
  const match = isQuoted ? null : VALUE.exec(typed);
  if (match === null) return null;
  const { 1: sign = '', 2: operator, 3: text = '', index } = match;
  if (!/[\p{L}\p{N}]/u.test(text) || (operator === undefined && text.length < MIN_WORD)) return null;
  const name = operator?.toLowerCase();
  const field = name === 'in' ? 'label' : ((name as TypedValue['field'] | undefined) ?? null);
  return { field, text, before: typed.slice(0, index) + sign };
}

/** Terms that begin as the last word does, people and labels, and searches of before with what was typed. */
export function suggestionsFor(
  typed: string,
  { recent, saved, people, labels }: Kept,
): readonly Suggestion[] {
  const wanted = typed.trim().toLowerCase();
  const has = (text: string): boolean => text.toLowerCase().includes(wanted);
  return [
    ...termsFor(typed).slice(0, MOST),
    ...valuesFor(typed, people, labels).slice(0, MOST),
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

function valuesFor(typed: string, people: Kept['people'], labels: Kept['labels']): readonly Suggestion[] {
  const value = typedValue(typed);
  if (value === null) return [];
  const { field, before } = value;
  if (field === 'label')
    return labels.map((label) => ({
      kind: 'label',
      q: `${before}label:${quoteValue(label)} `,
      text: label,
      name: 'label',
    }));
  const operator = field ?? 'from';
  return people.map(({ email, sender }) => ({
    kind: 'person',
    q: `${before}${operator}:${quoteValue(email)} `,
    text: senderText(sender),
    name: operator,
  }));
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
