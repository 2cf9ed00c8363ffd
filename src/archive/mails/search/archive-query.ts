import { type QueryNode, type QueryTerm, readQuery } from '../../../platform/search/query-parser';
import { formatTerm } from '../../../platform/search/format-query';
import {
  ARCHIVE_TERMS,
  isPlainQuery,
  requirePlainWords,
  requireReadableTerms,
  SearchTermUnsupported,
} from '../../../platform/search/search-terms';
import { parseComparison } from '../../../platform/search/search-values';
import { FIELDS_KNOWN, withinField, WORD_FIELDS, type WordField } from './field-words';
import { type MailCondition, matchesNoWords, oppositeOf, type RowTest, wordsOnly } from './mail-condition';
import { searchTokens } from './fold-text';
import { parseExclusions, parseSearchQuery } from './search-query';
import type { WordQuery } from './word-query';

/** The conditions of a query on archived mails; all must hold. */
export interface ArchiveQuery {
  /** Null: no words that a mail must have. */
  readonly words: WordQuery | null;
  /** Finds the mails left out, of a query that asks for no words; else null. */
  readonly exclusions: WordQuery | null;
  /** Tests of the mails' rows. */
  readonly tests: readonly RowTest[];
  /** The rest: alternatives and negations of words and tests. */
  readonly conditions: readonly MailCondition[];
}

/** Matches no mail. */
const NO_WORDS: WordQuery = { any: [] };
const NOTHING_ASKED: ArchiveQuery = { words: null, exclusions: null, tests: [], conditions: [] };

/**
 * Translates a query for the archive. Plain words keep the meaning that they had before there was a language: see `parseSearchQuery`.
 * A plain query without a letter or digit finds nothing rather than everything.
 * @param now the time from which ages are counted, in epoch milliseconds
 * @throws SearchTermUnsupported
 */
export function readArchiveQuery(q: string, now: number): ArchiveQuery {
  if (q.trim() === '') return NOTHING_ASKED;
  const { tree, tokens } = readQuery(q);
  if (isPlainQuery(tokens, q)) {
    requirePlainWords(tree, ARCHIVE_TERMS);
    const exclusions = parseExclusions(q);
    if (exclusions !== null) return { ...NOTHING_ASKED, exclusions };
    return { ...NOTHING_ASKED, words: parseSearchQuery(q) ?? NO_WORDS };
  }
  if (isEmpty(tree)) return { ...NOTHING_ASKED, words: NO_WORDS };
  requireReadableTerms(q, ARCHIVE_TERMS);
  return combine(new Translation(now, lastTypedOf(tree)).conditionsOf(tree));
}

const isEmpty = (tree: QueryNode): boolean => tree.kind === 'and' && tree.children.length === 0;

/** The last term, unless it is excluded: it may be a word that is still being typed. */
function lastTypedOf(node: QueryNode): QueryTerm | null {
  if (node.kind === 'term') return node.operator === undefined && !node.quoted ? node : null;
  const last = node.kind === 'not' ? undefined : node.children.at(-1);
  return last ? lastTypedOf(last) : null;
}

const CATEGORIES: Readonly<Record<string, string>> = {
  primary: 'CATEGORY_PERSONAL',
  personal: 'CATEGORY_PERSONAL',
  social: 'CATEGORY_SOCIAL',
  promotions: 'CATEGORY_PROMOTIONS',
  updates: 'CATEGORY_UPDATES',
  forums: 'CATEGORY_FORUMS',
};

/** Labels that every mailbox has, by what people call them. */
const LABELS: Readonly<Record<string, string>> = {
  inbox: 'INBOX',
  sent: 'SENT',
  draft: 'DRAFT',
  drafts: 'DRAFT',
  spam: 'SPAM',
  trash: 'TRASH',
  unread: 'UNREAD',
  starred: 'STARRED',
  important: 'IMPORTANT',
};

/** Mails without any of these are in Gmail's archive. */
const PLACES = ['INBOX', 'SENT', 'DRAFT', 'SPAM', 'TRASH'];

const SHA256 = /^[0-9a-f]{64}$/;

/** Translates one query; its negations end up at its terms. */
class Translation {
  constructor(
    private readonly now: number,
    private readonly lastTyped: QueryTerm | null,
  ) {}

