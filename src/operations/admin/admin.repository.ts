import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column, RowShape } from '../../platform/database/row-shape';
import { JOB_ROW, JobRecord, recordColumns, toRecord } from '../../platform/jobs/job-record';
import { JobEntity, JobStatus } from '../../platform/jobs/job.entity';
import { ENDED_STATUSES } from '../../mailbox/accounts/mailbox-account.entity';

export interface InstallationTotals {
  readonly users: number;
  readonly mailboxAccounts: number;
  readonly mails: number;
  readonly bytes: number;
}

const INSTALLATION_TOTALS_ROW: RowShape<InstallationTotals> = {
  users: column.number,
  mailboxAccounts: column.number,
  mails: column.number,
  bytes: column.number,
};

export interface OwnedJob {
  readonly record: JobRecord;
  readonly userEmail: string;
}

const COLUMNS = recordColumns('jobs', { withoutResult: true });

/**
 * Figures and jobs of the whole installation. Archived mail is summed over the totals kept for each account; input and results
 * of jobs, which may name messages, are not read.
 */
@Injectable()
export class AdminRepository extends BaseRepository<JobEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, JobEntity);
  }

  async readTotals(): Promise<InstallationTotals> {
    const [row] = await this.queryRows(
      INSTALLATION_TOTALS_ROW,
      `SELECT (SELECT count(*)::int FROM users) AS users,
              (SELECT count(*)::int FROM mailbox_accounts WHERE status NOT IN ${ENDED_STATUSES}) AS "mailboxAccounts",
              archives.mails, archives.bytes
       FROM (SELECT coalesce(sum(mails), 0)::float8 AS mails, coalesce(sum(bytes), 0)::float8 AS bytes
             FROM archive_totals) archives`,
    );
    return row!;
  }

  /** A page of jobs, newest first. The subquery skips earlier pages in the index alone. */
  async listJobs(status: JobStatus | undefined, limit: number, offset: number): Promise<OwnedJob[]> {
    const condition = status === undefined ? '$1::text IS NULL' : 'status = $1';
    const rows = await this.queryRows(
      { ...JOB_ROW, user_email: column.text },
      `SELECT ${COLUMNS}, users.email AS user_email
       FROM (SELECT number FROM jobs WHERE ${condition} ORDER BY number DESC LIMIT $2 OFFSET $3) page
       JOIN jobs ON jobs.number = page.number JOIN users ON users.id = jobs.user_id
       ORDER BY jobs.number DESC`,
      [status ?? null, limit, offset],
    );
    return rows.map((row) => ({ record: toRecord(row), userEmail: row.user_email }));
  }

  /** Exact number of jobs. */
  async countJobs(status: JobStatus | undefined): Promise<number> {
    const condition = status === undefined ? '$1::text IS NULL' : 'status = $1';
    const [row] = await this.queryRows(
      { count: column.number },
      `SELECT count(*)::int AS count FROM jobs WHERE ${condition}`,
      [status ?? null],
    );
    return row?.count ?? 0;
  }

  /** Exact numbers of jobs, read from an index that holds only the status. */
  async countJobsByStatus(): Promise<Readonly<Record<JobStatus, number>>> {
    const rows = await this.queryRows(
      {
        status: column.oneOf(['pending', 'failed', 'cancelled', 'active', 'completed']),
        count: column.number,
      },
      'SELECT status, count(*)::int AS count FROM jobs GROUP BY status',
    );
    const none = { pending: 0, active: 0, completed: 0, failed: 0, cancelled: 0 };
    return { ...none, ...Object.fromEntries(rows.map(({ status, count }) => [status, count])) };
  }

  /** The user's newest jobs. */
  async listRecentJobsOf(userId: string, limit: number): Promise<JobRecord[]> {
    const rows = await this.queryRows(
      JOB_ROW,
      `SELECT ${COLUMNS} FROM jobs WHERE user_id = $1 ORDER BY number DESC LIMIT $2`,
      [userId, limit],
    );
    return rows.map(toRecord);
  }
}
