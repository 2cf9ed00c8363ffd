import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ArchivedMailEntity } from '../archive/archived-mail.entity';
import { BaseRepository } from '../common/database/base.repository';
import type { Transaction } from '../common/database/transactions';
import type { WeeklyReport } from '../events/events';
import { UserEntity } from '../users/user.entity';
import type { Week } from './week';
import { column } from '../common/database/row-shape';

/** Any constant will do, as long as every process uses the same one. */
const REPORT_LOCK = 7_241_011;

/** Who was there in the week $2 begins and $3 ends, is still, and has not been told of it. */
const IS_DUE = `is_active AND deletion_requested_at IS NULL AND created_at < $3
  AND (reported_week IS NULL OR reported_week < $2::date)`;

/** Which users have had their report. */
@Injectable()
export class ReportedUsersRepository extends BaseRepository<UserEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, UserEntity);
  }

  /** Users who are due a report, by id. @param after the last id of the batch before; null: the first batch */
  async due(week: Week, after: string | null, limit: number): Promise<string[]> {
    const users = await this.rows(
      { id: column.text },
      `SELECT id FROM users WHERE ($1::uuid IS NULL OR id > $1) AND ${IS_DUE} ORDER BY id LIMIT $4`,
      [after, week.monday, week.to, limit],
    );
    return users.map(({ id }) => id);
  }

  /** Whether the user is still due a report and no other process is at it; none will be until the transaction ends. */
  async take(userId: string, week: Week, transaction: Transaction): Promise<boolean> {
    // Not the user's row: signing in should not wait for figures.
    const [lock] = await this.rows(
      { taken: column.boolean },
      'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS taken',
      [REPORT_LOCK, userId],
      transaction,
    );
    if (!lock?.taken) return false;
    // A statement of its own: it sees what whoever held the lock has committed.
    const due = await this.rows(
      {},
      `SELECT 1 FROM users WHERE id = $1 AND ${IS_DUE}`,
      [userId, week.monday, week.to],
      transaction,
    );
    return due.length > 0;
  }

  /** @returns false when the user is due a report no more */
  async markReported(userId: string, week: Week, transaction: Transaction): Promise<boolean> {
    const marked = await this.affected(
      `UPDATE users SET reported_week = $2::date WHERE id = $1 AND ${IS_DUE}`,
      [userId, week.monday, week.to],
      transaction,
    );
    return marked > 0;
  }
}

type Figures = Omit<WeeklyReport['data'], 'from' | 'to'>;
type ArchiveFigures = Pick<Figures, 'archivedMails' | 'archivedBytes' | 'topSenders'>;

/** How long one statement may take, milliseconds: one user's figures do not hold up everybody's. */
const STATEMENT_MS = 30_000;
const TOP_SENDERS = 5;

/** What a week has brought a user, from the tables of those who did it. */
@Injectable()
export class WeeklyFiguresRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** @param unknownKinds job kinds that nobody is told of */
  async of(
    userId: string,
    week: Week,
    unknownKinds: readonly string[],
    transaction: Transaction,
  ): Promise<Figures> {
    await this.execute(`SELECT set_config('statement_timeout', $1, true)`, [`${STATEMENT_MS}`], transaction);
    return {
      ...(await this.jobs(userId, week, unknownKinds, transaction)),
      ...(await this.archive(userId, week, transaction)),
      rulesRun: await this.rulesRun(userId, week, transaction),
      ...(await this.storage(userId, transaction)),
    };
  }

  private async jobs(
    userId: string,
    { from, to }: Week,
    unknownKinds: readonly string[],
    transaction: Transaction,
  ): Promise<Pick<Figures, 'jobsCompleted' | 'jobsFailed'>> {
    const [row] = await this.rows(
      { completed: column.number, failed: column.number },
      `SELECT count(*) FILTER (WHERE status = 'completed')::int AS completed,
              count(*) FILTER (WHERE status = 'failed')::int AS failed
       FROM jobs
       WHERE user_id = $1 AND status IN ('completed', 'failed') AND completed_at >= $2 AND completed_at < $3
         AND type <> ALL($4)`,
      [userId, from, to, unknownKinds],
      transaction,
    );
    return { jobsCompleted: row!.completed, jobsFailed: row!.failed };
  }

  /** Of mail that is still there. What a person wrote themselves is archived mail, but they are no sender to name. */
  private async archive(
    userId: string,
    { from, to }: Week,
    transaction: Transaction,
  ): Promise<ArchiveFigures> {
    const [row] = await this.rows(
      {
        mails: column.number,
        bytes: column.text,
        senders: column.json<readonly { readonly sender: string; readonly count: number }[]>(),
      },
      // The expression that finds addresses is dear: once for each sender, not for each mail.
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

  private async rulesRun(userId: string, { from, to }: Week, transaction: Transaction): Promise<number> {
    const [row] = await this.rows(
      { runs: column.number },
      `SELECT count(*)::int AS runs FROM events
       WHERE user_id = $1 AND created_at >= $2 AND created_at < $3 AND type = 'rule.executed'`,
      [userId, from, to],
      transaction,
    );
    return row!.runs;
  }

  /** As of now. */
  private async storage(
    userId: string,
    transaction: Transaction,
  ): Promise<Pick<Figures, 'storageUsedBytes' | 'storageQuotaBytes'>> {
    const [row] = await this.rows(
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
