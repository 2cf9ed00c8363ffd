import { parseSearchQuery } from './search/search-query';
import { dateFilter } from '../common/validation/date-filter';
import type { ListMailsQuery } from './dto/archive.dto';

/** The empty tsquery matches no mail. */
const NO_WORDS = '';

/** The filters of a list, ready for SQL. */
export interface MailFilter {
  /** Text for `$1::tsquery`; null: no full-text filter. */
  readonly words: string | null;
  /** Lower-case LIKE pattern; null: any sender. */
  readonly senderPattern: string | null;
  readonly from: Date | null;
  /** Exclusive. */
  readonly until: Date | null;
  readonly hasAttachments: boolean | null;
}

/** @throws ValidationFailed for invalid dates */
export function mailFilter(query: ListMailsQuery): MailFilter {
  const sender = (query.sender ?? '').replaceAll('\0', '');
  return {
    words: wordsOf(query.q ?? ''),
    senderPattern: sender === '' ? null : `%${escapeLike(sender)}%`,
    ...dateFilter(query),
    hasAttachments: query.has_attachments ?? null,
  };
}

/** Escapes the wildcards of LIKE. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** A WHERE clause and its parameters. */
export interface MailConditions {
  readonly where: string;
  readonly parameters: readonly unknown[];
}

/**
 * The filter as SQL. Mails are `m` (archived_mails), their words `w` (archived_mail_words); with a full-text filter
 * everything that `w` has is compared there, so that `m` is needed for the sender only.
 */
export function mailConditions(accountId: string, filter: MailFilter): MailConditions {
  const table = filter.words === null ? 'm' : 'w';
  const clauses = [`${table}.account_id = $1`];
  const parameters: unknown[] = [accountId];
  const add = (value: unknown, clause: (parameter: string) => string): void => {
    parameters.push(value);
    clauses.push(clause(`$${parameters.length}`));
  };
  if (filter.words !== null) add(filter.words, (words) => `w.words @@ ${words}::tsquery`);
  if (filter.from) add(filter.from, (from) => `${table}.date >= ${from}`);
  if (filter.until) add(filter.until, (until) => `${table}.date < ${until}`);
  if (filter.hasAttachments !== null)
    clauses.push(`${filter.hasAttachments ? '' : 'NOT '}${table}.has_attachments`);
  if (filter.senderPattern !== null) {
    add(filter.senderPattern, (pattern) => `lower(m.sender) LIKE lower(${pattern})`);
  }
  return { where: clauses.join(' AND '), parameters };
}

/** The tables the conditions need; `id` and `date` are the columns to name and order mails by. */
export function mailTables(filter: MailFilter): {
  readonly from: string;
  readonly id: string;
  readonly date: string;
} {
  if (filter.words === null) return { from: 'archived_mails m', id: 'm.id', date: 'm.date' };
  const join = filter.senderPattern === null ? '' : ' JOIN archived_mails m ON m.id = w.mail_id';
  return { from: `archived_mail_words w${join}`, id: 'w.mail_id', date: 'w.date' };
}

/** A query without words (a sign, an emoji) finds nothing rather than everything. */
function wordsOf(q: string): string | null {
  return q.trim() === '' ? null : (parseSearchQuery(q) ?? NO_WORDS);
}
