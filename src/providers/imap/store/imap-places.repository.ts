import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { storableJson, storableText } from '../../../platform/database/column-values';
import { column } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import type { AlikeMessage } from '../sync/alike-messages';
import { ImapPlaceEntity } from './imap-index.entity';
import type { IdentifiedMessage } from '../messages/imap-message';
import type { DescribedMessage } from '../session/imap-fetches';

/** A place whose header has not been read. */
export interface UnreadPlace {
  readonly folderId: string;
  readonly uid: number;
}

/** The place of a message: a UID in a folder. */
export interface Place {
  readonly messageId: string;
  readonly folderId: string;
  /** UIDVALIDITY under which the UID was read. The UID is meaningless under another. */
  readonly uidValidity: number;
  readonly uid: number;
  readonly size: number;
  readonly internalDate: Date;
  readonly flags: readonly string[];
  /** Ids of labels besides that of the folder. */
  readonly labels: readonly string[];
  readonly trashedFrom: readonly string[] | null;
  /** Id shared by places that we have copied from one another and that the server named; null: not known to be a copy. */
  readonly copyGroup: string | null;
}

/** Copies in a folder that the server named. */
export interface CopiedPlaces {
  /** UIDs of originals and of their copies. */
  readonly pairs: readonly (readonly [number, number])[];
  /** Whether the originals stay in their folder beside their copies. */
  readonly areStaying?: boolean;
  /** Id of the folder from which they were moved to the trash. */
  readonly trashedFrom?: string;
}

type FolderKey = { readonly id: string; readonly accountId: string };
type MarksByUid = ReadonlyMap<number, readonly string[]>;

/** A message that has been found in a folder, with its id. */
export interface NamedMessage extends IdentifiedMessage {
  readonly messageId: string;
}

const PLACE = {
  messageId: column.text,
  folderId: column.text,
  uidValidity: column.number,
  uid: column.number,
  size: column.number,
  internalDate: column.date,
  flags: column.array(column.text),
  labels: column.array(column.text),
  trashedFrom: column.nullable(column.array(column.text)),
  copyGroup: column.nullable(column.text),
};
/** Places with the UIDVALIDITY of their folder, read in one statement so that the two match. */
const PLACES = 'imap_places place JOIN imap_folders folder ON folder.id = place.folder_id';
const COLUMNS = `place.message_id AS "messageId", place.folder_id AS "folderId",
  folder.uid_validity::float8 AS "uidValidity", place.uid::float8 AS uid,
  place.size::float8 AS size, place.internal_date AS "internalDate", place.flags, place.labels, place.trashed_from::text[] AS "trashedFrom",
  place.copy_group AS "copyGroup"`;
/** Condition: the header may be requested. One that could not be read is requested again after a day. */
const IS_DUE = `(failed_at IS NULL OR failed_at < now() - interval '1 day')`;
const LIES_NOWHERE = `NOT EXISTS (
  SELECT FROM imap_places place WHERE place.account_id = message.account_id AND place.message_id = message.message_id)`;

