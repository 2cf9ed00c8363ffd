import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column } from '../../platform/database/row-shape';
import { COUNTED, RECEIVED, SAMPLED_MESSAGE, SAMPLED_MESSAGE_ROW } from './indexed-messages.repository';
import type { SampledMessage } from './indexed-messages';
import { MessageFlag } from './message-columns';
import { MailboxMessageEntity } from './message-index.entity';

/** Totals of the indexed messages of a mailbox, except spam and trash. */
export interface MailboxTotals {
  readonly count: number;
  readonly unread: number;
  readonly bytes: number;
  /** Date of the oldest message; null when there is none. `newest` likewise. */
  readonly oldest: Date | null;
  readonly newest: Date | null;
}

/** Totals of one sender's mail. */
export interface SenderTotal {
  readonly email: string;
  /** The newest display name; empty when there is none. */
  readonly name: string;
  readonly count: number;
  readonly bytes: number;
}

/** Computes figures over all indexed messages of a mailbox in the database. */
@Injectable()
export class MailboxTotalsRepository extends BaseRepository<MailboxMessageEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, MailboxMessageEntity);
  }

  async findTotals(accountId: string): Promise<MailboxTotals> {
    const [totals] = await this.queryRows(
      {
        count: column.number,
        unread: column.number,
        bytes: column.number,
        oldest: column.nullable(column.date),
        newest: column.nullable(column.date),
      },
      `SELECT count(*)::int AS count, count(*) FILTER (WHERE flags & ${MessageFlag.Unread} <> 0)::int AS unread,
         coalesce(sum(size_estimate), 0)::float8 AS bytes, min(internal_date) AS oldest, max(internal_date) AS newest
       FROM mailbox_messages WHERE account_id = $1 AND ${COUNTED}`,
      [accountId],
    );
    return totals!;
  }

  /** Lists senders other than the account itself, those with the most messages first. */
  findTopSenders(accountId: string, ownEmail: string, limit: number): Promise<SenderTotal[]> {
    return this.queryRows(
      { email: column.text, name: column.text, count: column.number, bytes: column.number },
      `WITH top AS MATERIALIZED (
         SELECT sender_email, count(*)::int AS count, sum(size_estimate)::float8 AS bytes
         FROM mailbox_messages
         WHERE account_id = $1 AND ${RECEIVED} AND sender_email <> lower($2) AND sender_email <> ''
         GROUP BY sender_email ORDER BY count DESC, bytes DESC, sender_email LIMIT $3
       )
       SELECT top.sender_email AS "email", top.count, top.bytes, coalesce((
         SELECT m.sender_name FROM mailbox_messages m
         WHERE m.account_id = $1 AND m.sender_email = top.sender_email AND m.sender_name <> '' AND ${RECEIVED}
         ORDER BY m.internal_date DESC LIMIT 1), '') AS "name"
       FROM top ORDER BY count DESC, bytes DESC, email`,
      [accountId, ownEmail, limit],
    );
  }

  /** Lists the largest messages first. */
  listLargest(accountId: string, limit: number): Promise<SampledMessage[]> {
    return this.queryRows(
      SAMPLED_MESSAGE_ROW,
      `SELECT ${SAMPLED_MESSAGE} FROM mailbox_messages WHERE account_id = $1 AND ${COUNTED}
       ORDER BY size_estimate DESC, internal_date DESC, message_id DESC LIMIT $2`,
      [accountId, limit],
    );
  }

  /** @returns number of messages with each label, by the label's id */
  async countByLabel(accountId: string): Promise<Map<string, number>> {
    const counts = await this.queryRows(
      { id: column.text, count: column.number },
      `SELECT label AS id, count(*)::int AS count
       FROM mailbox_messages, unnest(label_ids) AS label WHERE account_id = $1 AND ${COUNTED} GROUP BY label`,
      [accountId],
    );
    return new Map(counts.map(({ id, count }) => [id, count]));
  }

  /**
   * @param starts instants in ascending order
   * @returns number of messages that arrived from each of these instants to the next, by its index; periods without
   *   mail are missing
   */
  async countSince(accountId: string, starts: readonly Date[]): Promise<Map<number, number>> {
    const counts = await this.queryRows(
      { place: column.number, count: column.number },
      `SELECT width_bucket(internal_date, $2::timestamptz[]) - 1 AS place, count(*)::int AS count
       FROM mailbox_messages WHERE account_id = $1 AND ${COUNTED} GROUP BY place`,
      [accountId, starts],
    );
    // Messages indexed since the starts were determined may be older than all of them.
    return new Map(counts.flatMap(({ place, count }) => (place < 0 ? [] : [[place, count]])));
  }
}
