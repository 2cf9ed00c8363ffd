import { readQuery, type QueryNode, type QueryTerm } from './query-parser';
import { formatTerm } from './format-query';
import { SearchTermUnsupported, phraseOf } from './search-terms';
import { containsPhrase, isAccount, parseComparison, searchWords } from './search-values';
import { joinNumbers, spellingsOf } from './spellings';

/** Facts about a message that searches compare, without its text. */
export interface SearchFacts {
  readonly from: string;
  readonly to: string;
  readonly cc: string;
  readonly bcc: string;
  readonly subject: string;
  /** Empty when there is none: then replies go to the sender. */
  readonly replyTo: string;
  readonly deliveredTo: string;
  /** List-Id; empty when there is none. */
  readonly list: string;
  /** Message-ID without angle brackets. */
  readonly messageId: string;
  readonly attachmentNames: readonly string[];
  readonly hasAttachment: boolean;
}

/** A message as searches see it. Its methods are costly and called on demand. */
export interface SearchSubject {
  readonly labels: ReadonlySet<string>;
  /** Epoch milliseconds. */
  readonly internalDate: number;
  facts(): SearchFacts;
  /** Raw size in bytes. */
  size(): number;
  /** Whether the readable text has the words of a term one after the other; of `body:` without files and header. */
  hasText(term: QueryTerm): boolean;
}

export interface SearchContext {
  readonly now: number;
  /** The address that `from:me` stands for. */
  readonly email: string;
  readonly accountId: string;
  /** Id of the label with that id or name (any case, `/`, `&` and spaces as `-`). */
  labelId(name: string): string | undefined;
  isUserLabel(labelId: string): boolean;
  /** Whether a word is also found in its other spellings (`spellingsOf`). */
  readonly isSpelled: boolean;
  /**
   * Treatment of a term that cannot be read. `refused` throws an error that names it. `matches-nothing` is what Gmail
   * does; only its simulator may do so, because a negation of it matches every message.
   */
  readonly unreadable: 'refused' | 'matches-nothing';
}

export interface CompiledSearch {
  matches(subject: SearchSubject): boolean;
  /** Whether the query asks for messages in spam, which are left out otherwise; `wantsTrash` likewise. */
  readonly wantsSpam: boolean;
  readonly wantsTrash: boolean;
}

/** Cost of a predicate. Cheap ones are tested first; a body is generated only when nothing else has decided. */
enum Cost {
  Label,
  Facts,
  Size,
  Body,
}

interface Predicate {
  readonly cost: Cost;
  test(subject: SearchSubject): boolean;
}

const NEVER: Predicate = { cost: Cost.Label, test: () => false };
const ALWAYS: Predicate = { cost: Cost.Label, test: () => true };

/** @throws SearchTermUnsupported for a term that cannot be read, if the context asks for that */
export function compileSearch(query: string, context: SearchContext): CompiledSearch {
  const { tree, unreadable } = readQuery(query);
  if (context.unreadable === 'refused' && unreadable[0] !== undefined)
    throw new SearchTermUnsupported(unreadable[0].text, unreadable[0]);
  const predicate = compileNode(context.isSpelled ? joinNumbers(tree) : tree, context);
  const places = new Set<string>();
  collectPlaces(tree, places);
  return {
    matches: (subject) => predicate.test(subject),
    wantsSpam: places.has('spam') || places.has('anywhere'),
    wantsTrash: places.has('trash') || places.has('anywhere'),
  };
}

function collectPlaces(node: QueryNode, places: Set<string>): void {
  if (node.kind === 'not') return;
  if (node.kind !== 'term') node.children.forEach((child) => collectPlaces(child, places));
  else if (node.operator === 'in' || node.operator === 'label' || node.operator === 'is')
    places.add(node.value.toLowerCase());
}

