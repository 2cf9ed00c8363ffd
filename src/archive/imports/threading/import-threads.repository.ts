import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import type { Transaction } from '../../../platform/database/transactions';
import { ImportedThreadIdEntity } from './imported-thread.entity';
import type { ThreadedMessage } from './message-references';
import { SUBJECT_NEIGHBOURS, SUBJECT_WINDOW_DAYS, type SubjectTraits } from './shared-subject';
import { column, RowShape } from '../../../platform/database/row-shape';

/** An archived mail with the headers that it is threaded by. */
export interface ArchivedMessage extends ThreadedMessage {
  readonly id: string;
  readonly threadId: string;
}

interface ArchivedRow {
  id: string;
  thread_id: string;
  message_id_header: string | null;
  in_reply_to: string | null;
  references_header: string | null;
  subject: string;
  sender: string;
  recipient: string;
  date: Date;
}

const ARCHIVED_ROW: RowShape<ArchivedRow> = {
  id: column.text,
  thread_id: column.text,
  message_id_header: column.nullable(column.text),
  in_reply_to: column.nullable(column.text),
  references_header: column.nullable(column.text),
  subject: column.text,
  sender: column.text,
  recipient: column.text,
  date: column.date,
};

/** Most mails compared that have the same Message-ID. */
const SAME_ID = 8;
const SEPARATOR = '\x1f';

