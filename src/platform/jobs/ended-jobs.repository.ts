import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../database/base.repository';
import { column } from '../database/row-shape';
import type { Transaction } from '../database/transactions';
import { JobEntity } from './job.entity';

/** SQL assignments that delete the data with which an ended job could go on, and what people entered. */
const CLEARED = `payload = '{}', payload_preview = NULL, checkpoint = NULL, failures = '[]', is_cleared = true`;

/** Clears and deletes jobs that have ended; rows that others hold are left for the next time. */
@Injectable()
export class EndedJobsRepository extends BaseRepository<JobEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, JobEntity);
  }

  /** Clears the oldest of the user's ended jobs with long payloads, as far as these take more than `keptBytes` together. */
  async clearLongPayloads(userId: string, keptBytes: number, transaction: Transaction): Promise<void> {
    await this.execute(
      `UPDATE jobs SET ${CLEARED} WHERE id = ANY(ARRAY(
         SELECT jobs.id FROM jobs JOIN (
           SELECT id, sum(pg_column_size(payload)) OVER (ORDER BY completed_at DESC, id DESC) AS bytes
           FROM jobs WHERE user_id = $1 AND payload_preview IS NOT NULL AND completed_at IS NOT NULL
         ) kept ON kept.id = jobs.id
         WHERE kept.bytes > $2 AND jobs.completed_at IS NOT NULL
         FOR NO KEY UPDATE OF jobs SKIP LOCKED))`,
      [userId, keptBytes],
      transaction,
    );
  }

  /** Clears jobs of all users that ended before. @returns their number, at most `limit` */
  async clearEndedBefore(before: Date, limit: number): Promise<number> {
    return this.executeAndCount(
      `UPDATE jobs SET ${CLEARED} WHERE id = ANY(ARRAY(
         SELECT id FROM jobs WHERE completed_at < $1 AND NOT is_cleared
         ORDER BY completed_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED))`,
      [before, limit],
    );
  }

  /** Deletes the rows of jobs of all users that ended before. @returns their number, at most `limit` */
  async deleteEndedBefore(before: Date, limit: number): Promise<number> {
    return this.executeAndCount(
      `DELETE FROM jobs WHERE id = ANY(ARRAY(
         SELECT id FROM jobs WHERE completed_at < $1 ORDER BY completed_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [before, limit],
    );
  }

  /** Users with more than `kept` jobs, with the number of the newest ended one that is too much. */
  async findExcesses(kept: number): Promise<{ userId: string; number: number }[]> {
    const rows = await this.queryRows(
      { user_id: column.text, number: column.nullable(column.text) },
      `SELECT busy.user_id, (
         SELECT number FROM jobs WHERE user_id = busy.user_id AND completed_at IS NOT NULL
         ORDER BY number DESC OFFSET $1 LIMIT 1) AS number
       FROM (SELECT user_id FROM jobs GROUP BY user_id HAVING count(*) > $1) busy`,
      [kept],
    );
    return rows.flatMap((row) =>
      row.number === null ? [] : [{ userId: row.user_id, number: Number(row.number) }],
    );
  }

  /** Deletes the rows of the user's ended jobs up to a number. @returns their number, at most `limit` */
  async deleteEndedUpTo(userId: string, number: number, limit: number): Promise<number> {
    return this.executeAndCount(
      `DELETE FROM jobs WHERE id = ANY(ARRAY(
         SELECT id FROM jobs WHERE user_id = $1 AND number <= $2 AND completed_at IS NOT NULL
         ORDER BY number LIMIT $3 FOR UPDATE SKIP LOCKED))`,
      [userId, number, limit],
    );
  }
}
