import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column } from '../../platform/database/row-shape';
import { IntegrityDayEntity } from './integrity.entity';

export interface RecentChecks {
  /** Files hashed in the last seven days; a file that was hashed twice counts twice. */
  readonly checked: number;
  /** Time of the last check; null before the first one. */
  readonly lastCheckedAt: string | null;
}

const TODAY = `(now() AT TIME ZONE 'UTC')::date`;

const RECENT = {
  sql: `SELECT coalesce(sum(checked) FILTER (WHERE day > ${TODAY} - 7), 0)::float8 AS checked,
               max(last_checked_at) AS last
          FROM integrity_days WHERE account_id = $1`,
};

/** Numbers of files hashed, by account and day. */
@Injectable()
export class IntegrityDaysRepository extends BaseRepository<IntegrityDayEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, IntegrityDayEntity);
  }

  /** Does nothing when the account is gone. @param checked files hashed just now */
  async add(accountId: string, checked: number): Promise<void> {
    if (checked === 0) return;
    await this.executeAndCount(
      `WITH outdated AS (
         DELETE FROM integrity_days WHERE account_id = $1 AND day < ${TODAY} - 7
       )
       INSERT INTO integrity_days (account_id, day, checked, last_checked_at)
       SELECT id, ${TODAY}, $2::bigint, now() FROM mailbox_accounts WHERE id = $1 FOR KEY SHARE
       ON CONFLICT (account_id, day) DO UPDATE SET
         checked = integrity_days.checked + excluded.checked, last_checked_at = excluded.last_checked_at`,
      [accountId, checked],
    );
  }

  async sumRecent(accountId: string): Promise<RecentChecks> {
    const [row] = await this.readRows(
      { checked: column.number, last: column.nullable(column.timestamp) },
      RECENT,
      [accountId],
    );
    return { checked: row?.checked ?? 0, lastCheckedAt: row?.last ?? null };
  }
}
