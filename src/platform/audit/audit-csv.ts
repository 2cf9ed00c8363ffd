import { csvRecord } from '../http/csv';
import type { AdminAuditEntryResponse, AuditEntryResponse } from './dto/audit.response';

export const OWN_COLUMNS = [
  'occurred_at',
  'action',
  'outcome',
  'actor_kind',
  'actor_id',
  'user_id',
  'mailbox_account_id',
  'target_type',
  'target_id',
  'address',
  'request_id',
  'api_key_id',
  'job_id',
  'details',
] as const satisfies readonly (keyof AuditEntryResponse)[];

export const ADMIN_COLUMNS = [
  'sequence',
  ...OWN_COLUMNS,
  'actor_email',
  'user_email',
  'hash',
] as const satisfies readonly (keyof AdminAuditEntryResponse)[];

/** Entries as CSV (RFC 4180), with a record of the columns' names before them. Details are JSON. */
export async function* csvOf<Column extends string>(
  columns: readonly Column[],
  pages: AsyncIterable<readonly Readonly<Record<Column, unknown>>[]>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(csvRecord(columns));
  for await (const entries of pages) {
    const records = entries.map((entry) => csvRecord(columns.map((column) => valueOf(entry[column]))));
    yield Buffer.from(records.join(''));
  }
}

const valueOf = (value: unknown): string | number | null =>
  value === null || typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
