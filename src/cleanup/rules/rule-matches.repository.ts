import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import type { Transaction } from '../../platform/database/transactions';
import { RuleMatchEntity } from './rule.entity';
import { column, RowShape } from '../../platform/database/row-shape';

export interface RuleMatch {
  readonly position: number;
  readonly messageId: string;
}

const RULE_MATCH_ROW: RowShape<RuleMatch> = { position: column.number, messageId: column.text };

/** Messages that runs have chosen to act on, by the id of their job. */
@Injectable()
export class RuleMatchesRepository extends BaseRepository<RuleMatchEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, RuleMatchEntity);
  }

  /** Appends messages to the choice. @param from position of the first */
  async append(jobId: string, messageIds: readonly string[], from: number): Promise<void> {
    if (messageIds.length === 0) return;
    await this.execute(
      `INSERT INTO rule_matches (job_id, position, message_id)
       SELECT $1, $3 + place - 1, id FROM unnest($2::text[]) WITH ORDINALITY AS chosen (id, place)`,
      [jobId, messageIds, from],
    );
  }

  /** Deletes duplicates: pages shift while mail arrives, so that a message may be on two of them. @returns the number left */
  async deleteDuplicates(jobId: string): Promise<number> {
    await this.executeAndCount(
      `DELETE FROM rule_matches duplicate USING (
         SELECT message_id, min(position) AS position FROM rule_matches WHERE job_id = $1
         GROUP BY message_id HAVING count(*) > 1
       ) first
       WHERE duplicate.job_id = $1 AND duplicate.message_id = first.message_id
         AND duplicate.position > first.position`,
      [jobId],
    );
    const [row] = await this.queryRows(
      { count: column.number },
      'SELECT count(*)::int AS count FROM rule_matches WHERE job_id = $1',
      [jobId],
    );
    return row?.count ?? 0;
  }

  /** The next matches, in order. @param after position of the last one processed */
  findNext(jobId: string, after: number, limit: number): Promise<RuleMatch[]> {
    return this.queryRows(
      RULE_MATCH_ROW,
      `SELECT position, message_id AS "messageId" FROM rule_matches
       WHERE job_id = $1 AND position > $2 ORDER BY position LIMIT $3`,
      [jobId, after, limit],
    );
  }

  async delete(jobId: string, transaction?: Transaction): Promise<void> {
    await this.executeAndCount('DELETE FROM rule_matches WHERE job_id = $1', [jobId], transaction);
  }

  /** Deletes matches of runs that ended without deleting them. @returns the number deleted */
  deleteAbandoned(): Promise<number> {
    return this.executeAndCount(
      `DELETE FROM rule_matches USING jobs WHERE jobs.id = rule_matches.job_id AND jobs.completed_at IS NOT NULL`,
    );
  }
}