function compileNode(node: QueryNode, context: SearchContext): Predicate {
  if (node.kind === 'term') return requireReadable(context, node, compileTerm(node, context));
  if (node.kind === 'not') {
    const child = compileNode(node.child, context);
    return { cost: child.cost, test: (subject) => !child.test(subject) };
  }
  const children = node.children.map((child) => compileNode(child, context)).sort((a, b) => a.cost - b.cost);
  const cost = children.at(-1)?.cost ?? Cost.Label;
  if (node.kind === 'and') return { cost, test: (subject) => children.every((child) => child.test(subject)) };
  return { cost, test: (subject) => children.some((child) => child.test(subject)) };
}

/** @param predicate undefined for a term that cannot be read @throws SearchTermUnsupported when the context refuses it */
function requireReadable(
  context: SearchContext,
  term: QueryTerm,
  predicate: Predicate | undefined,
): Predicate {
  if (predicate !== undefined) return predicate;
  if (context.unreadable === 'refused') throw new SearchTermUnsupported(formatTerm(term), term);
  return term.operator === undefined ? ALWAYS : NEVER;
}

function compileTerm(term: QueryTerm, context: SearchContext): Predicate | undefined {
  const { operator, value } = term;
  switch (operator) {
    case undefined:
      return matchAnywhere(term, context);
    case 'body':
      return matchBody(term);
    case 'account':
      return matchAccount(value, context);
    case 'file':
    case 'hash':
      return undefined;
    case 'from':
    case 'to':
    case 'cc':
    case 'bcc':
    case 'subject':
    case 'list':
    case 'deliveredto':
    case 'replyto':
      return matchField(operator, term, context);
    case 'filename':
      return matchFilename(term, context);
    case 'rfc822msgid': {
      const wanted = value.replace(/^<|>$/g, '');
      if (wanted === '') return undefined;
      return { cost: Cost.Facts, test: (subject) => subject.facts().messageId === wanted };
    }
    case 'label':
      return hasLabel(context.labelId(value));
    case 'in':
      return compilePlace(value.toLowerCase(), context);
    case 'is':
      return compileState(value.toLowerCase());
    case 'has':
      return compileFeature(value.toLowerCase(), context);
    case 'category':
      return hasLabel(CATEGORIES[value.toLowerCase()]);
    default:
      return compileComparison(operator, value, context);
  }
}

/** The phrases that a term is found by; none for a term without words. */
function phrasesOf(term: QueryTerm, { isSpelled }: SearchContext): readonly string[] {
  if (phraseOf(term).trim() === '') return [];
  return (isSpelled ? spellingsOf(term) : [term]).map(phraseOf);
}

const containsAny = (text: string, phrases: readonly string[]): boolean => {
  const words = searchWords(text);
  return phrases.some((phrase) => containsPhrase(words, phrase));
};

function matchAnywhere(term: QueryTerm, context: SearchContext): Predicate | undefined {
  const phrases = phrasesOf(term, context);
  if (phrases.length === 0) return undefined;
  return {
    cost: Cost.Body,
    test(subject) {
      const facts = subject.facts();
      const fields = [facts.subject, facts.from, facts.to, facts.cc, facts.bcc, ...facts.attachmentNames];
      return fields.some((text) => containsAny(text, phrases)) || subject.hasText(term);
    },
  };
}

function matchBody(term: QueryTerm): Predicate | undefined {
  if (phraseOf(term).trim() === '') return undefined;
  return { cost: Cost.Body, test: (subject) => subject.hasText(term) };
}

/** True or false for all messages of an account. */
const matchAccount = (value: string, { accountId, email }: SearchContext): Predicate =>
  isAccount(value, { id: accountId, email }) ? ALWAYS : NEVER;

type Field = 'from' | 'to' | 'cc' | 'bcc' | 'subject' | 'list' | 'deliveredto' | 'replyto';

