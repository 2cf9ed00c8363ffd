import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AdvisoryLock } from '../../platform/database/advisory-locks';
import { BaseRepository } from '../../platform/database/base.repository';
import { column } from '../../platform/database/row-shape';
import type { Transaction } from '../../platform/database/transactions';
import type { WeeklyReport } from '../../platform/events/events';
import { UserEntity } from '../../identity/users/user.entity';
import type { Week } from './week';

/** SQL condition: an active user, created before the end ($3) of the week that begins at $2, without a report of it. */
const IS_DUE = `is_active AND deletion_requested_at IS NULL AND created_at < $3
  AND (reported_week IS NULL OR reported_week < $2::date)`;

type Figures = Omit<WeeklyReport['data'], 'from' | 'to'>;
type ArchiveFigures = Pick<Figures, 'archivedMails' | 'archivedBytes' | 'topSenders'>;

/** Limit of one statement in milliseconds, so that one user's figures do not hold up all others. */
const STATEMENT_MS = 30_000;
const TOP_SENDERS = 5;

/**
 * Users who are due a report, and the figures of their week. The figures are counted in the tables of jobs, events,
 * archive and accounts: one statement each, in the transaction that dispatches the report.
 */
@Injectable()
export class WeeklyReportsRepository extends BaseRepository<UserEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, UserEntity);
  }

  /** Ids of users who are due a report, in order. @param after the last id of the batch before; null for the first */
  async listDue(week: Week, after: string | null, limit: number): Promise<string[]> {
    const users = await this.queryRows(
      { id: column.text },
      `SELECT id FROM users WHERE ($1::uuid IS NULL OR id > $1) AND ${IS_DUE} ORDER BY id LIMIT $4`,
      [after, week.monday, week.to, limit],
    );
    return users.map(({ id }) => id);
  }

  /**
   * Keeps other processes from reporting to the user until the transaction ends.
   * @returns false when another process holds the lock, or the user is no longer due
   */
  async lockDue(userId: string, week: Week, transaction: Transaction): Promise<boolean> {
    // An advisory lock instead of the user's row: a sign-in need not wait for figures.
    const [lock] = await this.queryRows(
      { locked: column.boolean },
      'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS locked',
      [AdvisoryLock.WeeklyReports, userId],
      transaction,
    );
    if (!lock?.locked) return false;
    // A second statement sees what the last holder of the lock has committed.
    const due = await this.queryRows(
      {},
      `SELECT 1 FROM users WHERE id = $1 AND ${IS_DUE}`,
      [userId, week.monday, week.to],
      transaction,
    );
    return due.length > 0;
  }

  /** @param unnotifiedKinds job kinds that users get no notifications of */
  async figuresOf(
    userId: string,
    week: Week,
    unnotifiedKinds: readonly string[],
    transaction: Transaction,
  ): Promise<Figures> {
    await this.execute(`SELECT set_config('statement_timeout', $1, true)`, [`${STATEMENT_MS}`], transaction);
    return {
      ...(await this.countJobs(userId, week, unnotifiedKinds, transaction)),
      ...(await this.archiveFigures(userId, week, transaction)),
      rulesRun: await this.countRuleRuns(userId, week, transaction),
      ...(await this.findStorageFigures(userId, transaction)),
    };
  }

  private async countJobs(
    userId: string,
    { from, to }: Week,
    unnotifiedKinds: readonly string[],
    transaction: Transaction,
  ): Promise<Pick<Figures, 'jobsCompleted' | 'jobsFailed'>> {
    const [row] = await this.queryRows(
      { completed: column.number, failed: column.number },
      `SELECT count(*) FILTER (WHERE status = 'completed')::int AS completed,
              count(*) FILTER (WHERE status = 'failed')::int AS failed
       FROM jobs
       WHERE user_id = $1 AND status IN ('completed', 'failed') AND completed_at >= $2 AND completed_at < $3
         AND type <> ALL($4)`,
      [userId, from, to, unnotifiedKinds],
      transaction,
    );
    return { jobsCompleted: row!.completed, jobsFailed: row!.failed };
  }

  /** Counts mail that still exists. The user's own addresses are not among the top senders. */
  private async archiveFigures(
    userId: string,
    { from, to }: Week,
    transaction: Transaction,
  ): Promise<ArchiveFigures> {
    const [row] = await this.queryRows(
      {
        mails: column.number,
        bytes: column.text,
        senders: column.json<readonly { readonly sender: string; readonly count: number }[]>(),
      },
      // The expression that finds addresses is expensive: it runs once per sender, not per mail.
      `WITH mails AS MATERIALIZED (
         SELECT a.email, m.sender, count(*)::int AS mails, sum(m.size_bytes) AS bytes
         FROM mailbox_accounts a JOIN archived_mails m ON m.account_id = a.id
         WHERE a.user_id = $1 AND m.archived_at >= $2 AND m.archived_at < $3
         GROUP BY a.email, m.sender),
       senders AS MATERIALIZED (
         SELECT archived_sender_address(sender) AS address, lower(email) AS own, mails, bytes FROM mails),
       addresses AS (
         SELECT address, sum(mails)::int AS mails, sum(bytes) AS bytes FROM senders
         WHERE address NOT IN (own, '')
         GROUP BY address ORDER BY mails DESC, bytes DESC, address LIMIT $4)
       SELECT coalesce(sum(mails), 0)::int AS mails, coalesce(sum(bytes), 0) AS bytes,
         (SELECT coalesce(json_agg(json_build_object('sender', coalesce((
             SELECT named.sender FROM mailbox_accounts a
             JOIN archived_senders named ON named.account_id = a.id AND named.address = addresses.address
             WHERE a.user_id = $1 ORDER BY named.latest_date DESC LIMIT 1), address), 'count', mails)), '[]')
          FROM addresses) AS senders
       FROM senders`,
      [userId, from, to, TOP_SENDERS],
      transaction,
    );
    return { archivedMails: row!.mails, archivedBytes: Number(row!.bytes), topSenders: row!.senders };
  }

  private async countRuleRuns(userId: string, { from, to }: Week, transaction: Transaction): Promise<number> {
    const [row] = await this.queryRows(
      { runs: column.number },
      `SELECT count(*)::int AS runs FROM events
       WHERE user_id = $1 AND created_at >= $2 AND created_at < $3 AND type = 'rule.executed'`,
      [userId, from, to],
      transaction,
    );
    return row!.runs;
  }

  /** Size of the user's archive as of now. */
  private async findStorageFigures(
    userId: string,
    transaction: Transaction,
  ): Promise<Pick<Figures, 'storageUsedBytes' | 'storageQuotaBytes'>> {
    const [row] = await this.queryRows(
      { used: column.text, quota: column.text },
      `SELECT storage_quota_bytes AS quota,
              (SELECT coalesce(sum(totals.bytes), 0) FROM mailbox_accounts a
               JOIN archive_totals totals ON totals.account_id = a.id WHERE a.user_id = users.id) AS used
       FROM users WHERE id = $1`,
      [userId],
      transaction,
    );
    return { storageUsedBytes: Number(row?.used ?? 0), storageQuotaBytes: Number(row?.quota ?? 0) };
  }
}
