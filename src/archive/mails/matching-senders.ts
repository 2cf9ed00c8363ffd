import { column, typedRows } from '../../platform/database/row-shape';
import { matchingSenders, type SenderAccess } from './mail-filter';

export interface MatchingSenders {
  /** From lines that match. */
  readonly lines: number;
  /** Mails that have these From lines. */
  readonly mails: number;
  /** Mails of the account. */
  readonly archived: number;
  readonly access: SenderAccess;
}

interface Queries {
  query(sql: string, parameters: unknown[]): Promise<unknown[]>;
}

/** Beyond this part of an archive, looking at the sender of each mail costs less than the index of senders. */
const MANY = 1 / 10;

/** Counts the From lines that match a part of a sender, and their mails. */
export async function countSenders(
  manager: Queries,
  accountId: string,
  pattern: string,
): Promise<MatchingSenders> {
  const [row] = typedRows(
    { lines: column.number, mails: column.number, archived: column.number },
    await manager.query(
      `SELECT count(*)::int AS lines, coalesce(sum(mails), 0)::int AS mails,
              coalesce((SELECT mails FROM archive_totals WHERE account_id = $1), 0) AS archived
         FROM ${matchingSenders('$2')}`,
      [accountId, pattern],
    ),
  );
  const { lines, mails, archived } = row!;
  return { lines, mails, archived, access: mails > archived * MANY ? 'each' : 'indexed' };
}