/** Rows by which imported mail finds its conversation; each query is for a whole batch. */
@Injectable()
export class ImportThreadsRepository extends BaseRepository<ImportedThreadIdEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ImportedThreadIdEntity);
  }

  /**
   * Makes the planner use indexes, as it has no statistics of tables that have just been filled, and the commit not wait for the disk:
   * the caller's next commit, of a checkpoint or of counts, waits for both.
   */
  async tuneTransaction(transaction: Transaction): Promise<void> {
    await this.execute(
      `SELECT set_config('enable_seqscan', 'off', true), set_config('synchronous_commit', 'off', true)`,
      [],
      transaction,
    );
  }

  /**
   * Keeps other writers of the account's archive out until the transaction ends, in the order in which all writers
   * take these locks. @returns false when the account is gone or has no archive
   */
  async lockArchive(accountId: string, transaction: Transaction): Promise<boolean> {
    const accounts = await this.queryRows(
      {},
      'SELECT 1 FROM mailbox_accounts WHERE id = $1 FOR KEY SHARE',
      [accountId],
      transaction,
    );
    const totals = await this.queryRows(
      {},
      'SELECT 1 FROM archive_totals WHERE account_id = $1 FOR UPDATE',
      [accountId],
      transaction,
    );
    return accounts.length > 0 && totals.length > 0;
  }

  /** Address of the account; empty when the account is gone. */
  async findOwnAddress(accountId: string, transaction: Transaction): Promise<string> {
    const [row] = await this.queryRows(
      { email: column.text },
      'SELECT email FROM mailbox_accounts WHERE id = $1',
      [accountId],
      transaction,
    );
    return row?.email ?? '';
  }

  async findArchivedMessages(
    accountId: string,
    messageIds: readonly string[],
    transaction: Transaction,
  ): Promise<ArchivedMessage[]> {
    const rows = await this.queryRows(
      ARCHIVED_ROW,
      `SELECT id, thread_id, message_id_header, in_reply_to, references_header, subject, sender, recipient, date
         FROM archived_mails WHERE account_id = $1 AND mailbox_message_id = ANY ($2) ORDER BY id`,
      [accountId, messageIds],
      transaction,
    );
    return rows.map((row) => ({
      id: row.id,
      threadId: row.thread_id,
      messageId: row.message_id_header,
      inReplyTo: row.in_reply_to,
      references: row.references_header,
      subject: row.subject,
      sender: row.sender,
      recipient: row.recipient,
      date: row.date,
    }));
  }

  /** Threads by the keys of ids that imported mails have or refer to. */
  async threadsOf(
    accountId: string,
    keys: readonly string[],
    transaction: Transaction,
  ): Promise<Map<string, string>> {
    const rows = await this.queryRows(
      { id_key: column.text, thread_id: column.text },
      'SELECT id_key, thread_id FROM imported_thread_ids WHERE account_id = $1 AND id_key = ANY ($2::bigint[])',
      [accountId, keys.map(toDatabase)],
      transaction,
    );
    return new Map(rows.map((row) => [fromDatabase(row.id_key), row.thread_id]));
  }

  /** Threads of mails that were archived from their source with its own threads, by their Message-IDs. */
  async sourceThreadsOf(
    accountId: string,
    ids: readonly string[],
    transaction: Transaction,
  ): Promise<Map<string, string>> {
    const rows = await this.queryRows(
      { id: column.text, thread_id: column.text },
      `SELECT wanted.id, min(found.thread_id) AS thread_id
         FROM unnest($2::text[]) AS wanted (id)
        CROSS JOIN LATERAL (
          SELECT m.thread_id FROM archived_mails m
           WHERE m.account_id = $1 AND m.message_id_header IS NOT NULL
             AND hashtextextended(m.message_id_header, 0) = hashtextextended(wanted.id, 0)
             AND m.message_id_header = wanted.id AND m.thread_id !~ '^import-[0-9a-f]{16}$'
           LIMIT ${SAME_ID}
        ) AS found
        GROUP BY wanted.id`,
      [accountId, ids],
      transaction,
    );
    return new Map(rows.map((row) => [row.id, row.thread_id]));
  }

  /**
   * Threads of imported mails that messages belong to by their subject; see `shareConversation`. Positions are those
   * of the list; null entries have no traits.
   */
  async findSharingSubjects(
    accountId: string,
    traits: readonly (SubjectTraits | null)[],
    transaction: Transaction,
  ): Promise<{ position: number; threadId: string }[]> {
    const wanted = traits.flatMap((entry, position) => (entry ? [{ ...entry, position }] : []));
    if (wanted.length === 0) return [];
    const neighbours = (side: string, order: string): string =>
      `(SELECT s.mail_id, s.participants, s.sender, s.is_reply, s.has_references FROM imported_subjects s
         WHERE s.account_id = $1 AND s.subject_key = wanted.subject_key AND ${side}
         ORDER BY s.date ${order} LIMIT ${SUBJECT_NEIGHBOURS})`;
    const window = `interval '${SUBJECT_WINDOW_DAYS} days'`;
    const rows = await this.queryRows(
      { position: column.number, thread_id: column.text },
      `SELECT DISTINCT found.position,
              (SELECT m.thread_id FROM archived_mails m WHERE m.id = found.mail_id) AS thread_id
         FROM (
           SELECT wanted.position, near.mail_id
             FROM unnest($2::int[], $3::bigint[], $4::timestamptz[], $5::text[], $6::text[], $7::boolean[],
                    $8::boolean[])
                  AS wanted (position, subject_key, date, participants, sender, is_reply, has_references)
            CROSS JOIN LATERAL (
              ${neighbours(`s.date BETWEEN wanted.date - ${window} AND wanted.date`, 'DESC')}
              UNION ALL
              ${neighbours(`s.date > wanted.date AND s.date <= wanted.date + ${window}`, 'ASC')}
            ) AS near
            WHERE near.participants && string_to_array(wanted.participants, '${SEPARATOR}')
              AND (near.is_reply AND NOT near.has_references
                OR wanted.is_reply AND NOT wanted.has_references
                OR NOT near.has_references AND NOT wanted.has_references AND near.sender <> wanted.sender)
         ) AS found`,
      [
        accountId,
        wanted.map(({ position }) => position),
        wanted.map((entry) => entry.subjectKey),
        wanted.map(({ date }) => date.toISOString()),
        wanted.map(({ participants }) => participants.join(SEPARATOR)),
        wanted.map(({ sender }) => sender),
        wanted.map(({ isReply }) => isReply),
        wanted.map(({ hasReferences }) => hasReferences),
      ],
      transaction,
    );
    return rows.map((row) => ({ position: row.position, threadId: row.thread_id }));
  }

  async rememberThreads(
    accountId: string,
    threads: ReadonlyMap<string, string>,
    transaction: Transaction,
  ): Promise<void> {
    if (threads.size === 0) return;
    await this.executeAndCount(
      `INSERT INTO imported_thread_ids (account_id, id_key, thread_id)
       SELECT $1, t.id_key, t.thread_id FROM unnest($2::bigint[], $3::text[]) AS t (id_key, thread_id)
       ON CONFLICT (account_id, id_key) DO UPDATE SET thread_id = excluded.thread_id`,
      [accountId, [...threads.keys()].map(toDatabase), [...threads.values()]],
      transaction,
    );
  }

  async rememberSubjects(
    accountId: string,
    subjects: readonly (SubjectTraits & { mailId: string })[],
    transaction: Transaction,
  ): Promise<void> {
    if (subjects.length === 0) return;
    await this.executeAndCount(
      `INSERT INTO imported_subjects
         (mail_id, account_id, subject_key, date, participants, sender, is_reply, has_references)
       SELECT t.mail_id, $1, t.subject_key, t.date, string_to_array(t.participants, '${SEPARATOR}'), t.sender,
              t.is_reply, t.has_references
         FROM unnest($2::uuid[], $3::bigint[], $4::timestamptz[], $5::text[], $6::text[], $7::boolean[],
                $8::boolean[])
              AS t (mail_id, subject_key, date, participants, sender, is_reply, has_references)
       ON CONFLICT DO NOTHING`,
      [
        accountId,
        subjects.map(({ mailId }) => mailId),
        subjects.map((entry) => entry.subjectKey),
        subjects.map(({ date }) => date.toISOString()),
        subjects.map(({ participants }) => participants.join(SEPARATOR)),
        subjects.map(({ sender }) => sender),
        subjects.map(({ isReply }) => isReply),
        subjects.map(({ hasReferences }) => hasReferences),
      ],
      transaction,
    );
  }

  /** Moves whole threads into others, with their mails and the keys that they are found by. */
  async moveThreads(
    accountId: string,
    moved: ReadonlyMap<string, string>,
    transaction: Transaction,
  ): Promise<void> {
    if (moved.size === 0) return;
    for (const table of ['archived_mails', 'imported_thread_ids']) {
      await this.executeAndCount(
        `UPDATE ${table} t SET thread_id = moved.target
           FROM unnest($2::text[], $3::text[]) AS moved (thread, target)
          WHERE t.account_id = $1 AND t.thread_id = moved.thread`,
        [accountId, [...moved.keys()], [...moved.values()]],
        transaction,
      );
    }
  }
}

/** Keys are unsigned, as hex digits; PostgreSQL's numbers are signed. */
const toDatabase = (key: string): string => BigInt.asIntN(64, BigInt(`0x${key}`)).toString();
const fromDatabase = (number: string): string =>
  BigInt.asUintN(64, BigInt(number)).toString(16).padStart(16, '0');
