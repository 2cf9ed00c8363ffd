import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column } from '../../../platform/database/row-shape';
import { ImapMessageEntity, type MessageFacts } from './imap-index.entity';

/** A place in a list, newest first. */
export interface ListPlace {
  /** Epoch milliseconds. */
  readonly date: number;
  readonly messageId: string;
}

export interface ListedMessage extends ListPlace {
  readonly threadId: string;
}

export interface IndexedMessage extends ListedMessage {
  readonly size: number;
  readonly labels: readonly string[];
  readonly facts: MessageFacts;
}

export interface ListRequest {
  readonly labels: readonly string[];
  /** Whether messages in spam are left out; `withoutTrash` likewise. */
  readonly withoutSpam: boolean;
  readonly withoutTrash: boolean;
  /** Place after which the list begins; null: at its start. */
  readonly after: ListPlace | null;
  /** Date from which on all messages are known; older ones are left out. Null: no limit. */
  readonly newerThan: Date | null;
  readonly limit: number;
}

export interface LabelCount {
  readonly label: string;
  readonly total: number;
  readonly unread: number;
}

/** Date in epoch milliseconds: dates of messages have no finer parts, and page tokens must be exact. */
const DATE = `(extract(epoch FROM internal_date) * 1000)::float8`;
const LISTED = { messageId: column.text, threadId: column.text, date: column.number };
const INDEXED = {
  ...LISTED,
  size: column.number,
  labels: column.array(column.text),
  facts: column.json<MessageFacts>(),
};
const LISTED_COLUMNS = `message_id AS "messageId", thread_id AS "threadId", ${DATE} AS date`;
const INDEXED_COLUMNS = `${LISTED_COLUMNS}, size::float8 AS size, coalesce(labels, '{}') AS labels, facts`;

/** Flags that correspond to labels, or that are not worth keeping with a copy. */
const LABEL_FLAGS = ['\\Seen', '\\Flagged', '\\Draft', '\\Deleted', '\\Recent', '$Important'];
const MOST_KEYWORDS = 100;

