import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { treeOf } from '../users/traces';

/** Tables that record refused requests, or progress that users do not see. */
const LEFT_OUT = ['audit_entries', 'audit_head', 'migrations', 'provider_usage', 'mailbox_index_states'];
/** Columns that every use updates. */
const VOLATILE = ['last_used_at', 'last_seen_at', 'last_synced_at'];

/** Everything a request could have had an effect on: rows of all tables and files, as lines of text. */
export type Snapshot = ReadonlySet<string>;

/**
 * @param dataDir of the service: archive, uploads
 * @param more lines for what lies elsewhere, e.g. the state of mailboxes
 */
export async function takeSnapshot(
  database: DataSource,
  dataDir: string,
  more: readonly string[] = [],
): Promise<Snapshot> {
  const tables: { name: string }[] = await database.query(
    `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND table_name <> ALL ($1) ORDER BY 1`,
    [LEFT_OUT],
  );
  // One statement sees one state of all tables.
  const rows: { line: string }[] = await database.query(
    tables
      .map(({ name }) => `SELECT '${name}: ' || (to_jsonb(t) - $1::text[])::text AS line FROM "${name}" t`)
      .join(' UNION ALL '),
    [VOLATILE],
  );
  const files = [...(await treeOf(join(dataDir)))].map(([path, hash]) => `file ${path}: ${hash}`);
  return new Set([...rows.map(({ line }) => line), ...files, ...more]);
}

/** The removed (`-`) and new (`+`) rows, changed ones as both; empty when nothing has changed. */
export function differences(before: Snapshot, after: Snapshot): string[] {
  const shown = (line: string): string => (line.length > 400 ? `${line.slice(0, 400)}…` : line);
  return [
    ...[...before].filter((line) => !after.has(line)).map((line) => `- ${shown(line)}`),
    ...[...after].filter((line) => !before.has(line)).map((line) => `+ ${shown(line)}`),
  ];
}
