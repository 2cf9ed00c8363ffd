import type { EntityManager } from 'typeorm';
import type { PageRange } from '../../platform/database/page-from';
import { column, typedRows } from '../../platform/database/row-shape';

/** The ids of a page of what a statement finds, which has a column `id` and an order. */
export async function queryPageIds(
  manager: EntityManager,
  sql: string,
  parameters: readonly unknown[],
  { limit, offset }: PageRange,
): Promise<string[]> {
  const rows = typedRows(
    { id: column.text },
    await manager.query(`${sql} LIMIT ${limit} OFFSET ${offset}`, [...parameters]),
  );
  return rows.map(({ id }) => id);
}
