import { quoted } from '../database/quoted';

/** Rows of a mail that are taken as they are now when its file is: tables and the columns by which they are replaced. */
const RENEWED: Readonly<Record<string, string>> = {
  archived_mails: 'id',
  archived_mail_words: 'mail_id',
  encryption_passphrases: 'user_id',
};

/** A row to be dumped in the place of the snapshot's. */
export interface RenewedRow {
  readonly table: string;
  /** Value of the table's column in `RENEWED`. */
  readonly id: string;
  /** JSON by column. */
  readonly row: string;
}

/**
 * What to COPY of a table: the snapshot's rows without those of mails that were deleted meanwhile, and with the present
 * ones of mails whose files are taken as they are now.
 * @param mailColumn the one that names an archived mail
 */
export function dumpQuery(table: string, columns: readonly string[], mailColumn: string | null): string {
  const keyColumn = RENEWED[table];
  if (mailColumn === null && keyColumn === undefined) {
    return `${quoted(table)} (${columns.map(quoted).join(', ')})`;
  }
  const list = columns.map((column) => `t.${quoted(column)}`).join(', ');
  const deleted = (column: string): string =>
    `NOT EXISTS (SELECT FROM backup_deleted_mails deleted WHERE deleted.mail_id = t.${quoted(column)})`;
  const kept = mailColumn === null ? 'true' : deleted(mailColumn);
  const from = `SELECT ${list} FROM ${quoted(table)} t WHERE ${kept}`;
  if (keyColumn === undefined) return `(${from})`;
  const name = `'${table}'`;
  return `(${from} AND NOT EXISTS (
             SELECT FROM backup_renewed_rows r WHERE r.table_name = ${name} AND r.id = t.${quoted(keyColumn)})
           UNION ALL
           SELECT ${list} FROM backup_renewed_rows r CROSS JOIN LATERAL jsonb_populate_record(NULL::${quoted(table)}, r.row) t
            WHERE r.table_name = ${name} AND ${kept})`;
}
