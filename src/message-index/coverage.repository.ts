import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import type { Transaction } from '../common/database/transactions';
import { MailboxIndexStateEntity } from './message-index.entity';
import { NOT_COUNTED } from './message-columns';
import { column } from '../common/database/row-shape';

/** What the index may claim to know in full. Claims name the epoch in which they were made. */
@Injectable()
export class CoverageRepository extends BaseRepository<MailboxIndexStateEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, MailboxIndexStateEntity);
  }

  /** From now on additions are indexed as they arrive; does nothing when they are already. */
  async want(accountId: string): Promise<void> {
    await this.execute(
      `UPDATE mailbox_index_states SET wanted_since = clock_timestamp()
       WHERE account_id = $1 AND wanted_since IS NULL`,
      [accountId],
    );
  }

  /** How many of the newest messages are indexed without a gap, at most `limit`. */
  async countCovered(accountId: string, limit: number): Promise<number> {
    const [row] = await this.rows(
      { count: column.number },
      `SELECT count(*)::int AS count FROM (
         SELECT FROM mailbox_index_states state
         JOIN mailbox_messages message ON message.account_id = state.account_id
           AND message.internal_date >= state.covered_since AND message.flags & ${NOT_COUNTED} = 0
         WHERE state.account_id = $1 LIMIT $2
       ) covered`,
      [accountId, limit],
    );
    return row?.count ?? 0;
  }

  /** Everything as new as the oldest of these messages is indexed, unless coverage was lost since `epoch`. */
  async cover(accountId: string, ids: readonly string[], epoch: number): Promise<void> {
    await this.execute(
      `UPDATE mailbox_index_states SET covered_since = least(covered_since, oldest.date)
       FROM (
         SELECT min(internal_date) AS date FROM mailbox_messages
         WHERE account_id = $1 AND message_id = ANY($2::text[])
       ) oldest
       WHERE account_id = $1 AND coverage_epoch = $3 AND oldest.date IS NOT NULL`,
      [accountId, ids, epoch],
    );
  }

  /**
   * Everything is indexed, unless coverage was lost since `epoch` or rows are still to be verified.
   * @returns whether it is so now
   */
  async complete(accountId: string, epoch: number): Promise<boolean> {
    const updated = await this.affected(
      `UPDATE mailbox_index_states SET complete = true
       WHERE account_id = $1 AND coverage_epoch = $2
         AND NOT EXISTS (SELECT FROM mailbox_messages WHERE account_id = $1 AND stale)`,
      [accountId, epoch],
    );
    return updated > 0;
  }

  /** Something is missing, nobody knows what. */
  async lose(accountId: string, transaction: Transaction): Promise<void> {
    await this.execute(
      `UPDATE mailbox_index_states SET complete = false, covered_since = NULL, coverage_epoch = coverage_epoch + 1
       WHERE account_id = $1`,
      [accountId],
      transaction,
    );
  }

  async hasStale(accountId: string): Promise<boolean> {
    const [row] = await this.rows(
      { found: column.boolean },
      `SELECT EXISTS (SELECT FROM mailbox_messages WHERE account_id = $1 AND stale) AS found`,
      [accountId],
    );
    return row?.found ?? false;
  }

  /** Indexed messages but spam and trash. */
  async count(accountId: string): Promise<number> {
    const [row] = await this.rows(
      { count: column.number },
      `SELECT count(*)::int AS count FROM mailbox_messages WHERE account_id = $1 AND flags & ${NOT_COUNTED} = 0`,
      [accountId],
    );
    return row?.count ?? 0;
  }
}
