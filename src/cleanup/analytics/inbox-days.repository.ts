import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { InboxDayEntity } from './analytics.entity';
import { column, RowShape } from '../../platform/database/row-shape';

export interface InboxCounts {
  readonly inboxCount: number;
  readonly unreadCount: number;
}

const INBOX_COUNTS_ROW: RowShape<InboxCounts> = { inboxCount: column.number, unreadCount: column.number };

export interface InboxDay extends InboxCounts {
  /** Day in UTC, `YYYY-MM-DD`. */
  readonly date: string;
}

const INBOX_DAY_ROW: RowShape<InboxDay> = { ...INBOX_COUNTS_ROW, date: column.text };

/** A day as text: the driver would make it midnight of whatever zone the process is in. */
const DATE = `to_char(day, 'YYYY-MM-DD')`;

@Injectable()
export class InboxDaysRepository extends BaseRepository<InboxDayEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, InboxDayEntity);
  }

  /** Keeps the lowest count of the inbox that day, with the unread messages of that moment. */
  async record(accountId: string, day: string, { inboxCount, unreadCount }: InboxCounts): Promise<void> {
    await this.execute(
      `INSERT INTO inbox_days AS known (account_id, day, inbox_count, unread_count, taken_at)
       VALUES ($1, $2, $3, $4, now())
       ON CONFLICT (account_id, day) DO UPDATE
       SET inbox_count = least(known.inbox_count, excluded.inbox_count),
           unread_count = CASE
             WHEN excluded.inbox_count < known.inbox_count THEN excluded.unread_count
             WHEN excluded.inbox_count = known.inbox_count THEN least(known.unread_count, excluded.unread_count)
             ELSE known.unread_count END,
           taken_at = greatest(known.taken_at, excluded.taken_at)`,
      [accountId, day, inboxCount, unreadCount],
    );
  }

  /** The last `days` days up to `today` that have a snapshot, ascending. */
  listHistory(accountId: string, today: string, days: number): Promise<InboxDay[]> {
    return this.queryRows(
      INBOX_DAY_ROW,
      `SELECT ${DATE} AS "date", inbox_count AS "inboxCount", unread_count AS "unreadCount"
       FROM inbox_days WHERE account_id = $1 AND day > $2::date - $3::int AND day <= $2::date ORDER BY day`,
      [accountId, today, days],
    );
  }

  /** Days on which a snapshot found the inbox empty, ascending. */
  async listEmptyDays(accountId: string, today: string): Promise<string[]> {
    const days = await this.queryRows(
      { date: column.text },
      `SELECT ${DATE} AS "date" FROM inbox_days
       WHERE account_id = $1 AND inbox_count = 0 AND day <= $2::date ORDER BY day`,
      [accountId, today],
    );
    return days.map(({ date }) => date);
  }
}