  /** The conditions that all must hold. */
  conditionsOf(tree: QueryNode): readonly MailCondition[] {
    const condition = this.translate(tree, false);
    return 'every' in condition ? condition.every : [condition];
  }

  private translate(node: QueryNode, isNegated: boolean): MailCondition {
    if (node.kind === 'not') return this.translate(node.child, !isNegated);
    if (node.kind === 'term') return this.translateTerm(node, isNegated);
    const isEvery = (node.kind === 'and') !== isNegated;
    const parts = isEvery
      ? this.translateAll(node.children, isNegated).flatMap((part) => ('every' in part ? part.every : [part]))
      : node.children
          .map((child) => this.translate(child, isNegated))
          .flatMap((part) => ('some' in part ? part.some : [part]));
    return isEvery ? { every: parts } : { some: parts };
  }

  /** Words that stand beside each other are read together, as those of a plain query are. */
  private translateAll(children: readonly QueryNode[], isNegated: boolean): MailCondition[] {
    const isWord = (node: QueryNode): node is QueryTerm =>
      node.kind === 'term' && node.operator === undefined && !isNegated;
    const words = children.filter(isWord);
    const others = children.filter((node) => !isWord(node));
    const translated = others.map((node) => this.translate(node, isNegated));
    return words.length === 0 ? translated : [{ words: this.wordsOf(words) }, ...translated];
  }

  private translateTerm(term: QueryTerm, isNegated: boolean): MailCondition {
    const { operator, value } = term;
    switch (operator) {
      case undefined:
        return negatedIf(isNegated, { words: this.wordsOf([term]) });
      case 'subject':
      case 'from':
      case 'body':
        if (operator === 'from' && isMe(value)) return negatedIf(isNegated, { row: { test: 'fromMe' } });
        return negatedIf(isNegated, { words: withinField(this.wordsOf([term]), operator) });
      case 'file':
        return this.inFiles(term, isNegated);
      case 'hash':
        return this.withHash(term, isNegated);
      case 'label':
      case 'in':
        return this.placeOf(value, operator, isNegated);
      default:
        if (isWordField(operator)) return this.inField(term, operator, isNegated);
        return negatedIf(isNegated, this.testOf(term, operator));
    }
  }

  /** A mail that does not say what its fields have is not found by the lack of something in them either. */
  private inField(term: QueryTerm, field: WordField, isNegated: boolean): MailCondition {
    if (field === 'to' && isMe(term.value)) return negatedIf(isNegated, { row: { test: 'toMe' } });
    if ((field === 'cc' || field === 'bcc') && isMe(term.value)) {
      const row: MailCondition = { row: { test: 'fieldMe', field } };
      return isNegated ? { every: [{ no: row }, FIELDS_ARE_KNOWN] } : row;
    }
    const words = withinField(this.wordsOf([term]), field);
    if (!isNegated) return { words };
    return { words: { all: [{ not: words }, FIELDS_ARE_KNOWN.words] } };
  }

  /** Names and text of attachments. Mail with text that is not known is not found by the lack of something in it either. */
  private inFiles(term: QueryTerm, isNegated: boolean): MailCondition {
    const text = this.wordsOf([term]);
    const found: MailCondition = {
      row: { test: 'inFiles', name: withinField(text, 'filename'), text },
    };
    if (!isNegated) return found;
    return {
      every: [{ no: found }, FIELDS_ARE_KNOWN, { row: { test: 'filesRead' } }],
    };
  }

  private withHash(term: QueryTerm, isNegated: boolean): MailCondition {
    const sha256 = term.value.toLowerCase();
    if (!SHA256.test(sha256)) throw new SearchTermUnsupported(formatTerm(term), term);
    const found: MailCondition = { row: { test: 'fileHash', sha256 } };
    return isNegated ? { every: [{ no: found }, { row: { test: 'filesHashed' } }] } : found;
  }

