import type { EntityManager } from 'typeorm';
import { type PageFrom, pageFrom, type PageRange } from '../../platform/database/page-from';
import { column, typedRows } from '../../platform/database/row-shape';
import type { SortOrder } from '../../platform/validation/sort-order';
import { type MailFilter, mailConditions, matchingSenders } from './mail-filter';
import { opposite, orderBy } from './mail-order';
import { queryPageIds } from './page-ids';

/** A page of all mails by sender: the From lines tell which mails are on it. */
export async function findAllBySender(
  manager: EntityManager,
  accountId: string,
  range: PageRange,
  order: SortOrder,
  total: number,
): Promise<string[]> {
  const { limit, offset, isReversed } = pageFrom(range, total);
  if (limit === 0) return [];
  const direction = isReversed ? opposite(order) : order;
  const rows = typedRows(
    { id: column.text },
    await manager.query(
      `WITH named AS (
         SELECT lower(sender) COLLATE "C" AS name, array_agg(sender_key) AS keys, sum(mails) AS count
           FROM archived_sender_names WHERE account_id = $1 GROUP BY 1
       ), placed AS (
         SELECT *, sum(count) OVER (${orderBy(['name'], direction)}) - count AS preceding FROM named
       )
       SELECT id FROM placed CROSS JOIN LATERAL (
         SELECT m.id, row_number() OVER (${orderBy(['m.date', 'm.id'], direction)}) + preceding AS place
           FROM archived_mails m
          WHERE m.account_id = $1 AND archived_sender_key(m.sender) = ANY (keys)
       ) mails
       WHERE preceding < $2::bigint + $3::bigint AND preceding + count > $2
         AND place > $2 AND place <= $2::bigint + $3::bigint
       ORDER BY place`,
      [accountId, offset, limit],
    ),
  );
  const ids = rows.map(({ id }) => id);
  return isReversed ? ids.reverse() : ids;
}

/** A page of the mails that a filter without words leaves, by sender: they are read sender by sender up to the page. */
export async function findBySender(
  manager: EntityManager,
  accountId: string,
  filter: MailFilter,
  range: PageRange,
  order: SortOrder,
  total: number,
): Promise<string[]> {
  const { where, parameters } = mailConditions(accountId, filter);
  const { limit, offset, isReversed } = pageFrom(range, total);
  if (limit === 0) return [];
  const direction = isReversed ? opposite(order) : order;
  // Senders in order: PostgreSQL then sorts the mails of one sender at a time, and stops at the end of the page.
  const ids = await queryPageIds(
    manager,
    `SELECT mails.id FROM (
       SELECT lower(sender) COLLATE "C" AS name, array_agg(sender_key) AS keys
         FROM archived_sender_names WHERE account_id = $1 GROUP BY 1 ${orderBy(['1'], direction)}
     ) named CROSS JOIN LATERAL (
       SELECT m.id, m.date FROM archived_mails m WHERE archived_sender_key(m.sender) = ANY (keys) AND ${where}
     ) mails ${orderBy(['named.name', 'mails.date', 'mails.id'], direction)}`,
    parameters,
    { limit, offset },
  );
  return isReversed ? ids.reverse() : ids;
}

/** The newest mails of each matching sender, or the oldest, in one list. */
export async function mergeSenders(
  manager: EntityManager,
  accountId: string,
  filter: MailFilter,
  { limit, offset, isReversed }: PageFrom,
): Promise<string[]> {
  if (limit === 0) return [];
  const { where, parameters } = mailConditions(accountId, { ...filter, senderPattern: null });
  const order = (mails: string): string =>
    isReversed ? `${mails}.date, ${mails}.id` : `${mails}.date DESC, ${mails}.id DESC`;
  const ids = await queryPageIds(
    manager,
    `WITH matching AS MATERIALIZED (SELECT sender_key FROM ${matchingSenders(`$${parameters.length + 1}`)})
     SELECT mails.id FROM matching CROSS JOIN LATERAL (
       SELECT m.id, m.date FROM archived_mails m
        WHERE archived_sender_key(m.sender) = matching.sender_key AND ${where}
        ORDER BY ${order('m')} LIMIT ${offset + limit}
     ) mails ORDER BY ${order('mails')}`,
    [...parameters, filter.senderPattern],
    { limit, offset },
  );
  return isReversed ? ids.reverse() : ids;
}
