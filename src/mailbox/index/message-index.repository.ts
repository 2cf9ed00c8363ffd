import type { MessagePart } from '../../providers/port/mailbox-provider.port';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { storableJson } from '../../platform/database/column-values';
import type { Transaction } from '../../platform/database/transactions';
import type { MessageMetadata } from '../../providers/port/mailbox-provider.port';
import type { FoldedLabels } from './folded-changes';
import { MessageFlag, NOT_COUNTED, senderOf, subjectKey } from './message-columns';
import type { ListingRun } from './listings.repository';
import { MailboxMessageEntity } from './message-index.entity';
import { column, RowShape } from '../../platform/database/row-shape';

const INDEXED_METADATA_ROW: RowShape<MessageMetadata> = {
  id: column.text,
  threadId: column.text,
  internalDate: column.date,
  date: column.text,
  subject: column.text,
  from: column.text,
  to: column.text,
  sizeEstimate: column.number,
  snippet: column.nullable(column.text),
  labelIds: column.array(column.text),
  hasAttachments: column.boolean,
  parts: column.json<readonly MessagePart[]>(),
  listUnsubscribe: column.nullable(column.text),
  listUnsubscribePost: column.nullable(column.text),
  messageIdHeader: column.nullable(column.text),
};

/** Labels of a message as listed. They are valid once the history since the listing has been replayed. */
export interface ListedLabels {
  readonly id: string;
  readonly labelIds: readonly string[];
}

/** Figures of some messages, including spam and trash. */
export interface MessageFigures {
  readonly count: number;
  readonly unread: number;
  readonly starred: number;
  readonly important: number;
  /** Size in bytes, by the provider's estimate. */
  readonly bytes: number;
  /** Arrival of the oldest message; null when there is none. `newest` likewise. */
  readonly oldest: Date | null;
  readonly newest: Date | null;
}

const FIGURES_ROW: RowShape<MessageFigures> = {
  count: column.number,
  unread: column.number,
  starred: column.number,
  important: column.number,
  bytes: column.number,
  oldest: column.nullable(column.date),
  newest: column.nullable(column.date),
};

const countOf = (flag: number): string => `count(*) FILTER (WHERE flags & ${flag} <> 0)::int`;

const COLUMNS = `message_id AS "id", thread_id AS "threadId", internal_date AS "internalDate", date, subject,
  "from", "to", size_estimate AS "sizeEstimate", snippet, label_ids AS "labelIds",
  has_attachments AS "hasAttachments", parts, list_unsubscribe AS "listUnsubscribe",
  list_unsubscribe_post AS "listUnsubscribePost", message_id_header AS "messageIdHeader"`;

/**
 * Joins the encrypted archived copy of the message `of`: that of the provider's id, or an imported one with its
 * Message-ID. LIMIT makes the planner look each up by its key, even if its statistics of the account are wrong, instead
 * of reading all encrypted mails for every batch.
 */
const ENCRYPTED = (of: { id: string; header: string }): string => `LEFT JOIN LATERAL (
         SELECT true AS found FROM archived_mails archived
          WHERE archived.account_id = $1 AND archived.mailbox_message_id = ${of.id} AND archived.is_encrypted LIMIT 1
       ) AS encrypted_by_id ON true LEFT JOIN LATERAL (
         SELECT true AS found FROM archived_mails archived
          WHERE archived.account_id = $1 AND archived.message_id_header IS NOT NULL
            AND hashtextextended(archived.message_id_header, 0) = hashtextextended(${of.header}, 0)
            AND archived.message_id_header = ${of.header} AND archived.is_encrypted LIMIT 1
       ) AS encrypted_by_header ON true`;
const IS_ENCRYPTED = 'coalesce(encrypted_by_id.found, encrypted_by_header.found, false)';

