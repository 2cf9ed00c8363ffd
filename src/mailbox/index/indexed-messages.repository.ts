import type { MessagePart } from '../../providers/port/mailbox-provider.port';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { MailboxMessageEntity } from './message-index.entity';
import { foldedSql, wordBeginning } from '../../platform/search/word-beginnings';
import { MessageFlag, NOT_COUNTED } from './message-columns';
import type {
  FlaggedMessage,
  MessageWithParts,
  NewsletterTotals,
  RecentSender,
  RepeatedSubject,
  SampledMessage,
  SenderTotals,
} from './indexed-messages';
import { column, RowShape } from '../../platform/database/row-shape';

const MESSAGE_WITH_PARTS_ROW: RowShape<MessageWithParts> = {
  id: column.text,
  internalDate: column.date,
  subject: column.text,
  from: column.text,
  sizeEstimate: column.number,
  parts: column.json<readonly MessagePart[]>(),
};

const FLAGGED_MESSAGE_ROW: RowShape<FlaggedMessage> = { id: column.text, flags: column.number };

const REPEATED_SUBJECT_ROW: RowShape<RepeatedSubject> = {
  email: column.text,
  name: column.text,
  subjectKey: column.text,
  subject: column.text,
  count: column.number,
  bytes: column.number,
  newest: column.date,
};

const NEWSLETTER_TOTALS_ROW: RowShape<NewsletterTotals> = {
  email: column.text,
  name: column.text,
  count: column.number,
  bytes: column.number,
  newest: column.date,
  listUnsubscribe: column.text,
  listUnsubscribePost: column.nullable(column.text),
};

const SENDER_TOTALS_ROW: RowShape<SenderTotals> = {
  email: column.text,
  name: column.text,
  count: column.number,
  bytes: column.number,
  unread: column.number,
  unreadBytes: column.number,
  newsletters: column.number,
  promotions: column.number,
  newest: column.date,
};

export const SAMPLED_MESSAGE_ROW: RowShape<SampledMessage> = {
  id: column.text,
  internalDate: column.date,
  subject: column.text,
  from: column.text,
  senderEmail: column.text,
  senderName: column.text,
  sizeEstimate: column.number,
  labelIds: column.array(column.text),
  flags: column.number,
};

/** The columns of a `SampledMessage`. */
export const SAMPLED_MESSAGE = `message_id AS "id", internal_date AS "internalDate", subject, "from",
  sender_email AS "senderEmail", sender_name AS "senderName", size_estimate AS "sizeEstimate",
  label_ids AS "labelIds", flags`;

/** Messages whose senders are suggested. */
const RECENT = 3_000;

export const COUNTED = `flags & ${NOT_COUNTED} = 0`;
export const RECEIVED = `flags & ${NOT_COUNTED | MessageFlag.Own} = 0`;
const WITH_PARTS = `message_id AS "id", internal_date AS "internalDate", subject, "from",
  size_estimate AS "sizeEstimate", parts`;