function matchField(field: Field, term: QueryTerm, context: SearchContext): Predicate | undefined {
  const isAddress = field === 'from' || field === 'to' || field === 'cc' || field === 'bcc';
  const isMe = isAddress && term.value.toLowerCase() === 'me';
  const phrases = isMe ? [searchWords(context.email)] : phrasesOf(term, context);
  if (phrases.length === 0) return undefined;
  const read = (facts: SearchFacts): string => {
    if (field === 'deliveredto') return facts.deliveredTo;
    return field === 'replyto' ? facts.replyTo || facts.from : facts[field];
  };
  return { cost: Cost.Facts, test: (subject) => containsAny(read(subject.facts()), phrases) };
}

function matchFilename(term: QueryTerm, context: SearchContext): Predicate | undefined {
  const phrases = phrasesOf(term, context);
  if (phrases.length === 0) return undefined;
  return {
    cost: Cost.Facts,
    test: (subject) => subject.facts().attachmentNames.some((name) => containsAny(name, phrases)),
  };
}

const CATEGORIES: Record<string, string | undefined> = {
  primary: 'CATEGORY_PERSONAL',
  personal: 'CATEGORY_PERSONAL',
  social: 'CATEGORY_SOCIAL',
  promotions: 'CATEGORY_PROMOTIONS',
  updates: 'CATEGORY_UPDATES',
  forums: 'CATEGORY_FORUMS',
};

function hasLabel(labelId: string | undefined): Predicate | undefined {
  return labelId === undefined
    ? undefined
    : { cost: Cost.Label, test: (subject) => subject.labels.has(labelId) };
}

function compilePlace(place: string, context: SearchContext): Predicate | undefined {
  switch (place) {
    case 'anywhere':
      return ALWAYS;
    case 'sent':
      return hasLabel('SENT');
    case 'draft':
    case 'drafts':
      return hasLabel('DRAFT');
    case 'chats':
    case 'snoozed':
      return undefined;
    case 'archive':
      return {
        cost: Cost.Label,
        test: ({ labels }) => !['INBOX', 'SENT', 'DRAFT', 'SPAM', 'TRASH'].some((label) => labels.has(label)),
      };
    default:
      return hasLabel(context.labelId(place));
  }
}

function compileState(state: string): Predicate | undefined {
  if (state === 'read') return { cost: Cost.Label, test: (subject) => !subject.labels.has('UNREAD') };
  const labels: Record<string, string | undefined> = {
    unread: 'UNREAD',
    starred: 'STARRED',
    important: 'IMPORTANT',
    sent: 'SENT',
    spam: 'SPAM',
    trash: 'TRASH',
    inbox: 'INBOX',
  };
  return hasLabel(labels[state]);
}

function compileFeature(feature: string, context: SearchContext): Predicate | undefined {
  const userLabelled = (subject: SearchSubject): boolean =>
    [...subject.labels].some((label) => context.isUserLabel(label));
  switch (feature) {
    case 'attachment':
      return { cost: Cost.Facts, test: (subject) => subject.facts().hasAttachment };
    case 'userlabels':
      return { cost: Cost.Label, test: userLabelled };
    case 'nouserlabels':
      return { cost: Cost.Label, test: (subject) => !userLabelled(subject) };
    case 'yellow-star':
      return hasLabel('STARRED');
    default:
      return undefined;
  }
}

function compileComparison(operator: string, value: string, context: SearchContext): Predicate | undefined {
  const limit = parseComparison(operator, value, context.now);
  if (limit === undefined) return undefined;
  switch (operator) {
    case 'after':
    case 'newer':
    case 'newer_than':
      return { cost: Cost.Label, test: (subject) => subject.internalDate >= limit };
    case 'before':
    case 'older':
    case 'older_than':
      return { cost: Cost.Label, test: (subject) => subject.internalDate < limit };
    case 'smaller':
      return { cost: Cost.Size, test: (subject) => subject.size() < limit };
    default:
      return { cost: Cost.Size, test: (subject) => subject.size() > limit };
  }
}