  private wordsOf(terms: readonly QueryTerm[]): WordQuery {
    const text = terms.map(({ value, quoted }) => (quoted ? `"${value}"` : value)).join(' ');
    const words = parseSearchQuery(text, { isTyped: terms.at(-1) === this.lastTyped });
    // Text beyond what is indexed, such as a word of a thousand letters, would be left out.
    const wordless = terms.find(({ value }) => words === null || searchTokens(value).length === 0);
    if (wordless || words === null) throw new SearchTermUnsupported(formatTerm(wordless!), wordless);
    return words;
  }

  private placeOf(name: string, operator: 'label' | 'in', isNegated: boolean): MailCondition {
    const place = name.toLowerCase();
    const label = LABELS[place];
    if (label) return negatedIf(isNegated, { row: { test: 'anyLabel', labels: [label] } });
    if (operator === 'in' && place === 'anywhere')
      return negatedIf(isNegated, { row: { test: 'everywhere' } });
    if (operator === 'in' && place === 'archive')
      return negatedIf(!isNegated, { row: { test: 'anyLabel', labels: PLACES } });
    // A label that does not exist finds nothing, nor does its lack.
    return { row: { test: isNegated ? 'withoutLabel' : 'label', name } };
  }

  private testOf(term: QueryTerm, operator: string): MailCondition {
    const { value } = term;
    const lower = value.toLowerCase();
    switch (operator) {
      case 'is':
        return stateOf(lower);
      case 'has':
        return featureOf(lower);
      case 'category':
        return { row: { test: 'anyLabel', labels: [CATEGORIES[lower] as string] } };
      case 'rfc822msgid':
        return { row: { test: 'messageId', messageId: value.replace(/^<|>$/g, '') } };
      case 'account':
        return { row: { test: 'account', part: value } };
      default: {
        const limit = parseComparison(operator, value, this.now);
        if (limit === undefined) throw new SearchTermUnsupported(formatTerm(term), term);
        return { row: comparisonOf(operator, limit) };
      }
    }
  }
}

const isWordField = (operator: string): operator is WordField =>
  (WORD_FIELDS as readonly string[]).includes(operator);

const negatedIf = (isNegated: boolean, condition: MailCondition): MailCondition =>
  isNegated ? { no: condition } : condition;

const isMe = (value: string): boolean => value.toLowerCase() === 'me';

const FIELDS_ARE_KNOWN = { words: { word: `'${FIELDS_KNOWN}'` } };

function stateOf(state: string): MailCondition {
  if (state === 'encrypted') return { row: { test: 'encrypted' } };
  if (state === 'read') return { no: { row: { test: 'anyLabel', labels: ['UNREAD'] } } };
  return { row: { test: 'anyLabel', labels: [LABELS[state] as string] } };
}

function featureOf(feature: string): MailCondition {
  if (feature === 'attachment') return { row: { test: 'attachment' } };
  if (feature === 'yellow-star') return { row: { test: 'anyLabel', labels: ['STARRED'] } };
  const labelled: MailCondition = { row: { test: 'userLabels' } };
  return feature === 'userlabels' ? labelled : { no: labelled };
}

function comparisonOf(operator: string, limit: number): RowTest {
  switch (operator) {
    case 'after':
    case 'newer':
    case 'newer_than':
      return { test: 'since', date: new Date(limit) };
    case 'before':
    case 'older':
    case 'older_than':
      return { test: 'until', date: new Date(limit) };
    case 'smaller':
      return { test: 'smaller', bytes: limit };
    default:
      return { test: 'larger', bytes: limit };
  }
}

/** Sorts the conditions by the way in which they are answered: words by their index, tests by the mails' rows, and the rest. */
function combine(all: readonly MailCondition[]): ArchiveQuery {
  const required: WordQuery[] = [];
  const excluded: WordQuery[] = [];
  const tests: RowTest[] = [];
  const conditions: MailCondition[] = [];
  for (const condition of all) {
    const words = wordsOnly(condition);
    if (words !== null && matchesNoWords(words)) excluded.push(oppositeOf(words));
    else if (words !== null) required.push(words);
    else if ('row' in condition) tests.push(condition.row);
    else conditions.push(condition);
  }
  const without: WordQuery[] = excluded.map((words) => ({ not: words }));
  return {
    words: required.length > 0 ? { all: [...required, ...without] } : null,
    exclusions: required.length === 0 && excluded.length > 0 ? { any: excluded } : null,
    tests,
    conditions,
  };
}
