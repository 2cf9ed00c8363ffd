import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import { ImapChangeEntity } from './imap-index.entity';

/** A message whose places have changed, with its present labels. */
export interface ChangedMessage {
  readonly messageId: string;
  readonly threadId: string;
  /** Labels by the last entry of the history; null: it has no entry. */
  readonly before: readonly string[] | null;
  /** Present labels; null when the message has no place. */
  readonly after: readonly string[] | null;
  readonly isInitial: boolean;
  /** Version of the row, which differs once another process has changed places of the message. */
  readonly version: string;
}

export interface HistoryEntry {
  readonly messageId: string;
  readonly threadId: string;
  readonly kind: ImapChangeEntity['kind'];
  readonly labels: readonly string[];
  readonly labelsAdded: readonly string[];
  readonly labelsRemoved: readonly string[];
}

export interface HistoryState {
  readonly lastSeq: number;
  readonly floorSeq: number;
}

const STATE = { lastSeq: column.number, floorSeq: column.number };
const ENTRY = {
  seq: column.number,
  messageId: column.text,
  threadId: column.text,
  kind: column.oneOf(['added', 'deleted', 'labels']),
  labels: column.array(column.text),
  labelsAdded: column.array(column.text),
  labelsRemoved: column.array(column.text),
};
/** Condition: the message's folder has been read anew and did not list all of its messages. */
const IS_HIDDEN = `EXISTS (SELECT FROM imap_folders hiding WHERE hiding.id = message.hidden_in AND NOT hiding.is_complete)`;
/** Condition: the server estimates sizes, so that a message may have another size in another folder. */
const ARE_SIZES_ESTIMATED = `EXISTS (
  SELECT FROM imap_accounts server WHERE server.account_id = $1 AND NOT server.exact_sizes)`;
const KEPT = `interval '7 days'`;
const MAX_KEPT = 200_000;

