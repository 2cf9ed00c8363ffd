import type { SortOrder } from '../../platform/validation/sort-order';
import type { MailSort } from './dto/archive.dto';

/** The order of a list: ascending, it is the descending list from its end. */
export interface MailOrder {
  readonly sort: MailSort;
  readonly order: SortOrder;
}

export const NEWEST_FIRST: MailOrder = { sort: 'date', order: 'desc' };

/** SQL that a list is sorted by before the date, with `m` for `archived_mails`; the indexes have the same expressions. null: none. */
export const SORT_KEYS: Readonly<Record<MailSort, string | null>> = {
  date: null,
  size: 'm.size_bytes',
  sender: 'lower(m.sender) COLLATE "C"',
  subject: 'lower("left"(m.subject, 60)) COLLATE "C"',
};

/**
 * An ORDER BY clause.
 * @param columns from the first to the last that is compared; null is none
 */
export function orderBy(columns: readonly (string | null)[], direction: SortOrder): string {
  const compared = columns.filter((column) => column !== null);
  return `ORDER BY ${compared.map((column) => `${column} ${direction.toUpperCase()}`).join(', ')}`;
}

export const opposite = (direction: SortOrder): SortOrder => (direction === 'desc' ? 'asc' : 'desc');
