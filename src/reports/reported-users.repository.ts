import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import type { Transaction } from '../common/database/transactions';
import { UserEntity } from '../users/user.entity';
import type { Week } from './week';

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
    const users = await this.rows<{ id: string }>(
      `SELECT id FROM users WHERE ($1::uuid IS NULL OR id > $1) AND ${IS_DUE} ORDER BY id LIMIT $4`,
      [after, week.monday, week.to, limit],
    );
    return users.map(({ id }) => id);
  }

  /** Whether the user is still due a report and no other process is at it; none will be until the transaction ends. */
  async take(userId: string, week: Week, transaction: Transaction): Promise<boolean> {
    // Not the user's row: signing in should not wait for figures.
    const [lock] = await this.rows<{ taken: boolean }>(
      'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS taken',
      [REPORT_LOCK, userId],
      transaction,
    );
    if (!lock?.taken) return false;
    // A statement of its own: it sees what whoever held the lock has committed.
    const due = await this.rows(
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