/** The change history of accounts. */
@Injectable()
export class ImapHistoryRepository extends BaseRepository<ImapChangeEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ImapChangeEntity);
  }

  async getState(accountId: string): Promise<HistoryState> {
    const [state] = await this.queryRows(
      STATE,
      `SELECT last_seq::float8 AS "lastSeq", floor_seq::float8 AS "floorSeq" FROM imap_sync_states WHERE account_id = $1`,
      [accountId],
    );
    return state ?? { lastSeq: 0, floorSeq: 0 };
  }

  /**
   * Locks the history of an account for one writer, so that numbers ascend in the order of commits. A transaction takes
   * this lock before any lock on folders or messages, never after.
   */
  async lock(accountId: string, transaction: Transaction): Promise<HistoryState> {
    await this.execute(
      'INSERT INTO imap_sync_states (account_id) VALUES ($1) ON CONFLICT (account_id) DO NOTHING',
      [accountId],
      transaction,
    );
    const [state] = await this.queryRows(
      STATE,
      `SELECT last_seq::float8 AS "lastSeq", floor_seq::float8 AS "floorSeq" FROM imap_sync_states
       WHERE account_id = $1 FOR UPDATE`,
      [accountId],
      transaction,
    );
    return state ?? { lastSeq: 0, floorSeq: 0 };
  }

  /** Whether all folders have been read before. */
  async isSynced(accountId: string): Promise<boolean> {
    const found = await this.queryRows(
      {},
      'SELECT 1 FROM imap_sync_states WHERE account_id = $1 AND synced_at IS NOT NULL',
      [accountId],
    );
    return found.length > 0;
  }

  async recordSync(accountId: string): Promise<void> {
    await this.execute(
      `INSERT INTO imap_sync_states (account_id, synced_at, figures_at) VALUES ($1, now(), now())
       ON CONFLICT (account_id) DO UPDATE SET synced_at = now(), figures_at = now()`,
      [accountId],
    );
  }

  /** Whether all folders were asked for their figures within this time. */
  async hasFigures(accountId: string, withinMs: number): Promise<boolean> {
    const found = await this.queryRows(
      {},
      `SELECT 1 FROM imap_sync_states
       WHERE account_id = $1 AND figures_at > now() - $2 * interval '1 millisecond'`,
      [accountId, withinMs],
    );
    return found.length > 0;
  }

  /** Makes the next sync ask all folders, after a change of ours that left the location of messages in doubt. */
  async forgetFigures(accountId: string): Promise<void> {
    await this.execute('UPDATE imap_sync_states SET figures_at = NULL WHERE account_id = $1', [accountId]);
  }

  /**
   * Finds messages whose places have changed, with their labels by the folders and flags of all places.
   * @param gone messages to include even without a place, unless they may be among messages not yet read
   */
  async findChanged(
    accountId: string,
    gone: readonly string[],
    limit: number,
    transaction: Transaction,
  ): Promise<ChangedMessage[]> {
    return this.queryRows(
      {
        messageId: column.text,
        threadId: column.text,
        before: column.nullable(column.array(column.text)),
        after: column.nullable(column.array(column.text)),
        isInitial: column.boolean,
        version: column.text,
      },
      `SELECT message.message_id AS "messageId", message.thread_id AS "threadId", message.labels AS before,
              now.labels AS after, message.is_initial AS "isInitial",
              message.xmin::text AS version
       FROM imap_messages message
       LEFT JOIN LATERAL (
         SELECT CASE WHEN count(*) > 0 THEN array_remove(ARRAY(
           SELECT DISTINCT label FROM unnest(
             array_agg(CASE WHEN '\\Deleted' = ANY(place.flags) THEN 'TRASH' ELSE folder.label_id END)
             || CASE WHEN bool_or(NOT '\\Seen' = ANY(place.flags)) THEN ARRAY['UNREAD'] ELSE '{}' END
             || CASE WHEN bool_or('\\Flagged' = ANY(place.flags)) THEN ARRAY['STARRED'] ELSE '{}' END
             || CASE WHEN bool_or('$Important' = ANY(place.flags)) THEN ARRAY['IMPORTANT'] ELSE '{}' END
             || coalesce(string_to_array(string_agg(NULLIF(array_to_string(place.labels, ' '), ''), ' '), ' '), '{}')
           ) AS label ORDER BY label
         ), NULL) END AS labels
         FROM imap_places place JOIN imap_folders folder ON folder.id = place.folder_id
         WHERE place.account_id = $1 AND place.message_id = message.message_id
       ) now ON true
       WHERE message.account_id = $1 AND message.is_dirty AND (
         now.labels IS NOT NULL OR message.message_id = ANY($2) AND NOT EXISTS (
           SELECT FROM imap_places unread
           WHERE unread.account_id = $1 AND unread.message_id IS NULL
             AND (unread.size = message.size OR unread.failed_at IS NULL AND ${ARE_SIZES_ESTIMATED})
         ) AND NOT ${IS_HIDDEN}
       )
       ORDER BY message.message_id LIMIT $3`,
      [accountId, gone, limit],
      transaction,
    );
  }

  /** Whether any message seems to be gone, because it has no place left. */
  async hasGone(accountId: string): Promise<boolean> {
    return (await this.findGone(accountId, 1)).length > 0;
  }

  /** Finds the ids of messages that seem to be gone. */
  async findGone(accountId: string, limit: number | null = null): Promise<string[]> {
    const found = await this.queryRows(
      { messageId: column.text },
      `SELECT message_id AS "messageId" FROM imap_messages message
       WHERE account_id = $1 AND is_dirty AND NOT EXISTS (
         SELECT FROM imap_places place WHERE place.account_id = $1 AND place.message_id = message.message_id)
         AND NOT ${IS_HIDDEN} LIMIT $2`,
      [accountId, limit],
    );
    return found.map(({ messageId }) => messageId);
  }

  /** Writes entries after `lastSeq`, and advances it. */
  async append(
    accountId: string,
    lastSeq: number,
    entries: readonly HistoryEntry[],
    transaction: Transaction,
  ): Promise<void> {
    if (entries.length === 0) return;
    await this.execute(
      `INSERT INTO imap_changes
         (account_id, seq, message_id, thread_id, kind, labels, labels_added, labels_removed)
       SELECT $1, $2 + entry.number, entry.message_id, entry.thread_id, entry.kind, string_to_array(entry.labels, ' '),
              string_to_array(entry.added, ' '), string_to_array(entry.removed, ' ')
       FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]) WITH ORDINALITY
         AS entry (message_id, thread_id, kind, labels, added, removed, number)`,
      [
        accountId,
        lastSeq,
        entries.map(({ messageId }) => messageId),
        entries.map(({ threadId }) => threadId),
        entries.map(({ kind }) => kind),
        entries.map(({ labels }) => labels.join(' ')),
        entries.map(({ labelsAdded }) => labelsAdded.join(' ')),
        entries.map(({ labelsRemoved }) => labelsRemoved.join(' ')),
      ],
      transaction,
    );
    await this.execute(
      'UPDATE imap_sync_states SET last_seq = $2 WHERE account_id = $1',
      [accountId, lastSeq + entries.length],
      transaction,
    );
  }

  /**
   * Stores the present labels of these messages before their history entries are written, and deletes messages without
   * a place. Messages whose places have changed meanwhile stay marked.
   * @returns the messages that get an entry: all but those without a place that have reappeared meanwhile
   */
  async storeLabels(
    accountId: string,
    messages: readonly ChangedMessage[],
    transaction: Transaction,
  ): Promise<ChangedMessage[]> {
    const there = messages.filter(({ after }) => after !== null);
    await this.execute(
      `UPDATE imap_messages message SET labels = string_to_array(found.labels, ' '), is_dirty = message.xmin::text <> found.version,
         hidden_in = NULL
       FROM unnest($2::text[], $3::text[], $4::text[]) AS found (message_id, labels, version)
       WHERE message.account_id = $1 AND message.message_id = found.message_id`,
      [
        accountId,
        there.map(({ messageId }) => messageId),
        there.map(({ after }) => (after ?? []).join(' ')),
        there.map(({ version }) => version),
      ],
      transaction,
    );
    const gone = messages.filter(({ after }) => after === null);
    if (gone.length === 0) return there;
    const deleted = await this.queryRows(
      { messageId: column.text },
      `DELETE FROM imap_messages message
       USING unnest($2::text[], $3::text[]) AS found (message_id, version)
       WHERE message.account_id = $1 AND message.message_id = found.message_id
         AND message.xmin::text = found.version
       RETURNING message.message_id AS "messageId"`,
      [accountId, gone.map(({ messageId }) => messageId), gone.map(({ version }) => version)],
      transaction,
    );
    const ids = new Set(deleted.map(({ messageId }) => messageId));
    return [...there, ...gone.filter(({ messageId }) => ids.has(messageId))];
  }

  /** Finds entries after a cursor, oldest first. */
  async listSince(
    accountId: string,
    seq: number,
    limit: number,
  ): Promise<(HistoryEntry & { readonly seq: number })[]> {
    return this.queryRows(
      ENTRY,
      `SELECT seq::float8 AS seq, message_id AS "messageId", thread_id AS "threadId", kind, labels,
              labels_added AS "labelsAdded", labels_removed AS "labelsRemoved"
       FROM imap_changes WHERE account_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
      [accountId, seq, limit],
    );
  }

  /** Invalidates all cursors, after more changes than a history should list. */
  async forget(accountId: string, transaction: Transaction): Promise<void> {
    await this.execute(
      `UPDATE imap_sync_states SET last_seq = last_seq + 1, floor_seq = last_seq + 1 WHERE account_id = $1`,
      [accountId],
      transaction,
    );
  }

  /**
   * Invalidates all cursors and makes the next sync a first one, because the mailbox or its view is a different one.
   * Readers then list and compare.
   */
  async beginAnew(accountId: string, transaction: Transaction): Promise<void> {
    await this.execute(
      `UPDATE imap_sync_states SET last_seq = last_seq + 1, floor_seq = last_seq + 1, synced_at = NULL
       WHERE account_id = $1`,
      [accountId],
      transaction,
    );
  }

  /** Deletes entries that are older than a week, or too many; at most once an hour for an account. */
  async clean(accountId: string): Promise<void> {
    const [due] = await this.queryRows(
      { lastSeq: column.number },
      `UPDATE imap_sync_states SET cleaned_at = now()
       WHERE account_id = $1 AND (cleaned_at IS NULL OR cleaned_at < now() - interval '1 hour')
       RETURNING last_seq::float8 AS "lastSeq"`,
      [accountId],
    );
    if (!due) return;
    // The floor is raised first: a reader between the two statements must not take a part of the history for all of it.
    await this.execute(
      `UPDATE imap_sync_states SET floor_seq = GREATEST(floor_seq, coalesce(
         (SELECT max(seq) FROM imap_changes WHERE account_id = $1 AND (at < now() - ${KEPT} OR seq <= $2)), 0))
       WHERE account_id = $1`,
      [accountId, due.lastSeq - MAX_KEPT],
    );
    await this.execute(
      `DELETE FROM imap_changes USING imap_sync_states state
       WHERE imap_changes.account_id = $1 AND state.account_id = $1 AND seq <= state.floor_seq`,
      [accountId],
    );
  }
}
