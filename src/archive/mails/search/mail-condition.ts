import type { WordQuery } from './word-query';

/** A condition on the row of a mail. */
export type RowTest =
  | { readonly test: 'since' | 'until'; readonly date: Date }
  | { readonly test: 'larger' | 'smaller'; readonly bytes: number }
  | { readonly test: 'attachment' | 'encrypted' | 'userLabels' | 'everywhere' }
  /** Has one of these labels, which need not exist. */
  | { readonly test: 'anyLabel'; readonly labels: readonly string[] }
  /** Has the label of that id or name. */
  | { readonly test: 'label'; readonly name: string }
  /** The label exists, and the mail does not have it. */
  | { readonly test: 'withoutLabel'; readonly name: string }
  /** @param messageId without angle brackets */
  | { readonly test: 'messageId'; readonly messageId: string }
  /** Has an attachment of a name with some words, or with others in its text. */
  | { readonly test: 'inFiles'; readonly name: WordQuery; readonly text: WordQuery }
  /** The text of all its attachments is known, or their hashes are. */
  | { readonly test: 'filesRead' | 'filesHashed' }
  /** Has an attachment of this content. @param sha256 64 hex digits */
  | { readonly test: 'fileHash'; readonly sha256: string }
  /** Belongs to the account of that id, or with that part of its address. */
  | { readonly test: 'account'; readonly part: string }
  /** Is from, or to, the address of its account. */
  | { readonly test: 'fromMe' | 'toMe' }
  /** Names the address of its account in that field. */
  | { readonly test: 'fieldMe'; readonly field: 'cc' | 'bcc' };

/** A condition on words and rows. */
export type MailCondition =
  | { readonly words: WordQuery }
  | { readonly row: RowTest }
  | { readonly every: readonly MailCondition[] }
  | { readonly some: readonly MailCondition[] }
  | { readonly no: MailCondition };

/** Whether a condition is about words only; then the same as a query of words. */
export function wordsOnly(condition: MailCondition): WordQuery | null {
  if ('words' in condition) return condition.words;
  if ('row' in condition) return null;
  if ('no' in condition) {
    const words = wordsOnly(condition.no);
    return words && { not: words };
  }
  const parts = ('every' in condition ? condition.every : condition.some).map(wordsOnly);
  if (parts.some((part) => part === null)) return null;
  return 'every' in condition ? { all: parts as WordQuery[] } : { any: parts as WordQuery[] };
}

/** Whether a query of words finds mails without any word. No index finds those. */
export function matchesNoWords(query: WordQuery): boolean {
  if ('word' in query) return false;
  if ('not' in query) return !matchesNoWords(query.not);
  return 'all' in query ? query.all.every(matchesNoWords) : query.any.some(matchesNoWords);
}

/** The opposite of a query, with negations at its words only. */
export function oppositeOf(query: WordQuery): WordQuery {
  if ('word' in query) return { not: query };
  if ('not' in query) return query.not;
  return 'all' in query ? { any: query.all.map(oppositeOf) } : { all: query.any.map(oppositeOf) };
}

/** Whether a condition is about words, among other things. */
export function hasWords(condition: MailCondition): boolean {
  if ('words' in condition) return true;
  if ('row' in condition) return condition.row.test === 'inFiles' || condition.row.test === 'fieldMe';
  if ('no' in condition) return hasWords(condition.no);
  return ('every' in condition ? condition.every : condition.some).some(hasWords);
}

/** The words that a condition asks for, without those that it excludes. */
export function wordsSought(condition: MailCondition): WordQuery[] {
  if ('words' in condition) return [condition.words];
  if ('row' in condition && condition.row.test === 'inFiles') return [condition.row.text];
  if ('row' in condition || 'no' in condition) return [];
  return ('every' in condition ? condition.every : condition.some).flatMap(wordsSought);
}

/** Whether a condition reads more than the archive: what it finds may change while the archive does not. */
export function readsNames(condition: MailCondition): boolean {
  if ('words' in condition) return false;
  if ('row' in condition)
    return ['label', 'withoutLabel', 'account', 'fromMe', 'toMe', 'fieldMe'].includes(condition.row.test);
  if ('no' in condition) return readsNames(condition.no);
  return ('every' in condition ? condition.every : condition.some).some(readsNames);
}
