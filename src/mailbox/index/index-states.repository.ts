import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AdvisoryLock } from '../../platform/database/advisory-locks';
import { BaseRepository } from '../../platform/database/base.repository';
import type { Transaction } from '../../platform/database/transactions';
import { MailboxIndexStateEntity } from './message-index.entity';
import { NOT_COUNTED } from './message-columns';
import { column, RowShape } from '../../platform/database/row-shape';

export interface IndexState {
  /** Cursor up to which all changes have been applied. */
  readonly cursor: string;
  /** Milliseconds since history was last followed to its end, by the database's clock. */
  readonly ageMs: number;
  /** Instant at which the state was read, by the database's clock. */
  readonly readAt: Date;
  /** Whether figures are requested, so that new mail is indexed as it arrives. */
  readonly wanted: boolean;
  /** Whether every message that is neither spam nor trash is indexed. */
  readonly complete: boolean;
  /** Number that grows whenever coverage is lost. */
  readonly epoch: number;
}

const INDEX_STATE_ROW: RowShape<IndexState> = {
  cursor: column.text,
  ageMs: column.number,
  readAt: column.date,
  wanted: column.boolean,
  complete: column.boolean,
  epoch: column.number,
};

/**
 * States of the index: the cursor up to which it has followed the history, and its coverage. Updates of the coverage
 * name the epoch in which they were made.
 */
@Injectable()
export class IndexStatesRepository extends BaseRepository<MailboxIndexStateEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, MailboxIndexStateEntity);
  }

  async find(accountId: string): Promise<IndexState | undefined> {
    const [state] = await this.queryRows(
      INDEX_STATE_ROW,
      `SELECT cursor, clock_timestamp() AS "readAt",
         (extract(epoch FROM clock_timestamp() - synced_at) * 1000)::float8 AS "ageMs",
         wanted_since IS NOT NULL AS wanted, complete, coverage_epoch AS epoch
       FROM mailbox_index_states WHERE account_id = $1`,
      [accountId],
    );
    return state;
  }

  /** Stores the first cursor, unless there is one. */
  async begin(accountId: string, cursor: string): Promise<void> {
    await this.execute(
      `INSERT INTO mailbox_index_states (account_id, cursor, synced_at)
       SELECT $1, $2, clock_timestamp() FROM pg_advisory_xact_lock($3, hashtext($1::uuid::text))
       ON CONFLICT (account_id) DO NOTHING`,
      [accountId, cursor, AdvisoryLock.IndexBeginnings],
    );
  }

  /** Locks the state, or keeps an account without one from getting it until the transaction ends. */
  async lockOrKeepOut(accountId: string, transaction: Transaction): Promise<void> {
    await this.execute(
      'SELECT pg_advisory_xact_lock($1, hashtext($2::uuid::text))',
      [AdvisoryLock.IndexBeginnings, accountId],
      transaction,
    );
    await this.lock(accountId, transaction);
  }

  /**
   * Locks the state until the transaction ends. Every writer of the account takes this lock first, so that rows and
   * cursor change together and writers cannot deadlock.
   */
  async lock(
    accountId: string,
    transaction: Transaction,
  ): Promise<Pick<IndexState, 'cursor' | 'wanted' | 'epoch'> | undefined> {
    const [state] = await this.queryRows(
      { cursor: column.text, wanted: column.boolean, epoch: column.number },
      `SELECT cursor, wanted_since IS NOT NULL AS wanted, coverage_epoch AS epoch FROM mailbox_index_states
       WHERE account_id = $1 FOR UPDATE`,
      [accountId],
      transaction,
    );
    return state;
  }

  async moveCursor(
    accountId: string,
    cursor: string,
    syncedAt: Date,
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `UPDATE mailbox_index_states SET cursor = $2, synced_at = $3 WHERE account_id = $1`,
      [accountId, cursor, syncedAt],
      transaction,
    );
  }

  /** Makes new messages be indexed as they arrive from now on, unless they are already. */
  async want(accountId: string): Promise<void> {
    await this.execute(
      `UPDATE mailbox_index_states SET wanted_since = clock_timestamp()
       WHERE account_id = $1 AND wanted_since IS NULL`,
      [accountId],
    );
  }

  /** Counts the newest messages that are indexed without a gap, up to `limit`. */
  async countCovered(accountId: string, limit: number): Promise<number> {
    const [row] = await this.queryRows(
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

  /** Records that all messages as new as the oldest of these are indexed, unless coverage was lost since `epoch`. */
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
   * Records that all messages are indexed, unless coverage was lost since `epoch` or rows must still be verified.
   * @returns whether it was recorded
   */
  async complete(accountId: string, epoch: number): Promise<boolean> {
    const updated = await this.executeAndCount(
      `UPDATE mailbox_index_states SET complete = true
       WHERE account_id = $1 AND coverage_epoch = $2
         AND NOT EXISTS (SELECT FROM mailbox_messages WHERE account_id = $1 AND stale)`,
      [accountId, epoch],
    );
    return updated > 0;
  }

  async delete(accountId: string, transaction: Transaction): Promise<void> {
    await this.executeAndCount(
      'DELETE FROM mailbox_index_states WHERE account_id = $1',
      [accountId],
      transaction,
    );
  }

  /** Records that messages may be missing, so that coverage is lost. */
  async recordLoss(accountId: string, transaction: Transaction): Promise<void> {
    await this.execute(
      `UPDATE mailbox_index_states SET complete = false, covered_since = NULL, coverage_epoch = coverage_epoch + 1
       WHERE account_id = $1`,
      [accountId],
      transaction,
    );
  }
}