/** Places of messages, and the messages themselves. */
@Injectable()
export class ImapPlacesRepository extends BaseRepository<ImapPlaceEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ImapPlaceEntity);
  }

  /**
   * Adds places that are not known, and updates flags and labels of the others.
   * @param messages messages with ids of labels in place of names
   */
  async add(
    folder: FolderKey,
    messages: readonly DescribedMessage[],
    isInitial: boolean,
    transaction: Transaction,
  ): Promise<void> {
    if (messages.length === 0) return;
    await this.execute(
      `INSERT INTO imap_places (folder_id, account_id, is_initial, uid, size, internal_date, flags, labels)
       SELECT $1, $2, $3, found.uid, found.size, found.date, string_to_array(found.flags, ' '),
              string_to_array(found.labels, ' ')
       FROM unnest($4::bigint[], $5::bigint[], $6::timestamptz[], $7::text[], $8::text[])
         AS found (uid, size, date, flags, labels)
       ON CONFLICT (folder_id, uid) DO NOTHING`,
      [
        folder.id,
        folder.accountId,
        isInitial,
        messages.map(({ uid }) => uid),
        messages.map(({ size }) => size),
        messages.map(({ internalDate }) => internalDate),
        messages.map(({ flags: flags }) => flags.join(' ')),
        messages.map(({ labels }) => labels.join(' ')),
      ],
      transaction,
    );
    const labelled = new Map(messages.map(({ uid, labels }) => [uid, labels]));
    await this.setFlags(folder, new Map(messages.map(({ uid, flags: flags }) => [uid, flags])), transaction);
    await this.setLabels(folder, labelled, transaction);
  }

  /** Stores flags that differ, and marks their messages as changed. */
  setFlags(folder: FolderKey, flags: MarksByUid, transaction: Transaction): Promise<void> {
    return this.setMarks('flags', folder, flags, transaction);
  }

  /** Stores ids of labels that differ, and marks their messages as changed. */
  setLabels(folder: FolderKey, labels: MarksByUid, transaction: Transaction): Promise<void> {
    return this.setMarks('labels', folder, labels, transaction);
  }

  /** Whether any message has this label, other than by its folder. */
  async hasLabel(accountId: string, labelId: string): Promise<boolean> {
    const found = await this.queryRows(
      {},
      'SELECT 1 FROM imap_places WHERE account_id = $1 AND $2 = ANY(labels) LIMIT 1',
      [accountId, labelId],
    );
    return found.length > 0;
  }

  /**
   * Deletes all places of a folder whose list was incomplete. Messages that it lacks do not count as gone until a list
   * is complete (`ImapHistoryRepository.changed`).
   */
  async removeUnproved(folder: FolderKey, transaction: Transaction): Promise<void> {
    await this.execute(
      `WITH removed AS (DELETE FROM imap_places WHERE folder_id = $1 RETURNING message_id)
       UPDATE imap_messages SET is_dirty = true, hidden_in = $1
       WHERE account_id = $2 AND message_id IN (SELECT message_id FROM removed)`,
      [folder.id, folder.accountId],
      transaction,
    );
  }

  /** Deletes places, and marks their messages as changed. @param uids UIDs of the places; default: all of the folder */
  async remove(
    folder: FolderKey,
    uids: readonly number[] | undefined,
    transaction: Transaction,
  ): Promise<void> {
    if (uids?.length === 0) return;
    await this.execute(
      `WITH removed AS (
         DELETE FROM imap_places WHERE folder_id = $1 AND ($2::bigint[] IS NULL OR uid = ANY($2)) RETURNING message_id
       )
       UPDATE imap_messages SET is_dirty = true
       WHERE account_id = $3 AND message_id IN (SELECT message_id FROM removed)`,
      [folder.id, uids ?? null, folder.accountId],
      transaction,
    );
  }

  /** Finds all known UIDs of a folder, ascending. */
  async listUids(folderId: string, transaction?: Transaction): Promise<number[]> {
    const [row] = await this.queryRows(
      { uids: column.nullable(column.array(column.number)) },
      'SELECT array_agg(uid::float8 ORDER BY uid) AS uids FROM imap_places WHERE folder_id = $1',
      [folderId],
      transaction,
    );
    return row?.uids ?? [];
  }

  /** Finds the known UIDs of a folder from `from` on. */
  async listUidsFrom(folderId: string, from: number): Promise<number[]> {
    const found = await this.queryRows(
      { uid: column.number },
      'SELECT uid::float8 AS uid FROM imap_places WHERE folder_id = $1 AND uid >= $2',
      [folderId, from],
    );
    return found.map(({ uid }) => uid);
  }

  /** Whether two folders have the same messages under the same UIDs, all of them read, with the same flags. */
  async haveSameMessages(
    accountId: string,
    folderId: string,
    otherId: string,
    transaction: Transaction,
  ): Promise<boolean> {
    const same = await this.queryRows(
      {},
      `SELECT 1 WHERE EXISTS (SELECT FROM imap_places WHERE account_id = $1 AND folder_id = $2)
         AND NOT EXISTS (
           SELECT FROM (SELECT * FROM imap_places WHERE account_id = $1 AND folder_id = $2) one
           FULL JOIN (SELECT * FROM imap_places WHERE account_id = $1 AND folder_id = $3) other USING (uid)
           WHERE (one.message_id = other.message_id AND one.size = other.size AND one.internal_date = other.internal_date
             AND array_remove(one.flags, '\\Recent') @> array_remove(other.flags, '\\Recent')
             AND array_remove(one.flags, '\\Recent') <@ array_remove(other.flags, '\\Recent')) IS NOT TRUE)`,
      [accountId, folderId, otherId],
      transaction,
    );
    return same.length > 0;
  }

  /** Finds sizes and dates, by UID. */
  async findSizes(
    folderId: string,
    uids: readonly number[],
  ): Promise<Map<number, { readonly size: number; readonly internalDate: Date }>> {
    const found = await this.queryRows(
      { uid: column.number, size: column.number, internalDate: column.date },
      `SELECT uid::float8 AS uid, size::float8 AS size, internal_date AS "internalDate" FROM imap_places
       WHERE folder_id = $1 AND uid = ANY($2::bigint[])`,
      [folderId, uids],
    );
    return new Map(found.map(({ uid, size, internalDate }) => [uid, { size, internalDate }]));
  }

  /** Marks the messages of a folder as changed, because their labels change. */
  async touch(folder: FolderKey, transaction: Transaction): Promise<void> {
    await this.execute(
      `UPDATE imap_messages SET is_dirty = true WHERE account_id = $2 AND message_id IN (
         SELECT message_id FROM imap_places WHERE folder_id = $1)`,
      [folder.id, folder.accountId],
      transaction,
    );
  }

  async count(folderId: string, transaction?: Transaction): Promise<number> {
    const [row] = await this.queryRows(
      { count: column.number },
      'SELECT count(*)::int AS count FROM imap_places WHERE folder_id = $1',
      [folderId],
      transaction,
    );
    return row?.count ?? 0;
  }

  /** Finds the folders with new messages whose headers have not been read, because a sync ended before. */
  async listFoldersWithUnread(accountId: string): Promise<Set<string>> {
    const found = await this.queryRows(
      { folderId: column.text },
      `SELECT DISTINCT folder_id AS "folderId" FROM imap_places
       WHERE account_id = $1 AND message_id IS NULL AND NOT is_initial AND ${IS_DUE}`,
      [accountId],
    );
    return new Set(found.map(({ folderId }) => folderId));
  }

  /**
   * Finds the UIDs of a folder's new messages whose headers have not been read, ascending.
   * @param after UID above which to search
   */
  async findUnread(folder: FolderKey, after: number, limit: number): Promise<number[]> {
    const found = await this.queryRows(
      { uid: column.number },
      `SELECT uid::float8 AS uid FROM imap_places
       WHERE account_id = $1 AND folder_id = $2 AND uid > $3 AND message_id IS NULL AND NOT is_initial AND ${IS_DUE}
       ORDER BY imap_places.uid LIMIT $4`,
      [folder.accountId, folder.id, after, limit],
    );
    return found.map(({ uid }) => uid);
  }

  /** Returns the messages that the index has although it knows no place of them. */
  async findLost(accountId: string, messageIds: readonly string[]): Promise<string[]> {
    const found = await this.queryRows(
      { messageId: column.text },
      `SELECT message_id AS "messageId" FROM imap_messages message
       WHERE account_id = $1 AND message_id = ANY($2) AND ${LIES_NOWHERE}`,
      [accountId, messageIds],
    );
    return found.map(({ messageId }) => messageId);
  }

  /**
   * Finds places with unread headers that may be those of lost messages by their size; any such place where sizes are
   * estimates. Places with the date of a lost message come first, then the newest.
   */
  async findUnreadLike(
    accountId: string,
    messageIds: readonly string[],
    limit: number,
  ): Promise<UnreadPlace[]> {
    return this.queryRows(
      { folderId: column.text, uid: column.number },
      `WITH lost AS (
         SELECT size, internal_date FROM imap_messages message
         WHERE account_id = $1 AND message_id = ANY($2) AND ${LIES_NOWHERE}
       )
       SELECT unread.folder_id AS "folderId", unread.uid::float8 AS uid FROM imap_places unread
       WHERE unread.account_id = $1 AND unread.message_id IS NULL AND ${IS_DUE}
         AND EXISTS (SELECT FROM lost)
         AND (unread.size IN (SELECT size FROM lost) OR NOT EXISTS (
           SELECT FROM imap_accounts server WHERE server.account_id = $1 AND server.exact_sizes))
       ORDER BY unread.internal_date IN (SELECT internal_date FROM lost) DESC, unread.internal_date DESC, unread.uid DESC
       LIMIT $3`,
      [accountId, messageIds, limit],
    );
  }

  /** Finds the newest places whose headers have not been read. */
  async findNewestUnread(accountId: string, limit: number): Promise<UnreadPlace[]> {
    return this.queryRows(
      { folderId: column.text, uid: column.number },
      `SELECT folder_id AS "folderId", uid::float8 AS uid FROM imap_places
       WHERE account_id = $1 AND message_id IS NULL AND ${IS_DUE}
       ORDER BY internal_date DESC, uid DESC LIMIT $2`,
      [accountId, limit],
    );
  }

  /** Finds the date of the newest place whose header has not been read; null when all have been read. */
  async findNewestUnreadDate(accountId: string): Promise<Date | null> {
    const [row] = await this.queryRows(
      { date: column.date },
      `SELECT internal_date AS date FROM imap_places
       WHERE account_id = $1 AND message_id IS NULL AND ${IS_DUE}
       ORDER BY internal_date DESC LIMIT 1`,
      [accountId],
    );
    return row?.date ?? null;
  }

  async countUnread(accountId: string): Promise<number> {
    const [row] = await this.queryRows(
      { count: column.number },
      'SELECT count(*)::int AS count FROM imap_places WHERE account_id = $1 AND message_id IS NULL',
      [accountId],
    );
    return row?.count ?? 0;
  }

  async markFailed(folderId: string, uids: readonly number[]): Promise<void> {
    if (uids.length === 0) return;
    await this.execute(
      `UPDATE imap_places SET failed_at = now() WHERE folder_id = $1 AND uid = ANY($2::bigint[]) AND message_id IS NULL`,
      [folderId, uids],
    );
  }

  /** Finds the ids of messages with these keys in a folder: the key itself, or the key with an ordinal. */
  async findIdsByKeys(
    folderId: string,
    keys: readonly string[],
    transaction: Transaction,
  ): Promise<string[]> {
    const found = await this.queryRows(
      { messageId: column.text },
      `SELECT message_id AS "messageId" FROM imap_places
       WHERE folder_id = $1 AND message_id IS NOT NULL AND split_part(message_id, '~', 1) = ANY($2)`,
      [folderId, keys],
      transaction,
    );
    return found.map(({ messageId }) => messageId);
  }

  /** Finds the account's messages with these keys, whose id is the key itself or the key with an ordinal. */
  async findAlike(
    accountId: string,
    keys: readonly string[],
    transaction: Transaction,
  ): Promise<AlikeMessage[]> {
    return this.queryRows(
      { messageId: column.text, internalDate: column.date },
      `SELECT message_id AS "messageId", internal_date AS "internalDate" FROM imap_messages
       WHERE account_id = $1 AND message_id = ANY($2)
       UNION ALL
       SELECT message_id, internal_date FROM imap_messages
       WHERE account_id = $1 AND message_id LIKE '%~%' AND split_part(message_id, '~', 1) = ANY($2)`,
      [accountId, keys],
      transaction,
    );
  }

  /** Finds date and Message-ID of the messages with these ids. */
  async findArrivals(
    accountId: string,
    messageIds: readonly string[],
    transaction: Transaction,
  ): Promise<(AlikeMessage & { readonly messageIdHeader: string | null })[]> {
    if (messageIds.length === 0) return [];
    return this.queryRows(
      {
        messageId: column.text,
        internalDate: column.date,
        messageIdHeader: column.nullable(column.text),
      },
      `SELECT message_id AS "messageId", internal_date AS "internalDate", message_id_header AS "messageIdHeader"
       FROM imap_messages WHERE account_id = $1 AND message_id = ANY($2)`,
      [accountId, messageIds],
      transaction,
    );
  }

  /** Finds the conversations of messages, by their Message-ID. */
  async findThreadsByHeader(
    accountId: string,
    headers: readonly string[],
    transaction: Transaction,
  ): Promise<Map<string, string>> {
    if (headers.length === 0) return new Map();
    const found = await this.queryRows(
      { header: column.text, threadId: column.text },
      `SELECT DISTINCT ON (message_id_header) message_id_header AS header, thread_id AS "threadId" FROM imap_messages
       WHERE account_id = $1 AND message_id_header = ANY($2) ORDER BY message_id_header, internal_date, message_id`,
      [accountId, headers],
      transaction,
    );
    return new Map(found.map(({ header, threadId }) => [header, threadId]));
  }

  /**
   * Stores the message ids of places, and adds new messages. A known message stays as it is, except for a draft: an id
   * that an earlier version gave may have been that of another draft.
   */
  async name(folder: FolderKey, messages: readonly NamedMessage[], transaction: Transaction): Promise<void> {
    if (messages.length === 0) return;
    await this.execute(
      `WITH named AS (
         UPDATE imap_places place SET message_id = found.message_id, failed_at = NULL
         FROM unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[])
           AS found (uid, message_id, thread_id, header, facts)
         WHERE place.folder_id = $1 AND place.uid = found.uid AND place.message_id IS NULL
         RETURNING found.message_id, found.thread_id, found.header, found.facts, place.internal_date, place.size,
                   place.is_initial
       )
       INSERT INTO imap_messages
         (account_id, message_id, thread_id, internal_date, size, is_initial, message_id_header, facts)
       SELECT DISTINCT ON (message_id) $2::uuid, message_id, thread_id, internal_date, size, is_initial, header, facts::jsonb
       FROM named ORDER BY message_id
       ON CONFLICT (account_id, message_id) DO UPDATE SET is_dirty = true,
         size = CASE WHEN excluded.message_id LIKE 'd.%' THEN excluded.size ELSE imap_messages.size END,
         internal_date =
           CASE WHEN excluded.message_id LIKE 'd.%' THEN excluded.internal_date ELSE imap_messages.internal_date END,
         message_id_header =
           CASE WHEN excluded.message_id LIKE 'd.%' THEN excluded.message_id_header ELSE imap_messages.message_id_header END,
         facts = CASE WHEN excluded.message_id LIKE 'd.%' THEN excluded.facts ELSE imap_messages.facts END`,
      [
        folder.id,
        folder.accountId,
        messages.map(({ uid }) => uid),
        messages.map(({ messageId }) => messageId),
        messages.map(({ threadId }) => threadId),
        messages.map(({ facts }) => facts.messageIdHeader && storableText(facts.messageIdHeader)),
        messages.map(({ facts }) => storableJson(facts)),
      ],
      transaction,
    );
  }

  /**
   * Adds the places of copies that the server named. Their headers need not be read, even where the target already has
   * a place of the message that the header alone could not distinguish.
   */
  async addCopies(
    from: FolderKey,
    toFolderId: string,
    { pairs, areStaying = false, trashedFrom }: CopiedPlaces,
    transaction: Transaction,
  ): Promise<void> {
    if (pairs.length === 0) return;
    await this.execute(
      `WITH before AS (
         SELECT message_id FROM imap_places WHERE folder_id = $3 AND uid = ANY($5::bigint[]) AND message_id IS NOT NULL
       ), grouped AS (
         -- Before it was copied it had no group: it gets one, which its copy shares.
         UPDATE imap_places SET copy_group = coalesce(copy_group, gen_random_uuid())
         WHERE $7 AND folder_id = $1 AND account_id = $2 AND uid = ANY($4::bigint[]) RETURNING uid, copy_group
       ), copies AS (
         INSERT INTO imap_places AS place
           (folder_id, uid, account_id, message_id, size, internal_date, flags, labels, trashed_from, copy_group)
         SELECT $3, pair.copy, source.account_id, source.message_id, source.size, source.internal_date, source.flags,
                source.labels, CASE WHEN $6::uuid IS NULL THEN NULL ELSE ARRAY[$6::uuid] END,
                coalesce(grouped.copy_group, source.copy_group)
         FROM unnest($4::bigint[], $5::bigint[]) AS pair (source, copy)
         JOIN imap_places source ON source.folder_id = $1 AND source.uid = pair.source AND source.account_id = $2
         LEFT JOIN grouped ON grouped.uid = pair.source
         WHERE source.message_id IS NOT NULL
         ON CONFLICT (folder_id, uid) DO UPDATE
           -- It was found before it was named: it may be another message than the copy.
           SET message_id = excluded.message_id, trashed_from = excluded.trashed_from, copy_group = NULL
           WHERE place.message_id IS NULL
             OR split_part(place.message_id, '~', 1) = split_part(excluded.message_id, '~', 1)
         RETURNING message_id
       )
       UPDATE imap_messages SET is_dirty = true
       WHERE account_id = $2 AND message_id IN (SELECT message_id FROM copies UNION SELECT message_id FROM before)`,
      [
        from.id,
        from.accountId,
        toFolderId,
        pairs.map(([source]) => source),
        pairs.map(([, copy]) => copy),
        trashedFrom ?? null,
        areStaying,
      ],
      transaction,
    );
  }

  /** Finds all places of messages, grouped by message. */
  async findOfMessages(accountId: string, messageIds: readonly string[]): Promise<Place[]> {
    return this.queryRows(
      PLACE,
      `SELECT ${COLUMNS} FROM ${PLACES} WHERE place.account_id = $1 AND place.message_id = ANY($2)
       ORDER BY place.message_id, place.folder_id, place.uid`,
      [accountId, messageIds],
    );
  }

  /** Finds the places of a folder with the highest UIDs whose message is known. */
  async findNewest(folderId: string, limit: number): Promise<Place[]> {
    return this.queryRows(
      PLACE,
      `SELECT ${COLUMNS} FROM ${PLACES}
       WHERE place.folder_id = $1 AND place.message_id IS NOT NULL ORDER BY place.uid DESC LIMIT $2`,
      [folderId, limit],
    );
  }

  /** Finds the places at UIDs of a folder whose message is known. */
  async findAt(folderId: string, uids: readonly number[]): Promise<Place[]> {
    return this.queryRows(
      PLACE,
      `SELECT ${COLUMNS} FROM ${PLACES}
       WHERE place.folder_id = $1 AND place.uid = ANY($2::bigint[]) AND place.message_id IS NOT NULL`,
      [folderId, uids],
    );
  }

  /** Records the folder from which messages were moved to the trash, where the server did not name their copies. */
  async rememberFolder(
    trashId: string,
    fromFolderId: string,
    messageIds: readonly string[],
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `UPDATE imap_places SET trashed_from = array_append(coalesce(trashed_from, '{}'), $2::uuid)
       WHERE folder_id = $1 AND message_id = ANY($3) AND NOT $2::uuid = ANY(coalesce(trashed_from, '{}'))`,
      [trashId, fromFolderId, messageIds],
      transaction,
    );
  }

  private async setMarks(
    name: 'flags' | 'labels',
    folder: FolderKey,
    marks: MarksByUid,
    transaction: Transaction,
  ): Promise<void> {
    if (marks.size === 0) return;
    await this.execute(
      `WITH changed AS (
         UPDATE imap_places place SET ${name} = string_to_array(found.marks, ' ')
         FROM unnest($2::bigint[], $3::text[]) AS found (uid, marks)
         WHERE place.folder_id = $1 AND place.uid = found.uid AND array_to_string(place.${name}, ' ') <> found.marks
         RETURNING place.message_id
       )
       UPDATE imap_messages SET is_dirty = true
       WHERE account_id = $4 AND message_id IN (SELECT message_id FROM changed)`,
      [folder.id, [...marks.keys()], [...marks.values()].map((values) => values.join(' ')), folder.accountId],
      transaction,
    );
  }
}
