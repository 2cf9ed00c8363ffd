import type { EntityManager } from 'typeorm';
import { column, typedRows } from '../../platform/database/row-shape';
import type { MailFilter } from './mail-filter';

/** Query for the time at which the latest mail of account `$1` was archived. */
export const LAST_ARCHIVED = 'SELECT max(archived_at) AS last FROM archived_mails WHERE account_id = $1';

/** The time at which the latest mail of an account was archived; null without mails. */
export async function findLastArchived(manager: EntityManager, accountId: string): Promise<Date | null> {
  const [row] = typedRows(
    { last: column.nullable(column.date) },
    await manager.query(LAST_ARCHIVED, [accountId]),
  );
  return row?.last ?? null;
}

/** The filter without an `archived_until` that leaves nothing out, because no mail has been archived since then. */
export function dropIdleBound(filter: MailFilter, last: Date | null): MailFilter {
  const { archivedUntil } = filter;
  return archivedUntil && (!last || last < archivedUntil) ? { ...filter, archivedUntil: null } : filter;
}
