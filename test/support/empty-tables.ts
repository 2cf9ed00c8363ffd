import type { DataSource, EntityManager } from 'typeorm';

/** Rows that a database has before a spec uses it, by table. */
export type InitialRows = ReadonlyMap<string, readonly object[]>;

/** SQLSTATE of a transaction that the database ended because it waited for another one and that one for it. */
const DEADLOCK = '40P01';
const DEADLOCK_ATTEMPTS = 5;
/** Rows of a table beyond which it takes less time to truncate everything, which makes hundreds of files, than to delete. */
const MANY_ROWS = 2_000;

interface FilledTable {
  readonly name: string;
  readonly hasMany: boolean;
}

/** Reads all rows of a database that has few. */
export async function readRows(dataSource: DataSource): Promise<InitialRows> {
  const initial = new Map<string, object[]>();
  for (const { name } of await listFilled(dataSource.manager, await listTables(dataSource.manager))) {
    const rows: { row: object }[] = await dataSource.query(`SELECT to_jsonb(t) AS row FROM "${name}" t`);
    initial.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return initial;
}

/** Gives a database the rows that it had at first, and no others. */
export async function emptyTables(dataSource: DataSource, initial: InitialRows): Promise<void> {
  // An application goes on with its own chores, whose transactions lock tables in another order.
  await despiteDeadlocks(() =>
    dataSource.transaction(async (transaction) => {
      const tables = await listTables(transaction);
      const filled = await listFilled(transaction, tables);
      // The audit log is append-only, which its triggers see to.
      await transaction.query('ALTER TABLE audit_entries DISABLE TRIGGER USER');
      if (filled.some(({ hasMany }) => hasMany)) {
        const all = tables.map((name) => `"${name}"`).join(', ');
        await transaction.query(`TRUNCATE ${all} RESTART IDENTITY CASCADE`);
      } else {
        for (const { name } of filled) await transaction.query(`DELETE FROM "${name}"`);
        await restartSequences(transaction);
      }
      await transaction.query('ALTER TABLE audit_entries ENABLE TRIGGER USER');
      for (const [table, rows] of initial) {
        await transaction.query(
          `INSERT INTO "${table}" SELECT * FROM jsonb_populate_recordset(NULL::"${table}", $1::jsonb)`,
          [JSON.stringify(rows)],
        );
      }
    }),
  );
}

async function despiteDeadlocks(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK || attempt === DEADLOCK_ATTEMPTS) throw error;
    }
  }
}

/** Lists the tables, each before those that it refers to. */
async function listTables(manager: EntityManager): Promise<string[]> {
  const tables: { name: string; refers_to: string[] }[] = await manager.query(
    `SELECT c.relname AS name, coalesce(array_agg(f.confrelid::regclass::text) FILTER (WHERE f.oid IS NOT NULL), '{}') AS refers_to
     FROM pg_class c LEFT JOIN pg_constraint f ON f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid
     WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'migrations'
     GROUP BY c.relname ORDER BY c.relname`,
  );
  const left = new Map(tables.map(({ name, refers_to }) => [name, refers_to]));
  const ordered: string[] = [];
  while (left.size > 0) {
    const referredTo = new Set([...left.values()].flat());
    const free = [...left.keys()].filter((name) => !referredTo.has(name));
    if (free.length === 0) throw new Error(`Tables refer to each other: ${[...left.keys()].join(', ')}`);
    for (const name of free) left.delete(name);
    ordered.push(...free);
  }
  return ordered;
}

async function listFilled(manager: EntityManager, tables: readonly string[]): Promise<FilledTable[]> {
  const questions = tables.map(
    (name) =>
      `SELECT '${name}' AS name, EXISTS (SELECT FROM "${name}" OFFSET ${MANY_ROWS}) AS "hasMany" WHERE EXISTS (SELECT FROM "${name}")`,
  );
  const filled: FilledTable[] = await manager.query(questions.join(' UNION ALL '));
  return filled.toSorted((a, b) => tables.indexOf(a.name) - tables.indexOf(b.name));
}

async function restartSequences(manager: EntityManager): Promise<void> {
  await manager.query(
    `SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
     FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL`,
  );
}
