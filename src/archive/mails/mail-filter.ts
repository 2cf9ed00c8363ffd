import { SearchTermUnsupported } from '../../platform/search/search-terms';
import { dateFilter } from '../../platform/validation/date-filter';
import { ArchiveTermNotSupported } from './archive.errors';
import type { MailFilters } from './dto/archive.dto';
import { type ArchiveQuery, readArchiveQuery } from './search/archive-query';
import { conditionSql, testsRows } from './search/condition-sql';
import { hasWords, type MailCondition, readsNames } from './search/mail-condition';
import { longMailsWith, tsqueryOf, type WordQuery } from './search/word-query';

/** The filters of a list, ready for SQL. */
export interface MailFilter {
  /** Null: no words that a mail must have. */
  readonly words: WordQuery | null;
  /** Finds the mails left out, of a search for the lack of words; else null. */
  readonly exclusions: WordQuery | null;
  /** Lower-case LIKE pattern; null: any sender. */
  readonly senderPattern: string | null;
  readonly from: Date | null;
  /** Exclusive upper bound. */
  readonly until: Date | null;
  readonly hasAttachments: boolean | null;
  /** Lower-case LIKE pattern; null: any recipient. */
  readonly recipientPattern: string | null;
  readonly label: string | null;
  /** Least size in bytes, inclusive. */
  readonly minSize: number | null;
  readonly maxSize: number | null;
  readonly isEncrypted: boolean | null;
  readonly isOnlyInArchive: boolean | null;
  /** Exclusive upper bound. */
  readonly archivedUntil: Date | null;
  /** Further conditions of the query, which all must hold; null: none. */
  readonly conditions: readonly MailCondition[] | null;
}

/** The filter that every mail matches. */
export const NO_FILTER: MailFilter = {
  words: null,
  exclusions: null,
  senderPattern: null,
  from: null,
  until: null,
  hasAttachments: null,
  recipientPattern: null,
  label: null,
  minSize: null,
  maxSize: null,
  isEncrypted: null,
  isOnlyInArchive: null,
  archivedUntil: null,
  conditions: null,
};

export const isUnfiltered = (filter: MailFilter): boolean =>
  Object.values(filter).every((value) => value === null);

/** Whether a filter looks for words, with which the planner must not read every mail's words from the table. */
export const searchesWords = (filter: MailFilter): boolean =>
  filter.words !== null || filter.exclusions !== null || searchesConditions(filter);

/** Whether further conditions of the query look for words. */
export const searchesConditions = ({ conditions }: MailFilter): boolean =>
  conditions?.some(hasWords) ?? false;

/** Whether what a filter finds may change while the archive does not. */
export const dependsOnNames = ({ conditions }: MailFilter): boolean => conditions?.some(readsNames) ?? false;

/** Ages are counted from the beginning of the minute, so that the pages of a list ask for the same. */
const MINUTE_MS = 60_000;

/**
 * @param now the time from which ages such as `older_than:1y` are counted, in epoch milliseconds
 * @throws ValidationFailed for invalid dates; ArchiveTermNotSupported
 */
export function mailFilter(query: MailFilters, now = Date.now()): MailFilter {
  const { words, exclusions, tests, conditions } = readQuery(query.q ?? '', now - (now % MINUTE_MS));
  const filter: MailFilter = {
    words,
    exclusions,
    senderPattern: patternOf(query.sender),
    ...dateFilter(query),
    hasAttachments: query.has_attachments ?? null,
    recipientPattern: patternOf(query.recipient),
    label: textOf(query.label),
    minSize: query.min_size ?? null,
    maxSize: query.max_size ?? null,
    isEncrypted: query.encrypted ?? null,
    isOnlyInArchive: query.only_in_archive ?? null,
    archivedUntil: dateFilter(query, { from: 'archived_from', to: 'archived_until' }).until,
    conditions: null,
  };
  const narrowed = [...tests.map((row): MailCondition => ({ row })), ...conditions];
  return narrowed.reduce(narrow, filter);
}

function readQuery(q: string, now: number): ArchiveQuery {
  try {
    return readArchiveQuery(q, now);
  } catch (error) {
    if (error instanceof SearchTermUnsupported) throw new ArchiveTermNotSupported(error.term, error.span);
    throw error;
  }
}

/** Adds a condition of the query to the filter: where it has a field for it to that, which the plans of lists know. */
function narrow(filter: MailFilter, condition: MailCondition): MailFilter {
  const others: MailFilter = { ...filter, conditions: [...(filter.conditions ?? []), condition] };
  const isNegated = 'no' in condition;
  const tested = isNegated ? condition.no : condition;
  if (!('row' in tested)) return others;
  const { row } = tested;
  if (row.test === 'attachment' && filter.hasAttachments === null)
    return { ...filter, hasAttachments: !isNegated };
  if (row.test === 'encrypted' && filter.isEncrypted === null) return { ...filter, isEncrypted: !isNegated };
  if (isNegated) return others;
  switch (row.test) {
    case 'since':
      return { ...filter, from: later(filter.from, row.date) };
    case 'until':
      return { ...filter, until: earlier(filter.until, row.date) };
    case 'larger':
      return { ...filter, minSize: Math.max(filter.minSize ?? 0, row.bytes + 1) };
    case 'smaller':
      return { ...filter, maxSize: Math.min(filter.maxSize ?? Infinity, row.bytes - 1) };
    case 'everywhere':
      return filter;
    case 'anyLabel': {
      const [label] = row.labels;
      return filter.label === null && row.labels.length === 1 ? { ...filter, label: label! } : others;
    }
    default:
      return others;
  }
}

const later = (one: Date | null, other: Date): Date => (one !== null && one > other ? one : other);
const earlier = (one: Date | null, other: Date): Date => (one !== null && one < other ? one : other);

