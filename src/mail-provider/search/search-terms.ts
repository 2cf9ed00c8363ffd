import { parseQuery, type QueryNode } from './query-parser';
import { searchWords } from './search-values';

/** A term of a query that a mailbox cannot answer. Dropping it would find more than was asked for. */
export class SearchTermUnsupported extends Error {
  /** @param term as it stands in a query, e.g. `category:promotions` */
  constructor(readonly term: string) {
    super(`The search term ${term} is not supported`);
  }
}

const UNSUPPORTED_PLACES = new Set(['chats', 'snoozed']);
const STATES = new Set(['unread', 'read', 'starred', 'important', 'sent', 'spam', 'trash', 'inbox']);
const FEATURES = new Set(['attachment', 'userlabels', 'nouserlabels', 'yellow-star']);

/**
 * Looks for terms that only the provider of the language knows.
 * @throws SearchTermUnsupported naming the first one
 */
export function requireGeneralTerms(query: string): void {
  if (/\bAROUND\b/.test(query.replace(/"[^"]*"/g, ''))) throw new SearchTermUnsupported('AROUND');
  for (const { operator, value } of termsOf(parseQuery(query))) {
    if (!isGeneral(operator, value.toLowerCase())) throw new SearchTermUnsupported(`${operator}:${value}`);
  }
}

function isGeneral(operator: string | undefined, value: string): boolean {
  switch (operator) {
    case 'category':
      return false;
    case 'in':
      return !UNSUPPORTED_PLACES.has(value);
    case 'is':
      return STATES.has(value);
    case 'has':
      return FEATURES.has(value);
    case 'label':
      return !value.startsWith('category_');
    default:
      return true;
  }
}

export interface TextPhrases {
  /** As they were written, by what `searchWords` makes of them. */
  readonly phrases: ReadonlyMap<string, string>;
  /** One that must not be there; null without any. */
  readonly excluded: string | null;
}

/** What the query looks for in texts. */
export function textPhrases(query: string): TextPhrases {
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
): Generator<{ readonly operator: string | undefined; readonly value: string }> {
  if (node.kind === 'term') yield node;
  else if (node.kind === 'not') yield* termsOf(node.child);
  else for (const child of node.children) yield* termsOf(child);
}