/** Rows of the message index. All statements are set-based. */
@Injectable()
export class MessageIndexRepository extends BaseRepository<MailboxMessageEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, MailboxMessageEntity);
  }

  /** Finds the rows of these messages, in no particular order. Unknown ids are left out. */
  find(accountId: string, ids: readonly string[]): Promise<MessageMetadata[]> {
    return this.queryRows(
      INDEXED_METADATA_ROW,
      `SELECT ${COLUMNS} FROM mailbox_messages
       WHERE account_id = $1 AND message_id = ANY($2::text[]) AND NOT stale`,
      [accountId, ids],
    );
  }

  findLabels(accountId: string, ids: readonly string[]): Promise<{ id: string; labelIds: string[] }[]> {
    return this.queryRows(
      { id: column.text, labelIds: column.array(column.text) },
      `SELECT message_id AS "id", label_ids AS "labelIds" FROM mailbox_messages
       WHERE account_id = $1 AND message_id = ANY($2::text[]) AND NOT stale`,
      [accountId, ids],
    );
  }

  /** Returns the ids that must be fetched or verified, in the given order. */
  findMissing(accountId: string, ids: readonly string[]): Promise<string[]> {
    return this.findAbsent(
      ids,
      `SELECT message_id AS id FROM mailbox_messages
       WHERE account_id = $1 AND message_id = ANY($2::text[]) AND NOT stale`,
      accountId,
    );
  }

  /** Returns the ids without any row, in the given order. */
  findUnknown(accountId: string, ids: readonly string[]): Promise<string[]> {
    return this.findAbsent(
      ids,
      `SELECT message_id AS id FROM mailbox_messages WHERE account_id = $1 AND message_id = ANY($2::text[])`,
      accountId,
    );
  }

  /** Returns the ids whose rows must be verified. */
  async findStale(accountId: string, ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await this.queryRows(
      { id: column.text },
      `SELECT message_id AS id FROM mailbox_messages
       WHERE account_id = $1 AND message_id = ANY($2::text[]) AND stale`,
      [accountId, ids],
    );
    return rows.map(({ id }) => id);
  }

  findSizes(accountId: string, ids: readonly string[]): Promise<{ id: string; sizeEstimate: number }[]> {
    return this.queryRows(
      { id: column.text, sizeEstimate: column.number },
      `SELECT message_id AS "id", size_estimate AS "sizeEstimate" FROM mailbox_messages
       WHERE account_id = $1 AND message_id = ANY($2::text[]) AND size_estimate > 0`,
      [accountId, ids],
    );
  }

  /** Finds the facts on which exclusions depend, for those of the messages that are indexed. */
  findFacts(
    accountId: string,
    ids: readonly string[],
  ): Promise<{ id: string; sender: string; sizeBytes: number; date: Date }[]> {
    return this.queryRows(
      { id: column.text, sender: column.text, sizeBytes: column.number, date: column.date },
      `SELECT message_id AS id, sender_email AS sender, size_estimate AS "sizeBytes", internal_date AS date
       FROM mailbox_messages WHERE account_id = $1 AND message_id = ANY($2::text[])`,
      [accountId, ids],
    );
  }

  /** Computes figures of those of the messages that are indexed. */
  async computeFigures(accountId: string, ids: readonly string[]): Promise<MessageFigures> {
    const [row] = await this.queryRows(
      FIGURES_ROW,
      `SELECT count(*)::int AS count, ${countOf(MessageFlag.Unread)} AS unread,
         ${countOf(MessageFlag.Starred)} AS starred, ${countOf(MessageFlag.Important)} AS important,
         coalesce(sum(size_estimate), 0)::float8 AS bytes, min(internal_date) AS oldest, max(internal_date) AS newest
       FROM mailbox_messages
       WHERE account_id = $1 AND message_id = ANY($2::text[]) AND NOT stale`,
      [accountId, ids],
    );
    return row!;
  }

  /** Returns the ids of messages that are indexed with the label. */
  async findCarrying(accountId: string, ids: readonly string[], labelId: string): Promise<string[]> {
    const rows = await this.queryRows(
      { id: column.text },
      `SELECT message_id AS id FROM mailbox_messages
       WHERE account_id = $1 AND message_id = ANY($2::text[]) AND NOT stale AND label_ids @> ARRAY[$3]::text[]`,
      [accountId, ids, labelId],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Inserts messages; those with an encrypted archived copy without their snippets. For known ones it replaces the
   * labels and adds a missing snippet.
   * @param transaction a transaction that has locked the account's state
   */
  async store(
    accountId: string,
    messages: readonly MessageMetadata[],
    transaction: Transaction,
  ): Promise<void> {
    if (messages.length === 0) return;
    const rows = messages.map((message) => {
      const { email, name } = senderOf(message.from);
      return { ...message, senderEmail: email, senderName: name, subjectKey: subjectKey(message.subject) };
    });
    await this.execute(
      `INSERT INTO mailbox_messages (account_id, message_id, thread_id, internal_date, date, subject, "from", "to",
         sender_email, sender_name, subject_key, size_estimate, snippet, label_ids, has_attachments, parts, list_unsubscribe, list_unsubscribe_post,
         message_id_header)
       SELECT $1, m.id, m."threadId", m."internalDate", m.date, m.subject, m."from", m."to",
         m."senderEmail", m."senderName", m."subjectKey", m."sizeEstimate",
         CASE WHEN NOT ${IS_ENCRYPTED} THEN m.snippet END,
         m."labelIds", m."hasAttachments", m.parts, m."listUnsubscribe", m."listUnsubscribePost",
         m."messageIdHeader"
       FROM jsonb_to_recordset($2::jsonb) AS m(id text, "threadId" text, "internalDate" timestamptz, date text,
         subject text, "from" text, "to" text, "senderEmail" text, "senderName" text, "subjectKey" bigint,
         "sizeEstimate" integer, snippet text, "labelIds" text[],
         "hasAttachments" boolean, parts jsonb, "listUnsubscribe" text, "listUnsubscribePost" text,
         "messageIdHeader" text)
       ${ENCRYPTED({ id: 'm.id', header: 'm."messageIdHeader"' })}
       ON CONFLICT (account_id, message_id) DO UPDATE
         SET label_ids = excluded.label_ids, stale = false, snippet = coalesce(mailbox_messages.snippet, excluded.snippet)
       WHERE mailbox_messages.label_ids IS DISTINCT FROM excluded.label_ids OR mailbox_messages.stale
         OR (mailbox_messages.snippet IS NULL AND excluded.snippet IS NOT NULL)`,
      [accountId, storableJson(rows)],
      transaction,
    );
  }

  /**
   * Applies changes of the history to the labels of known messages; unknown ones are ignored. A row whose labels the
   * history lists completely needs no further verification.
   */
  async applyLabels(
    accountId: string,
    changes: readonly FoldedLabels[],
    transaction: Transaction,
  ): Promise<void> {
    if (changes.length === 0) return;
    await this.execute(
      `UPDATE mailbox_messages m SET label_ids = c.labels, stale = m.stale AND NOT c.stated
       FROM (
         SELECT known.message_id, change."labelIds" IS NOT NULL AS stated, ARRAY(
           SELECT label FROM unnest(coalesce(change."labelIds", known.label_ids)) AS label
           WHERE NOT label = ANY(change.remove) AND NOT label = ANY(change.add)
         ) || change.add AS labels
         FROM jsonb_to_recordset($2::jsonb) AS change(id text, "labelIds" text[], add text[], remove text[])
         JOIN mailbox_messages known ON known.account_id = $1 AND known.message_id = change.id
       ) c
       WHERE m.account_id = $1 AND m.message_id = c.message_id
         AND (m.label_ids IS DISTINCT FROM c.labels OR (m.stale AND c.stated))`,
      [accountId, storableJson(changes)],
      transaction,
    );
  }

  /** Stores the listed labels of rows that had to be verified. */
  async verifyLabels(
    accountId: string,
    listed: readonly ListedLabels[],
    transaction: Transaction,
  ): Promise<void> {
    if (listed.length === 0) return;
    await this.execute(
      `UPDATE mailbox_messages m SET label_ids = listed."labelIds", stale = false
       FROM jsonb_to_recordset($2::jsonb) AS listed(id text, "labelIds" text[])
       WHERE m.account_id = $1 AND m.message_id = listed.id AND m.stale`,
      [accountId, storableJson(listed)],
      transaction,
    );
  }

  /**
   * Stores the labels that the run listed for up to `limit` rows that had to be verified.
   * @returns number of these rows; 0: the rest is not listed
   */
  verifyListed({ accountId, run }: ListingRun, limit: number, transaction: Transaction): Promise<number> {
    // The number of listings changes often, so the planner's statistics of them are often wrong. OFFSET 0 prevents a
    // join and ctid a search: each row is looked up by its full key in any case.
    return this.executeAndCount(
      `UPDATE mailbox_messages m SET label_ids = listed.labels, stale = false
       FROM (
         SELECT due.row, ARRAY(
           SELECT label.label_id::text FROM mailbox_listings label
           WHERE label.account_id = $1 AND label.run = $2 AND label.message_id = due.message_id
             AND label.label_id <> ''
         ) AS labels
         FROM (
           SELECT stored.ctid AS row, stored.message_id FROM mailbox_messages stored
           WHERE stored.account_id = $1 AND stored.stale AND EXISTS (
             SELECT FROM mailbox_listings listing
             WHERE listing.account_id = $1 AND listing.run = $2
               AND listing.message_id = stored.message_id AND listing.label_id = '' OFFSET 0
           ) LIMIT $3
         ) due
       ) listed
       WHERE m.ctid = listed.row`,
      [accountId, run, limit],
      transaction,
    );
  }

  /** Removes a label that no longer exists from all messages. */
  async removeLabel(accountId: string, labelId: string, transaction: Transaction): Promise<void> {
    await this.execute(
      `UPDATE mailbox_messages SET label_ids = array_remove(label_ids, $2)
       WHERE account_id = $1 AND label_ids @> ARRAY[$2]::text[]`,
      [accountId, labelId],
      transaction,
    );
  }

  /**
   * Finds the ids of the messages whose archived copies have these names: the names themselves, which are the
   * provider's ids, and messages with the same Message-ID.
   */
  async copiesOf(accountId: string, names: readonly string[], transaction: Transaction): Promise<string[]> {
    const rows = await this.queryRows(
      { id: column.text },
      `SELECT name AS id FROM unnest($2::text[]) AS name
        UNION
       SELECT indexed.message_id FROM unnest($2::text[]) AS name
        CROSS JOIN LATERAL (
          SELECT message_id_header AS header FROM archived_mails
           WHERE account_id = $1 AND mailbox_message_id = name LIMIT 1
        ) archived
        CROSS JOIN LATERAL (
          SELECT message_id FROM mailbox_messages
           WHERE account_id = $1 AND message_id_header IS NOT NULL
             AND hashtextextended(message_id_header, 0) = hashtextextended(archived.header, 0)
             AND message_id_header = archived.header OFFSET 0
        ) indexed`,
      [accountId, names],
      transaction,
    );
    return rows.map(({ id }) => id);
  }

  /** Returns the ids of messages whose archived copies are encrypted. */
  async findEncrypted(
    accountId: string,
    ids: readonly string[],
    transaction: Transaction,
  ): Promise<ReadonlySet<string>> {
    const rows = await this.queryRows(
      { id: column.text },
      `SELECT asked.id FROM unnest($2::text[]) AS asked (id)
         LEFT JOIN LATERAL (
           SELECT message_id_header AS header FROM mailbox_messages
            WHERE account_id = $1 AND message_id = asked.id LIMIT 1
         ) indexed ON true
         ${ENCRYPTED({ id: 'asked.id', header: 'indexed.header' })}
        WHERE ${IS_ENCRYPTED}`,
      [accountId, ids],
      transaction,
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Blanks the snippets of messages whose archived copies are encrypted. */
  async withholdSnippets(accountId: string, ids: readonly string[], transaction: Transaction): Promise<void> {
    await this.execute(
      `UPDATE mailbox_messages SET snippet = NULL
       WHERE account_id = $1 AND message_id = ANY($2::text[]) AND snippet IS NOT NULL`,
      [accountId, ids],
      transaction,
    );
  }

  async delete(accountId: string, ids: readonly string[], transaction: Transaction): Promise<void> {
    if (ids.length === 0) return;
    await this.execute(
      `DELETE FROM mailbox_messages WHERE account_id = $1 AND message_id = ANY($2::text[])`,
      [accountId, ids],
      transaction,
    );
  }

  /** Marks all rows as stale, since their labels are no longer reliable. */
  async distrustAll(accountId: string, transaction: Transaction): Promise<void> {
    await this.execute(
      `UPDATE mailbox_messages SET stale = true WHERE account_id = $1 AND NOT stale`,
      [accountId],
      transaction,
    );
  }

  /** Deletes rows that could not be verified, since their messages are spam, trash or gone. */
  async deleteStale(accountId: string, transaction: Transaction): Promise<void> {
    await this.execute(
      `DELETE FROM mailbox_messages WHERE account_id = $1 AND stale`,
      [accountId],
      transaction,
    );
  }

  /** Whether any rows must be verified. */
  async hasStale(accountId: string): Promise<boolean> {
    const [row] = await this.queryRows(
      { found: column.boolean },
      `SELECT EXISTS (SELECT FROM mailbox_messages WHERE account_id = $1 AND stale) AS found`,
      [accountId],
    );
    return row?.found ?? false;
  }

  /** Counts the indexed messages except spam and trash. */
  async count(accountId: string): Promise<number> {
    const [row] = await this.queryRows(
      { count: column.number },
      `SELECT count(*)::int AS count FROM mailbox_messages WHERE account_id = $1 AND flags & ${NOT_COUNTED} = 0`,
      [accountId],
    );
    return row?.count ?? 0;
  }

  /**
   * Returns the ids that the query does not find. An anti-join would be slow: for an account with new rows the planner
   * expects a single one, and would read them all for each id.
   */
  private async findAbsent(ids: readonly string[], query: string, accountId: string): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await this.queryRows({ id: column.text }, query, [accountId, ids]);
    const found = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => !found.has(id));
  }
}
