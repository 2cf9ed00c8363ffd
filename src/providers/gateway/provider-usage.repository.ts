import { column, RowShape } from '../../platform/database/row-shape';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { ProviderUsageEntity } from './provider-usage.entity';
import type { TransferredBytes } from '../port/provider-usage.port';
import type { UsageSum } from './usage-summary';

const USAGE_SUM_ROW: RowShape<
  Omit<UsageSum, 'hour'> &
    TransferredBytes & {
      readonly hour: string | null;
      readonly provider: string | null;
      readonly preset: string | null;
      readonly gmailLabels: boolean | null;
    }
> = {
  units: column.number,
  calls: column.number,
  endpoint: column.nullable(column.text),
  hour: column.nullable(column.timestamp),
  unitsOfHour: column.number,
  callsOfHour: column.number,
  provider: column.nullable(column.text),
  receivedBytes: column.number,
  sentBytes: column.number,
  preset: column.nullable(column.text),
  gmailLabels: column.nullable(column.boolean),
};

const SUM_LAST_DAY = {
  name: 'usage-of-last-day',
  // Sums are cast to doubles, which the driver turns into numbers: a day's units may exceed an integer.
  sql: `SELECT endpoint, hour, coalesce(sum(units), 0)::float8 AS units, coalesce(sum(calls), 0)::float8 AS calls,
               coalesce(sum(units) FILTER (WHERE recent), 0)::float8 AS "unitsOfHour",
               coalesce(sum(calls) FILTER (WHERE recent), 0)::float8 AS "callsOfHour",
               coalesce(sum(received_bytes), 0)::float8 AS "receivedBytes",
               coalesce(sum(sent_bytes), 0)::float8 AS "sentBytes",
               (SELECT provider FROM mailbox_accounts WHERE id = $1 AND user_id = $2) AS provider,
               (SELECT imap.preset FROM imap_accounts imap JOIN mailbox_accounts account ON account.id = imap.account_id
                WHERE imap.account_id = $1 AND account.user_id = $2) AS preset,
               (SELECT imap.gmail_labels FROM imap_accounts imap JOIN mailbox_accounts account ON account.id = imap.account_id
                WHERE imap.account_id = $1 AND account.user_id = $2) AS "gmailLabels"
        FROM (
          SELECT usage.endpoint, usage.units, usage.calls, usage.received_bytes, usage.sent_bytes, date_trunc('hour', usage.minute, 'UTC') AS hour,
                 usage.minute > $3::timestamptz - interval '1 hour' AS recent
          FROM provider_usage usage JOIN mailbox_accounts account ON account.id = usage.account_id
          WHERE usage.account_id = $1 AND account.user_id = $2
            AND usage.minute > $3::timestamptz - interval '24 hours'
        ) spent
        GROUP BY GROUPING SETS ((), (endpoint), (hour))`,
};

export interface LastDay {
  readonly provider: string | null;
  readonly sums: UsageSum[];
  /** Transfer and server of an IMAP account; null for other providers. */
  readonly imap:
    | (TransferredBytes & { readonly preset: string | null; readonly gmailLabels: boolean })
    | null;
}

export interface UsageCount {
  readonly accountId: string;
  readonly minute: Date;
  readonly endpoint: string;
  readonly units: number;
  readonly calls: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

@Injectable()
export class ProviderUsageRepository extends BaseRepository<ProviderUsageEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ProviderUsageEntity);
  }

  /** Adds to the recorded counts. Counts of accounts that no longer exist are dropped. */
  async add(counts: readonly UsageCount[]): Promise<void> {
    // Ordered, so that two processes lock the rows they share in the same order.
    await this.execute(
      `INSERT INTO provider_usage AS known (account_id, minute, endpoint, units, calls, received_bytes, sent_bytes)
       SELECT added.account_id, added.minute, added.endpoint, added.units, added.calls, added.received, added.sent
       FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::int[], $5::int[], $6::bigint[], $7::bigint[])
         AS added (account_id, minute, endpoint, units, calls, received, sent)
       JOIN mailbox_accounts account ON account.id = added.account_id
       ORDER BY 1, 2, 3
       ON CONFLICT (account_id, minute, endpoint)
       DO UPDATE SET units = known.units + excluded.units, calls = known.calls + excluded.calls,
                     received_bytes = known.received_bytes + excluded.received_bytes,
                     sent_bytes = known.sent_bytes + excluded.sent_bytes`,
      [
        counts.map((count) => count.accountId),
        counts.map((count) => count.minute),
        counts.map((count) => count.endpoint),
        counts.map((count) => Math.round(count.units)),
        counts.map((count) => count.calls),
        counts.map((count) => count.receivedBytes),
        counts.map((count) => count.sentBytes),
      ],
    );
  }

  /**
   * Sums of the records that began in the 24 hours before `now`: of all, by endpoint, and by clock hour; the account's
   * provider, null when the account is not the user's; and the bytes of all of them, of IMAP servers only.
   */
  async sumLastDay(userId: string, accountId: string, now: Date): Promise<LastDay> {
    const rows = await this.readRows(USAGE_SUM_ROW, SUM_LAST_DAY, [accountId, userId, now]);
    const whole = rows.find(({ endpoint, hour }) => endpoint === null && hour === null);
    return {
      provider: whole?.provider ?? null,
      sums: rows.map(({ endpoint, hour, units, calls, unitsOfHour, callsOfHour }) => ({
        ...{ endpoint, units, calls, unitsOfHour, callsOfHour },
        hour: hour === null ? null : new Date(hour),
      })),
      imap: whole && whole.gmailLabels !== null ? { ...whole, gmailLabels: whole.gmailLabels } : null,
    };
  }

  /**
   * Finds the instant at which the bytes of the preceding 24 hours are below both limits again. The caller must have
   * checked that the account is the user's.
   * @returns null when they are below the limits now
   */
  async findWhenBelow(accountId: string, now: Date, limits: TransferredBytes): Promise<Date | null> {
    // Sums run backwards from now: the minute at which a sum reaches its limit, and all before it, must be a day old.
    const [row] = await this.queryRows(
      { at: column.nullable(column.date) },
      `SELECT max(minute) + interval '24 hours 1 minute' AS at FROM (
         SELECT minute, sum(sum(received_bytes)) OVER newest AS received, sum(sum(sent_bytes)) OVER newest AS sent
         FROM provider_usage WHERE account_id = $1 AND minute > $2::timestamptz - interval '24 hours'
         GROUP BY minute WINDOW newest AS (ORDER BY minute DESC)
       ) spent WHERE received >= $3 OR sent >= $4`,
      [accountId, now, limits.receivedBytes, limits.sentBytes],
    );
    return row?.at ?? null;
  }

  /** Deletes at most `limit` records of any account. Skips records that another process is deleting. */
  deleteBefore(instant: Date, limit: number): Promise<number> {
    // Goes account by account along the primary key, so that no further index is needed.
    return this.executeAndCount(
      `DELETE FROM provider_usage WHERE ctid = ANY (ARRAY (
         SELECT old.ctid FROM mailbox_accounts account CROSS JOIN LATERAL (
           SELECT usage.ctid FROM provider_usage usage
           WHERE usage.account_id = account.id AND usage.minute < $1
           ORDER BY usage.minute LIMIT $2
           FOR UPDATE SKIP LOCKED
         ) old
         LIMIT $2
       ))`,
      [instant, limit],
    );
  }
}
