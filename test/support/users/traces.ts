import { createHash } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { DataSource } from 'typeorm';

/** Tables that name people for as long as there is a service, by their ids: what was done, and to whom. */
const KEPT = ['audit_entries', 'audit_head', 'migrations'];

/** Every row of every table that mentions one of some texts, in whatever column, as `<table>: <row>`. */
export async function rowsMentioning(database: DataSource, needles: readonly string[]): Promise<string[]> {
  const tables: { name: string }[] = await database.query(
    `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables.filter((table) => !KEPT.includes(table.name))) {
    // The row as text holds every column, whatever its type.
    const rows: { row: string }[] = await database.query(
      `SELECT t::text AS row FROM "${name}" t WHERE t::text LIKE ANY ($1) ORDER BY 1`,
      [needles.map((needle) => `%${needle}%`)],
    );
    for (const { row } of rows) found.push(`${name}: ${row}`);
  }
  return found;
}

/** Tables with a column that refers to a user or an account, or to something that does. */
export async function tablesOfUsers(database: DataSource): Promise<string[]> {
  const tables: { name: string }[] = await database.query(
    `WITH RECURSIVE reached AS (
       SELECT 'users'::regclass::oid AS id
       UNION SELECT c.conrelid FROM pg_constraint c JOIN reached ON c.confrelid = reached.id WHERE c.contype = 'f'
     )
     SELECT id::regclass::text AS name FROM reached ORDER BY 1`,
  );
  return tables.map(({ name }) => name);
}

/** Folders of processes for half-written files, and their signs of life: they come and go by the clock. */
const SIGN_OF_LIFE = /(?:^|\/)\.tmp\/[0-9a-f]{24}(?:\/alive)?$/;

/** The content of a folder by path, except for liveness marks: files with the hash of their bytes, folders with null. */
export async function treeOf(root: string): Promise<Map<string, string | null>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const tree = new Map<string, string | null>();
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (SIGN_OF_LIFE.test(path)) continue;
    const isFile = (await lstat(path)).isFile();
    const hash = isFile
      ? createHash('sha256')
          .update(await readFile(path))
          .digest('hex')
      : null;
    tree.set(relative(root, path), hash);
  }
  return tree;
}

/** Every row of every table, as `<table>: <row>`, without what is written down about everybody for good. */
export async function allRows(database: DataSource): Promise<Set<string>> {
  return new Set(await rowsMentioning(database, ['']));
}
