/** Tables that no backup holds, and why. Every other table of the service is dumped. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  sessions: 'sign-ins end: everybody signs in again',
  refresh_tokens: 'sign-ins end: everybody signs in again',
  archive_removals: 'files on their way out are not in the backup, and restored ones must stay',
  import_uploads: 'uploaded files wait outside the archive and are not in the backup',
  rule_matches: 'belongs to rule runs under way, which end with the restore',
  mailbox_listings: 'belongs to listings under way, which begin again',
  archived_threads: 'follows from the archived mails',
  archive_totals: 'follows from the archived mails',
  archived_senders: 'follows from the archived mails',
};

/** Columns that get their default on restore. */
const COLUMNS_LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  // Passphrases and passwords of jobs that will not run again, and who was running them.
  jobs: ['sealed_secrets', 'lease_token', 'lease_until'],
  // 2 KB of blanks in every row.
  archived_mail_words: ['padding'],
};

/** The columns of a table that a backup holds. */
export function dumpedColumns(table: string, columns: readonly string[]): string[] {
  const leftOut = COLUMNS_LEFT_OUT[table] ?? [];
  return columns.filter((column) => !leftOut.includes(column));
}
