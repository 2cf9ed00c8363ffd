import {
  isBlankText,
  OPERATORS,
  parseQuery,
  readQuery,
  TEXT_OPERATORS,
  type QueryNode,
  type QueryTerm,
} from './query-parser';
import { parseComparison, searchWords } from './search-values';

/**
 * A query has a term that the mailbox does not support or that has no meaning. Dropping it would find more than was
 * asked for; so would its negation, if the term were taken to match nothing.
 */
export class SearchTermUnsupported extends Error {
  /** @param term as it stands in a query, e.g. `category:promotions` */
  constructor(readonly term: string) {
    super(`The search term ${term} is not supported`);
  }
}

/** The values that the operators of a mailbox know, in lower case. */
export interface SearchDialect {
  readonly categories: ReadonlySet<string>;
  readonly states: ReadonlySet<string>;
  readonly features: ReadonlySet<string>;
  /** Values of `in:` and `label:` for which no label needs to exist. */
  readonly labels: ReadonlySet<string>;
  readonly unsupportedPlaces: ReadonlySet<string>;
  /** Whether the mailbox understands `a AROUND 5 b`, and `from: ada` with a blank. */
  readonly isGmail: boolean;
}

const STATES = ['unread', 'read', 'starred', 'important', 'sent', 'spam', 'trash', 'inbox'];
const FEATURES = ['attachment', 'userlabels', 'nouserlabels', 'yellow-star'];
const LABELS = ['inbox', 'sent', 'draft', 'drafts', 'spam', 'trash', 'unread', 'starred', 'important'];
/** Values of `in:` that are not labels. */
const EVERYWHERE = new Set(['anywhere', 'archive']);

/** The terms that every mailbox understands. */
export const GENERAL_TERMS: SearchDialect = {
  categories: new Set(),
  states: new Set(STATES),
  features: new Set(FEATURES),
  labels: new Set(LABELS),
  unsupportedPlaces: new Set(['chats', 'snoozed']),
  isGmail: false,
};

/** The terms that Gmail documents (support.google.com/mail/answer/7190). */
export const GMAIL_TERMS: SearchDialect = {
  categories: new Set([
    'primary',
    'personal',
    'social',
    'promotions',
    'updates',
    'forums',
    'reservations',
    'purchases',
  ]),
  states: new Set([...STATES, 'muted', 'snoozed', 'chat', 'draft', 'scheduled']),
  features: new Set([
    ...FEATURES, 'drive', 'document', 'spreadsheet', 'presentation', 'youtube', 'orange-star', 'red-star', 'purple-star',
    'blue-star', 'green-star', 'red-bang', 'yellow-bang', 'orange-guillemet', 'green-check', 'blue-info', 'purple-question',
  ]), // prettier-ignore
  labels: new Set([...LABELS, 'chat', 'chats', 'snoozed', 'scheduled', 'muted']),
  unsupportedPlaces: new Set(),
  isGmail: true,
};

/**
 * Checks that every term of a query can be read, before its results decide anything. See ADR 96.
 * @returns the `label:` and `in:` terms that name a label, which only the mailbox can check
 * @throws SearchTermUnsupported naming the first term that cannot be read
 */
export function requireReadableTerms(query: string, dialect: SearchDialect): readonly QueryTerm[] {
  const { tree, unreadable } = readQuery(query);
  if (unreadable[0] !== undefined) throw new SearchTermUnsupported(unreadable[0]);
  if (!dialect.isGmail && /\bAROUND\b/.test(query.replace(/"[^"]*"/g, '')))
    throw new SearchTermUnsupported('AROUND');
  const labels: QueryTerm[] = [];
  for (const { term, isNegated } of termsOf(tree, false)) {
    if (!isReadable(term, isNegated, dialect)) throw new SearchTermUnsupported(formatTerm(term));
    if (namesLabel(term) && !dialect.labels.has(term.value.toLowerCase())) labels.push(term);
  }
  return labels;
}

function namesLabel({ operator, value }: QueryTerm): boolean {
  return operator === 'label' || (operator === 'in' && !EVERYWHERE.has(value.toLowerCase()));
}

/** Formats a term as it would be typed. */
export function formatTerm({ operator, value, quoted }: QueryTerm): string {
  const written = quoted ? `"${value}"` : value;
  return operator === undefined ? written : `${operator}:${written}`;
}

/** The current time that queries are checked with. Whether `3d` can be read does not depend on it. */
const ANY_DAY = Date.UTC(2000, 0, 1);

function isReadable(term: QueryTerm, isNegated: boolean, dialect: SearchDialect): boolean {
  const value = term.value.toLowerCase();
  if (term.operator === undefined) return !isBlankText(term) && isPlainWord(term, isNegated, dialect);
  if (TEXT_OPERATORS.has(term.operator)) return !isBlankText(term);
  switch (term.operator) {
    case 'category':
      return dialect.categories.has(value);
    case 'in':
    case 'label':
      return value.trim() !== '' && !dialect.unsupportedPlaces.has(value);
    case 'is':
      return dialect.states.has(value);
    case 'has':
      return dialect.features.has(value);
    default:
      return parseComparison(term.operator, value, ANY_DAY) !== undefined;
  }
}

/**
 * Whether a word is safe to search for as text. `form:boss` may be text or a misspelt operator. Negated, the text would
 * exclude less than the operator, so it needs quotes there. An operator apart from its value is a word too; only Gmail
 * joins them again, for operators of text.
 */
function isPlainWord({ value, quoted }: QueryTerm, isNegated: boolean, { isGmail }: SearchDialect): boolean {
  const name = /^([A-Za-z_]{2,}):(?!\/\/)/.exec(quoted ? '' : value)?.[1]?.toLowerCase();
  if (name === undefined) return true;
  if (OPERATORS.has(name)) return isGmail && TEXT_OPERATORS.has(name);
  return !isNegated;
}

export interface TextPhrases {
  /** Phrases as they were written, by the result of `searchWords`. */
  readonly phrases: ReadonlyMap<string, string>;
  /** A phrase that must not occur; null when there is none. */
  readonly excluded: string | null;
}

/** Finds the words that a query searches for in texts. */
export function findTextPhrases(query: string): TextPhrases {
  const phrases = new Map<string, string>();
  let excluded: string | null = null;
  const visit = (node: QueryNode, isNegated: boolean): void => {
    if (node.kind === 'not') visit(node.child, !isNegated);
    else if (node.kind !== 'term') for (const child of node.children) visit(child, isNegated);
    else if (node.operator === undefined) {
      const phrase = searchWords(node.value);
      if (phrase.trim() === '') return;
      phrases.set(phrase, node.value);
      if (isNegated) excluded ??= node.value;
    }
  };
  visit(parseQuery(query), false);
  return { phrases, excluded };
}

function* termsOf(
  node: QueryNode,
  isNegated: boolean,
): Generator<{ readonly term: QueryTerm; readonly isNegated: boolean }> {
  if (node.kind === 'term') yield { term: node, isNegated };
  else if (node.kind === 'not') yield* termsOf(node.child, !isNegated);
  else for (const child of node.children) yield* termsOf(child, isNegated);
}
