/** A name as an SQL identifier. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Tables that are not part of a backup, with the reason. All others are dumped. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  sessions: 'sign-ins end: everybody signs in again',
  refresh_tokens: 'sign-ins end: everybody signs in again',
  password_resets: 'links end: one that was used since would work again',
  invitations: 'links end: one that was used or replaced since would work again',
  file_deletions: 'files to be deleted are not in the backup, and restored ones must stay',
  import_uploads: 'uploaded files wait outside the archive and are not in the backup',
  import_places: 'files in folders of the operator are not in the backup',
  prepared_exports: 'expire within minutes, and may hold a sealed passphrase',
  restores: 'each is about a mailbox as it was, and may hold a sealed password',
  restore_items: 'belongs to restores, which are not in the backup',
  rule_matches: 'belongs to rule runs under way, which end with the restore',
  selections: 'they are kept for minutes',
  archive_holds: 'belong to offloads under way, which end with the restore',
  mailbox_listings: 'belongs to listings under way, which begin again',
  ledger_messages: 'follows from the mailbox, which is listed anew',
  ledger_totals: 'follows from the ledger',
  archive_index_checks: 'says of the index what it was: it is checked again the next night',
  archived_threads: 'follows from the archived mails',
  archive_totals: 'follows from the archived mails',
  archived_senders: 'follows from the archived mails',
  archived_sender_names: 'follows from the archived mails',
};

/** Columns that are left out and get their default on restore. */
const COLUMNS_LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  // Secrets and leases of jobs that will not run again.
  jobs: ['sealed_secrets', 'lease_token', 'lease_until'],
  // State of the coverage ledger, which is not in the backup.
  archiving_settings: [
    'exact',
    'looked_at',
    'copied_at',
    'reconciled_at',
    'provider_offset',
    'provider_total',
    'provider_agreed',
    'provider_checked_at',
    'filled_at',
    'trouble',
    'unhealthy_since',
    'notified_at',
    'rejudge_since',
  ],
  // Padding: 2 KB of blanks in every row.
  archived_mail_words: ['padding'],
};

/** The columns of a table that a backup holds. */
export function dumpedColumns(table: string, columns: readonly string[]): string[] {
  const leftOut = COLUMNS_LEFT_OUT[table] ?? [];
  return columns.filter((column) => !leftOut.includes(column));
}

/** Tables whose rows are dumped as they are now when a mail's file is, and the columns that identify the rows. */
const RENEWED: Readonly<Record<string, string>> = {
  archived_mails: 'id',
  archived_mail_words: 'mail_id',
  archived_mail_passages: 'id',
  archived_attachments: 'id',
  archived_attachment_pages: 'id',
  encryption_passphrases: 'user_id',
};

/** A row that is dumped instead of the snapshot's. */
export interface RenewedRow {
  readonly table: string;
  /** Value of the table's column in `RENEWED`. */
  readonly id: string;
  /** Values as JSON, by column. */
  readonly row: string;
}

/**
 * The source of a COPY: the snapshot's rows without those of mails deleted meanwhile, and with the current rows of mails
 * whose current files are copied.
 * @param mailColumn the column with the id of an archived mail
 */
export function dumpQuery(table: string, columns: readonly string[], mailColumn: string | null): string {
  const keyColumn = RENEWED[table];
  if (mailColumn === null && keyColumn === undefined) {
    return `${quoteName(table)} (${columns.map(quoteName).join(', ')})`;
  }
  const list = columns.map((column) => `t.${quoteName(column)}`).join(', ');
  const buildNotDeleted = (column: string): string =>
    `NOT EXISTS (SELECT FROM backup_deleted_mails deleted WHERE deleted.mail_id = t.${quoteName(column)})`;
  const kept = mailColumn === null ? 'true' : buildNotDeleted(mailColumn);
  const from = `SELECT ${list} FROM ${quoteName(table)} t WHERE ${kept}`;
  if (keyColumn === undefined) return `(${from})`;
  const name = `'${table}'`;
  return `(${from} AND NOT EXISTS (
             SELECT FROM backup_renewed_rows r WHERE r.table_name = ${name} AND r.id = t.${quoteName(keyColumn)})
           UNION ALL
           SELECT ${list} FROM backup_renewed_rows r CROSS JOIN LATERAL jsonb_populate_record(NULL::${quoteName(table)}, r.row) t
            WHERE r.table_name = ${name} AND ${kept})`;
}
