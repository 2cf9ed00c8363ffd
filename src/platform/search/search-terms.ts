import { formatTerm } from './format-query';
import {
  isBlankText,
  OPERATORS,
  parseQuery,
  readQuery,
  TEXT_OPERATORS,
  type QueryNode,
  type QueryTerm,
  type UnreadablePart,
} from './query-parser';
import type { QuerySpan, QueryToken } from './query-tokens';
import { parseComparison, searchWords } from './search-values';
import { joinNumbers } from './spellings';

/** Abilities of the archive that mailboxes lack: to look into the text alone, into files, and for parts of words. */
export type SearchLack = 'text' | 'files' | 'partial-words';

/**
 * A query has a term that the mailbox does not support or that has no meaning. Dropping it would find more than was
 * asked for; so would its negation, if the term were taken to match nothing.
 */
export class SearchTermUnsupported extends Error {
  readonly span: QuerySpan | undefined;

  /**
   * @param term as it stands in a query, e.g. `category:promotions`
   * @param span its place in the query
   * @param lack the ability that the mailbox lacks and the archive has
   */
  constructor(
    readonly term: string,
    span?: QuerySpan,
    readonly lack?: SearchLack,
  ) {
    super(`The search term ${term} is not supported`);
    this.span = span && { offset: span.offset, length: span.length };
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
  readonly unsupportedOperators: ReadonlySet<string>;
  /** Whether it finds words by their beginning or end, as in `inv*` and `*voice`. */
  readonly hasPartialWords: boolean;
  /** Whether the mailbox understands `a AROUND 5 b`, and `from: ada` with a blank. */
  readonly isGmail: boolean;
  /** Parts that may be dropped or completed because the rest says what is meant. */
  readonly tolerated: ReadonlySet<UnreadablePart['reason']>;
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
  unsupportedOperators: new Set(['file', 'hash']),
  hasPartialWords: true,
  isGmail: false,
  tolerated: new Set(),
};

const CATEGORIES = ['primary', 'personal', 'social', 'promotions', 'updates', 'forums'];

/** The terms that the archive understands. What is being typed may have an open quotation mark, or a sign at its end. */
export const ARCHIVE_TERMS: SearchDialect = {
  categories: new Set(CATEGORIES),
  states: new Set([...STATES, 'draft', 'encrypted']),
  features: new Set(FEATURES),
  labels: new Set(LABELS),
  unsupportedPlaces: new Set(['chat', 'chats', 'snoozed', 'scheduled', 'muted']),
  unsupportedOperators: new Set(),
  hasPartialWords: true,
  isGmail: false,
  tolerated: new Set(['unclosed', 'sign']),
};

/** The terms that Gmail documents (support.google.com/mail/answer/7190). */
export const GMAIL_TERMS: SearchDialect = {
  categories: new Set([...CATEGORIES, 'reservations', 'purchases']),
  states: new Set([...STATES, 'muted', 'snoozed', 'chat', 'draft', 'scheduled']),
  features: new Set([
    ...FEATURES, 'drive', 'document', 'spreadsheet', 'presentation', 'youtube', 'orange-star', 'red-star', 'purple-star',
    'blue-star', 'green-star', 'red-bang', 'yellow-bang', 'orange-guillemet', 'green-check', 'blue-info', 'purple-question',
  ]), // prettier-ignore
  labels: new Set([...LABELS, 'chat', 'chats', 'snoozed', 'scheduled', 'muted']),
  unsupportedPlaces: new Set(),
  unsupportedOperators: new Set(['body', 'file', 'hash']),
  hasPartialWords: false,
  isGmail: true,
  tolerated: new Set(),
};

/**
 * Checks that every term of a query can be read, before its results decide anything. See ADR 96.
 * @returns the `label:` and `in:` terms that name a label, which only the mailbox can check
 * @throws SearchTermUnsupported naming the first term that cannot be read
 */
export function requireReadableTerms(query: string, dialect: SearchDialect): readonly QueryTerm[] {
  const { tree, tokens, unreadable } = readQuery(query);
  const dropped = unreadable.find(({ reason }) => !dialect.tolerated.has(reason));
  if (dropped) throw new SearchTermUnsupported(dropped.text, dropped);
  const around = dialect.isGmail ? undefined : tokens.find(({ kind }) => kind === 'around');
  if (around) throw new SearchTermUnsupported('AROUND', around);
  const labels: QueryTerm[] = [];
  for (const { term, isNegated } of termsOf(tree, false)) {
    if (!isReadable(term, isNegated, dialect))
      throw new SearchTermUnsupported(formatTerm(term), term, lackOf(term, dialect));
    if (namesLabel(term) && !dialect.labels.has(term.value.toLowerCase())) labels.push(term);
  }
  return labels;
}

/**
 * Checks that no word of a plain query is an operator without its value, a misspelt one that would leave messages out, or too short
 * an end of words.
 * @throws SearchTermUnsupported
 */
export function requirePlainWords(tree: QueryNode, dialect: SearchDialect): void {
  for (const { term, isNegated } of termsOf(tree, false)) {
    const isShortEnd = isEnd(term) && !isBeginning(term) && !isLongEnd(term);
    if (isShortEnd || !isPlainWord(term, isNegated, dialect))
      throw new SearchTermUnsupported(formatTerm(term), term);
  }
}

function namesLabel({ operator, value }: QueryTerm): boolean {
  return operator === 'label' || (operator === 'in' && !EVERYWHERE.has(value.toLowerCase()));
}

/** Whether a term looks for words that begin like its last one: `inv*`. */
export const isBeginning = ({ operator, value, quoted }: QueryTerm): boolean =>
  !quoted &&
  value.endsWith('*') &&
  (operator === undefined || TEXT_OPERATORS.has(operator)) &&
  searchWords(value).trim() !== '';

/** Whether a term looks for words that end like its first one: `*voice`. */
export const isEnd = ({ operator, value, quoted }: QueryTerm): boolean =>
  !quoted &&
  value.startsWith('*') &&
  (operator === undefined || TEXT_OPERATORS.has(operator)) &&
  searchWords(value).trim() !== '';

/** The archive knows the ends of words from six letters on; mailboxes are searched by the same rule. */
const MIN_END_LETTERS = 6;

/** Whether the end of a word is long enough to look for, and is of letters only or of digits only, as the archive has them. */
const isLongEnd = (term: QueryTerm): boolean =>
  !isBeginning(term) &&
  /^\*(?:[\p{L}\p{M}]+|\d+)$/u.test(term.value) &&
  [...term.value].length > MIN_END_LETTERS;

/**
 * Whether a query is words, phrases and words to leave out, without operators and alternatives. The archive has always searched for
 * such text. Brackets around words say nothing, as in `(030) 901 8200`, unless they are negated or begin with a negation, and
 * neither does `|` with nothing on one of its sides.
 */
export function isPlainQuery(tokens: readonly QueryToken[], query: string): boolean {
  return tokens.every((token, at) => {
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    if (token.kind === 'not')
      return query[token.offset] === '-' && next?.kind !== '(' && before?.kind !== '(';
    if (token.kind === 'around') return next?.kind !== 'term' || !/^\d+$/.test(next.text);
    if (token.kind === 'or') return query[token.offset] === '|' && !(isValue(before) && isValue(next));
    return token.kind === 'term' || token.kind === 'sign' || token.kind === '(' || token.kind === ')';
  });
}

/** Whether a token is, or belongs to, something to search for. */
const isValue = (token: QueryToken | undefined): boolean =>
  token !== undefined &&
  token.kind !== 'sign' &&
  token.kind !== 'or' &&
  (token.kind !== 'term' || /[\p{L}\p{N}]/u.test(token.text));

/** The current time that queries are checked with. Whether `3d` can be read does not depend on it. */
const ANY_DAY = Date.UTC(2000, 0, 1);

function isReadable(term: QueryTerm, isNegated: boolean, dialect: SearchDialect): boolean {
  const value = term.value.toLowerCase();
  if (term.operator !== undefined && dialect.unsupportedOperators.has(term.operator)) return false;
  if (!dialect.hasPartialWords && (isBeginning(term) || isEnd(term))) return false;
  if (isEnd(term) && !isLongEnd(term)) return false;
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

/** The reason why a place cannot search for a term that the archive can; undefined when there is another. */
function lackOf(term: QueryTerm, dialect: SearchDialect): SearchLack | undefined {
  if (isBlankText(term) || (isEnd(term) && !isLongEnd(term))) return undefined;
  if (term.operator !== undefined && dialect.unsupportedOperators.has(term.operator))
    return term.operator === 'body' ? 'text' : 'files';
  return !dialect.hasPartialWords && (isBeginning(term) || isEnd(term)) ? 'partial-words' : undefined;
}

/**
 * Whether a word is safe to search for as text. `form:boss` may be text or a misspelt operator. Negated, the text would
 * exclude less than the operator, so it needs quotes there. An operator apart from its value is a word too; only Gmail
 * joins them again, for operators of text.
 */
function isPlainWord({ value, quoted }: QueryTerm, isNegated: boolean, dialect: SearchDialect): boolean {
  const name = /^([A-Za-z_]{2,}):(?!\/\/)/.exec(quoted ? '' : value)?.[1]?.toLowerCase();
  if (name === undefined) return true;
  if (OPERATORS.has(name))
    return dialect.isGmail && TEXT_OPERATORS.has(name) && !dialect.unsupportedOperators.has(name);
  return !isNegated;
}

export interface TextPhrases {
  /** Terms by their key (`textKeyOf`). */
  readonly phrases: ReadonlyMap<string, QueryTerm>;
  /** A phrase that must not occur; null when there is none. */
  readonly excluded: QueryTerm | null;
}

/** A key that two terms have in common when they look for the same in texts: in quotes a word has no other spellings. */
export const textKeyOf = (term: QueryTerm): string =>
  [term.operator ?? '', term.quoted ? '"' : '', phraseOf(term)].join(':');

/** The words of a term between blanks; no blank follows the beginning of a word, and none is before the end of one. */
export function phraseOf(term: QueryTerm): string {
  const words = searchWords(term.value);
  return words.slice(isEnd(term) ? 1 : 0, isBeginning(term) ? -1 : undefined);
}

/** Finds the words that a query searches for in texts. */
export function findTextPhrases(query: string): TextPhrases {
  const phrases = new Map<string, QueryTerm>();
  let excluded: QueryTerm | null = null;
  const visit = (node: QueryNode, isNegated: boolean): void => {
    if (node.kind === 'not') visit(node.child, !isNegated);
    else if (node.kind !== 'term') for (const child of node.children) visit(child, isNegated);
    else if (node.operator === undefined || node.operator === 'body') {
      if (phraseOf(node).trim() === '') return;
      phrases.set(textKeyOf(node), node);
      if (isNegated) excluded ??= node;
    }
  };
  visit(joinNumbers(parseQuery(query)), false);
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