/** The text of a filter; null when it is empty. */
const textOf = (value = ''): string | null => value.replaceAll('\0', '') || null;

function patternOf(part: string | undefined): string | null {
  const text = textOf(part);
  return text === null ? null : `%${escapeLike(text)}%`;
}

/** Escapes the wildcards of LIKE. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** A WHERE clause and its parameters. */
export interface MailConditions {
  readonly where: string;
  readonly parameters: readonly unknown[];
}

/** The From lines of account `$1` that match a pattern: thousands where there are a million mails. */
export const matchingSenders = (pattern: string): string =>
  `archived_sender_names WHERE account_id = $1 AND lower(sender) LIKE lower(${pattern})`;

/** Way to find the mails of a sender: by the index of senders, or by testing each mail that the other conditions leave. */
export type SenderAccess = 'indexed' | 'each';

/** Whether the words of mails do not have all that the filter looks at, so that the mails' own rows are read. */
export function needsMails(filter: MailFilter): boolean {
  const { words, exclusions, from, until, hasAttachments, archivedUntil, conditions, ...others } = filter;
  return (
    words === null ||
    (conditions?.some(testsRows) ?? false) ||
    Object.values(others).some((value) => value !== null)
  );
}

/**
 * The filter as SQL. Mails are `m` (archived_mails), their words `w` (archived_mail_words); with a full-text filter
 * everything that `w` has is compared there.
 */
export function mailConditions(
  accountId: string,
  filter: MailFilter,
  senders: SenderAccess = 'indexed',
): MailConditions {
  const table = filter.words === null ? 'm' : 'w';
  const clauses = [`${table}.account_id = $1`];
  const parameters: unknown[] = [accountId];
  const add = (value: unknown, clause: (parameter: string) => string): void => {
    parameters.push(value);
    clauses.push(clause(`$${parameters.length}`));
  };
  const addParameter = (value: unknown): string => {
    parameters.push(value);
    return `$${parameters.length}`;
  };
  /** Long mails have no words in `w`. The array is read once, and is a condition that an index serves. */
  const longMails = (query: WordQuery): string => `ARRAY(${longMailsWith(query, addParameter)})`;
  if (filter.words !== null) {
    const words = addParameter(tsqueryOf(filter.words));
    clauses.push(`(w.words @@ ${words}::tsquery OR w.mail_id = ANY (${longMails(filter.words)}))`);
  }
  if (filter.from) add(filter.from, (from) => `${table}.date >= ${from}`);
  if (filter.until) add(filter.until, (until) => `${table}.date < ${until}`);
  if (filter.hasAttachments !== null)
    clauses.push(`${filter.hasAttachments ? '' : 'NOT '}${table}.has_attachments`);
  if (filter.exclusions !== null) {
    const words = addParameter(tsqueryOf(filter.exclusions));
    clauses.push(
      `NOT EXISTS (
        SELECT FROM archived_mail_words w WHERE w.account_id = $1 AND w.mail_id = m.id AND w.words @@ ${words}::tsquery)`,
      `m.id <> ALL (${longMails(filter.exclusions)})`,
    );
  }
  const withMails = needsMails(filter);
  if (table === 'w' && withMails) clauses.push('m.account_id = $1');
  if (filter.recipientPattern !== null)
    add(filter.recipientPattern, (pattern) => `lower(m.recipient) LIKE lower(${pattern})`);
  if (filter.label !== null) add([filter.label], (label) => `m.label_ids @> ${label}::text[]`);
  if (filter.minSize !== null) add(filter.minSize, (size) => `m.size_bytes >= ${size}`);
  if (filter.maxSize !== null) add(filter.maxSize, (size) => `m.size_bytes <= ${size}`);
  if (filter.isEncrypted !== null) clauses.push(`${filter.isEncrypted ? '' : 'NOT '}m.is_encrypted`);
  if (filter.isOnlyInArchive !== null)
    clauses.push(filter.isOnlyInArchive ? `m.presence = 'gone'` : `m.presence IS DISTINCT FROM 'gone'`);
  if (filter.archivedUntil) add(filter.archivedUntil, withMails ? archivedBefore : notArchivedSince);
  if (filter.senderPattern !== null) {
    add(filter.senderPattern, (pattern) =>
      senders === 'indexed'
        ? `archived_sender_key(m.sender) IN (SELECT sender_key FROM ${matchingSenders(pattern)})`
        : `lower(m.sender) LIKE lower(${pattern})`,
    );
  }
  const mailId = table === 'w' ? 'w.mail_id' : 'm.id';
  for (const condition of filter.conditions ?? [])
    clauses.push(conditionSql(condition, addParameter, mailId));
  return { where: clauses.join(' AND '), parameters };
}

const archivedBefore = (instant: string): string => `m.archived_at < ${instant}`;

/** Excludes mails archived since `instant`. They are few while a user pages through a list, so this is quicker than testing each match. */
const notArchivedSince = (instant: string): string => `NOT EXISTS (
  SELECT FROM archived_mails late WHERE late.account_id = $1 AND late.archived_at >= ${instant} AND late.id = w.mail_id)`;

/**
 * The tables the conditions need; `id` and `date` are the columns to name and order mails by.
 * @param withMails whether `m` is needed for more than the conditions
 */
export function mailTables(
  filter: MailFilter,
  withMails = false,
): {
  readonly from: string;
  readonly id: string;
  readonly date: string;
} {
  if (filter.words === null) return { from: 'archived_mails m', id: 'm.id', date: 'm.date' };
  const join = withMails || needsMails(filter) ? ' JOIN archived_mails m ON m.id = w.mail_id' : '';
  return { from: `archived_mail_words w${join}`, id: 'w.mail_id', date: 'w.date' };
}