/** Reads figures of a mailbox from the index. Spam, trash and rows that must be verified first never count. */
@Injectable()
export class IndexedMessagesRepository extends BaseRepository<MailboxMessageEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, MailboxMessageEntity);
  }

  /** Lists the newest messages by internal date, newest first. */
  listNewest(accountId: string, limit: number): Promise<SampledMessage[]> {
    return this.queryRows(
      SAMPLED_MESSAGE_ROW,
      `SELECT ${SAMPLED_MESSAGE} FROM mailbox_messages WHERE account_id = $1 AND ${COUNTED}
       ORDER BY internal_date DESC, message_id DESC LIMIT $2`,
      [accountId, limit],
    );
  }

  /** Finds senders of the newest messages by the beginning of a word of their names and addresses, those with most messages first. */
  findRecentSenders(accountId: string, text: string, limit: number): Promise<RecentSender[]> {
    return this.queryRows(
      { email: column.text, sender: column.text, mails: column.number },
      `SELECT sender_email AS email, max(sender) AS sender, count(*)::int AS mails
         FROM (SELECT sender_email, CASE sender_name WHEN '' THEN sender_email ELSE sender_name || ' <' || sender_email || '>' END AS sender
                 FROM mailbox_messages WHERE account_id = $1 AND ${COUNTED} AND sender_email <> ''
                ORDER BY internal_date DESC, message_id DESC LIMIT ${RECENT}) newest
        WHERE ${foldedSql('sender')} ~ $2
        GROUP BY sender_email ORDER BY mails DESC, email LIMIT $3`,
      [accountId, wordBeginning(text), limit],
    );
  }

  /** Lists senders other than the account itself, by number of messages. @param ownEmail the account's address */
  findSenders(accountId: string, ownEmail: string): Promise<SenderTotals[]> {
    return this.queryRows(
      SENDER_TOTALS_ROW,
      // Materialised, so that the totals come from the index alone and each sender's newest row is looked up
      // afterwards.
      `WITH totals AS MATERIALIZED (
         SELECT sender_email, count(*)::int AS count, sum(size_estimate)::float8 AS bytes,
           count(*) FILTER (WHERE flags & ${MessageFlag.Unread} <> 0)::int AS unread,
           coalesce(sum(size_estimate) FILTER (WHERE flags & ${MessageFlag.Unread} <> 0), 0)::float8 AS unread_bytes,
           count(*) FILTER (WHERE flags & ${MessageFlag.Newsletter} <> 0)::int AS newsletters,
           count(*) FILTER (WHERE flags & ${MessageFlag.Promotion} <> 0)::int AS promotions,
           max(internal_date) AS newest
         FROM mailbox_messages
         WHERE account_id = $1 AND ${RECEIVED} AND sender_email <> lower($2) AND sender_email <> ''
         GROUP BY sender_email
       )
       SELECT totals.sender_email AS "email", ${NEWEST_NAME}, count, bytes, unread,
         unread_bytes AS "unreadBytes", newsletters, promotions, newest
       FROM totals ORDER BY count DESC, bytes DESC, email`,
      [accountId, ownEmail],
    );
  }

  /** Lists senders of messages with a List-Unsubscribe header, by number of such messages. */
  findNewsletters(accountId: string, ownEmail: string): Promise<NewsletterTotals[]> {
    return this.queryRows(
      NEWSLETTER_TOTALS_ROW,
      `WITH totals AS MATERIALIZED (
         SELECT sender_email, count(*)::int AS count, sum(size_estimate)::float8 AS bytes,
           max(internal_date) AS newest
         FROM mailbox_messages
         WHERE account_id = $1 AND list_unsubscribe IS NOT NULL AND ${RECEIVED}
           AND sender_email <> lower($2) AND sender_email <> ''
         GROUP BY sender_email
       )
       SELECT totals.sender_email AS "email", latest.sender_name AS "name", count, bytes, newest,
         latest.list_unsubscribe AS "listUnsubscribe", latest.list_unsubscribe_post AS "listUnsubscribePost"
       FROM totals CROSS JOIN LATERAL (
         SELECT sender_name, list_unsubscribe, list_unsubscribe_post FROM mailbox_messages m
         WHERE m.account_id = $1 AND m.sender_email = totals.sender_email AND m.list_unsubscribe IS NOT NULL
           AND ${RECEIVED}
         ORDER BY m.internal_date DESC LIMIT 1
       ) latest
       ORDER BY count DESC, bytes DESC, email`,
      [accountId, ownEmail],
    );
  }

  /**
   * Lists messages of exactly this sender with a List-Unsubscribe header, newest first.
   * @param email address in any case
   */
  findNewsletterMessages(accountId: string, email: string): Promise<FlaggedMessage[]> {
    return this.queryRows(
      FLAGGED_MESSAGE_ROW,
      `SELECT message_id AS "id", flags FROM mailbox_messages
       WHERE account_id = $1 AND sender_email = lower($2) AND list_unsubscribe IS NOT NULL AND ${RECEIVED}
       ORDER BY internal_date DESC, message_id DESC`,
      [accountId, email],
    );
  }

  /** Lists series of messages with equal subject patterns, longest first. */
  findRepeatedSubjects(accountId: string, ownEmail: string, atLeast: number): Promise<RepeatedSubject[]> {
    return this.queryRows(
      REPEATED_SUBJECT_ROW,
      `WITH series AS MATERIALIZED (
         SELECT sender_email, subject_key, count(*)::int AS count, sum(size_estimate)::float8 AS bytes,
           max(internal_date) AS newest
         FROM mailbox_messages
         WHERE account_id = $1 AND ${RECEIVED} AND sender_email <> lower($2) AND sender_email <> ''
           AND subject_key IS NOT NULL
         GROUP BY sender_email, subject_key HAVING count(*) >= $3
       )
       SELECT series.sender_email AS "email", latest.sender_name AS "name",
         series.subject_key::text AS "subjectKey", latest.subject, count, bytes, newest
       FROM series CROSS JOIN LATERAL (
         SELECT sender_name, subject FROM mailbox_messages m
         WHERE m.account_id = $1 AND m.sender_email = series.sender_email AND m.internal_date = series.newest
           AND m.subject_key = series.subject_key LIMIT 1
       ) latest
       ORDER BY count DESC, bytes DESC, email, "subjectKey"`,
      [accountId, ownEmail, atLeast],
    );
  }

  /** Lists the newest messages above 100 KiB with attachments. */
  listWithLargeAttachments(accountId: string, limit: number): Promise<MessageWithParts[]> {
    return this.queryRows(
      MESSAGE_WITH_PARTS_ROW,
      // The condition is that of the partial index mailbox_messages_attachments_idx.
      `SELECT ${WITH_PARTS} FROM mailbox_messages
       WHERE account_id = $1 AND has_attachments AND size_estimate > 102400 AND ${COUNTED}
       ORDER BY internal_date DESC LIMIT $2`,
      [accountId, limit],
    );
  }

  /** Lists those of the messages that count in figures, newest first. */
  findWithParts(accountId: string, ids: readonly string[]): Promise<MessageWithParts[]> {
    return this.queryRows(
      MESSAGE_WITH_PARTS_ROW,
      `SELECT ${WITH_PARTS} FROM mailbox_messages
       WHERE account_id = $1 AND message_id = ANY($2::text[]) AND ${COUNTED}
       ORDER BY internal_date DESC`,
      [accountId, ids],
    );
  }

  /** Counts the indexed messages that count in figures. */
  async count(accountId: string): Promise<number> {
    const [row] = await this.queryRows(
      { count: column.number },
      `SELECT count(*)::int AS count FROM mailbox_messages WHERE account_id = $1 AND ${COUNTED}`,
      [accountId],
    );
    return row?.count ?? 0;
  }
}

/** Name of the sender in the newest message of `totals`. It is a subquery, so that it can use the sender index. */
const NEWEST_NAME = `(
  SELECT m.sender_name FROM mailbox_messages m
  WHERE m.account_id = $1 AND m.sender_email = totals.sender_email AND m.internal_date = totals.newest LIMIT 1
) AS "name"`;
