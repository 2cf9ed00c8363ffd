import { readQuery, type QueryNode, type QueryTerm } from '../../../platform/search/query-parser';
import { MIN_SUFFIX_LETTERS } from '../../mails/search/reversed-words';
import { phoneEndOf, spellingsOf, type WordMatch } from '../../mails/search/term-words';

/** Where a term may stand. */
export const MATCH_FIELDS = ['subject', 'sender', 'recipient', 'text', 'filename', 'file'] as const;
export type MatchField = (typeof MATCH_FIELDS)[number];

/** A word or phrase that a query looks for, as it is looked for in a text. Survives the way to a worker thread. */
export interface SoughtTerm {
  /** The typed text, without operator and quotes. */
  readonly text: string;
  readonly fields: readonly MatchField[];
  /** The folded words, each in the spellings that count. */
  readonly words: readonly (readonly string[])[];
  readonly match: WordMatch;
  /** The letters and digits of a number, lower case; null: it is none. */
  readonly number: string | null;
  /** The last digits of a telephone number; null: it is none. */
  readonly phoneEnd: string | null;
}

const EVERYWHERE: readonly MatchField[] = MATCH_FIELDS;
const FIELDS: Readonly<Record<string, readonly MatchField[]>> = {
  from: ['sender'],
  to: ['recipient'],
  cc: ['recipient'],
  bcc: ['recipient'],
  subject: ['subject'],
  body: ['text'],
  filename: ['filename'],
  file: ['filename', 'file'],
};
/** Terms of a query that are marked; a query has at most 100 words. */
const MAX_TERMS = 32;
const MIN_NUMBER = 7;

/** The words and phrases that a query looks for, without those that it excludes. */
export function soughtTerms(query: string): SoughtTerm[] {
  const terms: QueryTerm[] = [];
  const { tree } = readQuery(query);
  collectTerms(tree, terms);
  const end = query.trimEnd().length;
  return terms.slice(0, MAX_TERMS).flatMap((term) => soughtTerm(term, term.offset + term.length === end));
}

function collectTerms(node: QueryNode, terms: QueryTerm[]): void {
  if (node.kind === 'term') terms.push(node);
  else if (node.kind !== 'not') for (const child of node.children) collectTerms(child, terms);
}

function soughtTerm({ operator, value, quoted }: QueryTerm, isLast: boolean): SoughtTerm[] {
  const fields = operator === undefined ? EVERYWHERE : FIELDS[operator];
  const words = spellingsOf(value);
  if (fields === undefined || words.length === 0) return [];
  const characters = value.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
  const isNumber = characters.length >= MIN_NUMBER && /\d/.test(characters);
  return [
    {
      text: value,
      fields,
      words,
      match: quoted ? 'whole' : matchOf(value, isLast && operator === undefined),
      number: isNumber ? characters : null,
      phoneEnd: phoneEndOf(value),
    },
  ];
}

function matchOf(value: string, isTyped: boolean): WordMatch {
  if (value.endsWith('*')) return 'beginning';
  if (value.startsWith('*') && [...value].length > MIN_SUFFIX_LETTERS) return 'end';
  return isTyped ? 'beginning' : 'whole';
}
