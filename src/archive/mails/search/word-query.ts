/** A condition on the words of a mail. */
export type WordQuery =
  /** A word, a beginning of words (`'inv':*`) or a phrase, as text for `$1::tsquery`. */
  | { readonly word: string }
  | { readonly all: readonly WordQuery[] }
  /** Matches no mail when it is empty. */
  | { readonly any: readonly WordQuery[] }
  | { readonly not: WordQuery };

/** A query as text for `$1::tsquery`. The empty text matches nothing. */
export function tsqueryOf(query: WordQuery): string {
  if ('word' in query) return query.word;
  if ('not' in query) return `!${bracketed(query.not)}`;
  return 'all' in query ? query.all.map(bracketed).join(' & ') : query.any.map(bracketed).join(' | ');
}

/** Brackets around what binds less than the operator beside it. Phrases have theirs. */
function bracketed(query: WordQuery): string {
  const text = tsqueryOf(query);
  return 'word' in query || 'not' in query ? text : `( ${text} )`;
}

/** The words and phrases that a query asks for, without those that it excludes. */
export function leavesOf(query: WordQuery): WordQuery[] {
  if ('word' in query) return [query];
  if ('not' in query) return [];
  return ('all' in query ? query.all : query.any).flatMap(leavesOf);
}

/**
 * The ids of the long mails of account `$1` that a query finds, as SQL. Their words are in several passages, so each word or phrase
 * is looked for by itself.
 * @param add takes the text of a tsquery and returns its parameter
 */
export function longMailsWith(query: WordQuery, add: (tsquery: string) => string): string {
  if ('word' in query) return `SELECT mail_id FROM ${PASSAGES} AND words @@ ${add(query.word)}::tsquery`;
  if ('not' in query) return `${LONG_MAILS} EXCEPT (${longMailsWith(query.not, add)})`;
  if ('any' in query)
    return query.any.length === 0 ? `${LONG_MAILS} LIMIT 0` : setOf(query.any, 'UNION', add);
  const isExclusion = (part: WordQuery): part is { not: WordQuery } => 'not' in part;
  const required = query.all.filter((part) => !isExclusion(part));
  const found = required.length === 0 ? LONG_MAILS : setOf(required, 'INTERSECT', add);
  const excluded = query.all.filter(isExclusion).map(({ not }) => not);
  return excluded.length === 0 ? found : `(${found}) EXCEPT (${setOf(excluded, 'UNION', add)})`;
}

/** The ids of the mails of account `$1` that a query finds, of any length, as SQL. */
export const mailsWith = (query: WordQuery, add: (tsquery: string) => string): string =>
  `SELECT w.mail_id FROM archived_mail_words w WHERE w.account_id = $1 AND w.words @@ ${add(tsqueryOf(query))}::tsquery
   UNION ${longMailsWith(query, add)}`;

const PASSAGES = 'archived_mail_passages WHERE account_id = $1';
const LONG_MAILS = `SELECT mail_id FROM ${PASSAGES}`;

const setOf = (
  queries: readonly WordQuery[],
  operator: 'UNION' | 'INTERSECT',
  add: (tsquery: string) => string,
): string => queries.map((query) => `(${longMailsWith(query, add)})`).join(` ${operator} `);