/** Reads messages as people and other features see them. */
@Injectable()
export class ImapListingRepository extends BaseRepository<ImapMessageEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ImapMessageEntity);
  }

  /** Lists messages, newest first. */
  list(accountId: string, request: ListRequest): Promise<ListedMessage[]> {
    const [where, parameters] = conditions(accountId, request);
    return this.queryRows(
      LISTED,
      `SELECT ${LISTED_COLUMNS} FROM imap_messages WHERE ${where}
       ORDER BY internal_date DESC, message_id DESC LIMIT $${parameters.length + 1}`,
      [...parameters, request.limit],
    );
  }

  /** Lists messages like `list`, with all their facts. */
  listWhole(accountId: string, request: ListRequest): Promise<IndexedMessage[]> {
    const [where, parameters] = conditions(accountId, request);
    return this.queryRows(
      INDEXED,
      `SELECT ${INDEXED_COLUMNS} FROM imap_messages WHERE ${where}
       ORDER BY internal_date DESC, message_id DESC LIMIT $${parameters.length + 1}`,
      [...parameters, request.limit],
    );
  }

  async count(accountId: string, request: ListRequest): Promise<number> {
    const [where, parameters] = conditions(accountId, request);
    const [row] = await this.queryRows(
      { count: column.number },
      `SELECT count(*)::int AS count FROM imap_messages WHERE ${where}`,
      parameters,
    );
    return row?.count ?? 0;
  }

  find(accountId: string, messageIds: readonly string[]): Promise<IndexedMessage[]> {
    return this.queryRows(
      INDEXED,
      `SELECT ${INDEXED_COLUMNS} FROM imap_messages
       WHERE account_id = $1 AND message_id = ANY($2) AND labels IS NOT NULL`,
      [accountId, messageIds],
    );
  }

  /** Finds the ids of the messages at these UIDs of a folder; none when the folder has another UIDVALIDITY now. */
  async findIdsAt(
    folder: { readonly id: string; readonly uidValidity: number },
    uids: readonly number[],
  ): Promise<string[]> {
    const found = await this.queryRows(
      { messageId: column.text },
      `SELECT place.message_id AS "messageId"
       FROM imap_places place JOIN imap_folders folder ON folder.id = place.folder_id
       WHERE place.folder_id = $1 AND folder.uid_validity = $3
         AND place.uid = ANY($2::bigint[]) AND place.message_id IS NOT NULL`,
      [folder.id, uids, folder.uidValidity],
    );
    return found.map(({ messageId }) => messageId);
  }

  /** Finds the flags of all places of a message that do not correspond to labels. */
  async listKeywords(accountId: string, messageId: string): Promise<string[]> {
    const rows = await this.queryRows(
      { flag: column.text },
      `SELECT DISTINCT flag FROM imap_places, unnest(flags) AS flag
       WHERE account_id = $1 AND message_id = $2 AND flag <> ALL ($3::text[]) ORDER BY flag LIMIT ${MOST_KEYWORDS}`,
      [accountId, messageId, LABEL_FLAGS],
    );
    return rows.map(({ flag }) => flag);
  }

  async countTotals(accountId: string): Promise<{ readonly messages: number; readonly threads: number }> {
    const [row] = await this.queryRows(
      { messages: column.number, threads: column.number },
      `SELECT count(*)::int AS messages, count(DISTINCT thread_id)::int AS threads FROM imap_messages
       WHERE account_id = $1 AND labels IS NOT NULL`,
      [accountId],
    );
    return row ?? { messages: 0, threads: 0 };
  }

  /** Counts messages by label over all places, including messages whose headers have not been read. */
  countByLabel(accountId: string): Promise<LabelCount[]> {
    return this.queryRows(
      { label: column.text, total: column.number, unread: column.number },
      `WITH place AS (
         SELECT coalesce(place.message_id, place.folder_id || ':' || place.uid) AS id, folder.label_id, place.flags, place.labels
         FROM imap_places place JOIN imap_folders folder ON folder.id = place.folder_id WHERE place.account_id = $1
       ), message AS (
         SELECT id, bool_or(NOT '\\Seen' = ANY(flags)) AS unread, bool_or('\\Flagged' = ANY(flags)) AS starred,
                bool_or('$Important' = ANY(flags)) AS important,
                ARRAY(SELECT DISTINCT label FROM unnest(
                  array_agg(CASE WHEN '\\Deleted' = ANY(flags) THEN 'TRASH' ELSE label_id END)
                  || coalesce(string_to_array(string_agg(NULLIF(array_to_string(labels, ' '), ''), ' '), ' '), '{}')
                ) AS label WHERE label IS NOT NULL) AS labels
         FROM place GROUP BY id
       ), labelled AS (
         SELECT unnest(labels || CASE WHEN unread THEN ARRAY['UNREAD'] ELSE '{}' END
           || CASE WHEN starred THEN ARRAY['STARRED'] ELSE '{}' END
           || CASE WHEN important AND NOT 'IMPORTANT' = ANY(labels) THEN ARRAY['IMPORTANT'] ELSE '{}' END) AS label, unread
         FROM message
       )
       SELECT label, count(*)::int AS total, (count(*) FILTER (WHERE unread))::int AS unread FROM labelled GROUP BY label`,
      [accountId],
    );
  }
}

function conditions(accountId: string, request: ListRequest): [string, unknown[]] {
  const parameters: unknown[] = [accountId];
  const add = (value: unknown): string => `$${parameters.push(value)}`;
  const where = ['account_id = $1', 'labels IS NOT NULL'];
  if (request.labels.length > 0) where.push(`labels @> ${add(request.labels)}::text[]`);
  if (request.withoutSpam) where.push(`NOT 'SPAM' = ANY(labels)`);
  if (request.withoutTrash) where.push(`NOT 'TRASH' = ANY(labels)`);
  if (request.newerThan) where.push(`internal_date > ${add(request.newerThan)}`);
  if (request.after) {
    const { date, messageId } = request.after;
    where.push(`(internal_date, message_id) < (${add(new Date(date))}, ${add(messageId)})`);
  }
  return [where.join(' AND '), parameters];
}
