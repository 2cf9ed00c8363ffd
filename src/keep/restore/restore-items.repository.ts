import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { LocatedMail } from '../../archive/mails/mail-content-reader';
import type { SelectedMail } from '../../archive/mails/selections/mail-selections.service';
import { BaseRepository } from '../../platform/database/base.repository';
import { column, type RowShape } from '../../platform/database/row-shape';
import type { Lease } from '../../platform/database/leased-rows';
import type { Transaction } from '../../platform/database/transactions';
import { JobInterrupted } from '../../platform/jobs/jobs.errors';
import {
  ITEM_STATES,
  type ItemState,
  RESTORE_NOTES,
  RESTORE_OUTCOMES,
  RestoreItemEntity,
  type RestoreNote,
  type RestoreOutcome,
} from './restore.entity';

/** An archived mail with the data to put it back. */
export interface RestorableMail extends LocatedMail {
  /** Id at the provider; for imported mail, its Message-ID or its hash. */
  readonly messageId: string;
  readonly isImported: boolean;
  /** Whether the mailbox no longer has the message. */
  readonly isGone: boolean;
  readonly messageIdHeader: string | null;
  readonly date: Date;
  readonly labelIds: readonly string[];
  /** IMAP keywords that its message had. */
  readonly keywords: readonly string[];
}

/** A mail of a restore that is not done. */
export interface OpenItem {
  readonly position: number;
  readonly mailId: string;
  readonly sourceThread: string;
  readonly state: Exclude<ItemState, 'done'>;
  readonly cursor: string | null;
  readonly notes: readonly RestoreNote[];
  readonly targetId: string | null;
  /** The mail; null: it has been deleted from the archive. */
  readonly mail: RestorableMail | null;
}

/** Outcome of a mail. */
export interface ItemResult {
  readonly outcome: RestoreOutcome;
  readonly notes: readonly RestoreNote[];
  readonly reason: string | null;
  readonly targetId: string | null;
  readonly targetThread: string | null;
  /** SHA-256 of the plain message, 64 hex digits; null when it was not read. */
  readonly contentSha256: string | null;
}

/** A mail of a restore, for display. */
export interface ListedItem {
  readonly position: number;
  readonly mailId: string;
  readonly state: ItemState;
  readonly outcome: RestoreOutcome | null;
  readonly notes: readonly RestoreNote[];
  readonly reason: string | null;
  readonly targetId: string | null;
  readonly sha256: string | null;
  /** Subject; null: the mail has been deleted from the archive. */
  readonly subject: string | null;
  readonly sender: string | null;
  readonly date: Date | null;
  readonly sizeBytes: number | null;
}

const OPEN_ROW = {
  position: column.number,
  mail_id: column.text,
  source_thread: column.text,
  state: column.oneOf(['pending', 'inserting', 'arrived']),
  cursor: column.nullable(column.text),
  notes: column.array(column.oneOf(RESTORE_NOTES)),
  target_id: column.nullable(column.text),
  account_id: column.nullable(column.text),
  mailbox_message_id: column.nullable(column.text),
  message_id_header: column.nullable(column.text),
  date: column.nullable(column.date),
  label_ids: column.nullable(column.array(column.text)),
  keywords: column.nullable(column.array(column.text)),
  storage: column.nullable(column.text),
  storage_key: column.nullable(column.text),
  sha256: column.nullable(column.text),
  size_bytes: column.nullable(column.text),
  is_encrypted: column.nullable(column.boolean),
  is_gone: column.boolean,
};

const LISTED_ROW = {
  position: column.number,
  mail_id: column.text,
  state: column.oneOf(ITEM_STATES),
  outcome: column.nullable(column.oneOf(RESTORE_OUTCOMES)),
  notes: column.array(column.oneOf(RESTORE_NOTES)),
  reason: column.nullable(column.text),
  target_id: column.nullable(column.text),
  content_sha256: column.nullable(column.text),
  subject: column.nullable(column.text),
  sender: column.nullable(column.text),
  date: column.nullable(column.date),
  size_bytes: column.nullable(column.text),
};

type RowOf<S> = S extends RowShape<infer T> ? T : never;

/** Outcomes after which the mail is in the destination as `target_id`. */
const PRESENT: readonly RestoreOutcome[] = ['inserted', 'untrashed', 'already-there'];

/** Joins the restores into the destination of restore `$2` to items `i`. */
const SAME_DESTINATION = `JOIN restores other ON other.id = i.restore_id
  JOIN restores own ON own.id = $2 AND other.user_id = own.user_id
   AND other.target_account_id IS NOT DISTINCT FROM own.target_account_id AND other.imap IS NOT DISTINCT FROM own.imap`;

/**
 * SQL expression: arrival of mail `m`, which it has again in the destination. Imported mail whose arrival is not known has
 * the day of its import there; its date says more.
 */
const ARRIVAL = `CASE WHEN m.mailbox_message_id ~ '^(<|message-id:|sha256:)' AND m.received_at >= m.archived_at - interval '1 day'
  THEN m.date ELSE coalesce(m.received_at, m.date) END`;

/** SQL condition: this process still has the job. */
const isHeld = (id: string, token: string): string =>
  `EXISTS (SELECT FROM jobs WHERE jobs.id = ${id}::uuid AND jobs.lease_token = ${token}::uuid)`;

/** Message ids of imported mail: a Message-ID or a hash. */
const IMPORTED = /^(<|message-id:|sha256:)/;

/** The mails of restores, in the order in which they are put back. The caller has checked whose restore it is. */
@Injectable()
export class RestoreItemsRepository extends BaseRepository<RestoreItemEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, RestoreItemEntity);
  }

  /** Replaces the mails of a restore. @param mails oldest first */
  async replace(
    { id, accountId }: { readonly id: string; readonly accountId: string },
    mails: readonly SelectedMail[],
    transaction: Transaction,
  ): Promise<void> {
    await this.execute('DELETE FROM restore_items WHERE restore_id = $1', [id], transaction);
    await this.execute(
      `INSERT INTO restore_items (restore_id, account_id, position, mail_id, source_thread)
       SELECT $1, $2, mail.position - 1, mail.id, mail.thread
         FROM unnest($3::uuid[], $4::text[]) WITH ORDINALITY AS mail (id, thread, position)`,
      [id, accountId, mails.map((mail) => mail.id), mails.map(({ threadId }) => threadId)],
      transaction,
    );
  }

  /** Mails that are not done; those that an earlier attempt had begun come first. */
  async listOpen(accountId: string, restoreId: string, limit: number): Promise<OpenItem[]> {
    const rows = await this.queryRows(
      OPEN_ROW,
      `SELECT i.position, i.mail_id, i.source_thread, i.state, i.cursor, i.notes, i.target_id, m.account_id,
              m.mailbox_message_id, m.message_id_header, ${ARRIVAL} AS date, m.label_ids, m.keywords, m.storage, m.storage_key, m.sha256,
              m.size_bytes, m.is_encrypted, coalesce(m.presence = 'gone', false) AS is_gone
         FROM restore_items i LEFT JOIN archived_mails m ON m.id = i.mail_id AND m.account_id = $1
        WHERE i.restore_id = $2 AND i.account_id = $1 AND i.state <> 'done' ORDER BY i.position LIMIT $3`,
      [accountId, restoreId, limit],
    );
    return rows.map(toOpenItem);
  }

  /**
   * Records that mails may be added from now on.
   * @param positions of mails that are pending
   * @throws JobInterrupted when another process has the job
   */
  async markBegun(
    restoreId: string,
    positions: readonly number[],
    cursor: string | null,
    lease: Lease,
  ): Promise<void> {
    const begun = await this.executeAndCount(
      `UPDATE restore_items SET state = 'inserting', cursor = $3
        WHERE restore_id = $1 AND position = ANY ($2::int[]) AND state = 'pending' AND ${isHeld('$4', '$5')}`,
      [restoreId, positions, cursor, lease.id, lease.token],
    );
    if (begun < positions.length) throw new JobInterrupted('lease-lost');
  }

  /** Records that the mail is in the destination. @throws JobInterrupted when another process has the job */
  async markArrived(restoreId: string, position: number, result: ItemResult, lease: Lease): Promise<void> {
    await this.save(restoreId, position, 'arrived', result, lease);
  }

  /** Records the outcome of a mail. @throws JobInterrupted when another process has the job */
  async markDone(restoreId: string, position: number, result: ItemResult, lease: Lease): Promise<void> {
    await this.save(restoreId, position, 'done', result, lease);
  }

  private async save(
    restoreId: string,
    position: number,
    state: ItemState,
    result: ItemResult,
    lease: Lease,
  ): Promise<void> {
    const saved = await this.executeAndCount(
      `UPDATE restore_items SET state = $3, outcome = $4, notes = $5, reason = $6, target_id = $7,
         target_thread = coalesce($8, target_thread),
         content_sha256 = coalesce($9, content_sha256), cursor = NULL
        WHERE restore_id = $1 AND position = $2 AND ${isHeld('$10', '$11')}`,
      [
        restoreId,
        position,
        state,
        result.outcome,
        result.notes,
        result.reason,
        result.targetId,
        result.targetThread,
        result.contentSha256,
        lease.id,
        lease.token,
      ],
    );
    // Another process has the job, and its record of the mail is newer.
    if (saved === 0) throw new JobInterrupted('lease-lost');
  }

  /** Outcomes of those mails among the given ones that are done. */
  async outcomesOf(
    restoreId: string,
    positions: readonly number[],
  ): Promise<{ mailId: string; outcome: RestoreOutcome; reason: string | null }[]> {
    const rows = await this.queryRows(
      {
        mail_id: column.text,
        outcome: column.oneOf(RESTORE_OUTCOMES),
        reason: column.nullable(column.text),
      },
      `SELECT mail_id, outcome, reason FROM restore_items
        WHERE restore_id = $1 AND position = ANY ($2::int[]) AND state = 'done'`,
      [restoreId, positions],
    );
    return rows.map(({ mail_id: mailId, outcome, reason }) => ({ mailId, outcome, reason }));
  }

  /**
   * Messages that this restore, or an earlier one into the same destination, has taken for a mail.
   * @returns `own`: those that it has made of it; `found`: those that were there already
   */
  async targetsOf(
    mailId: string,
    restoreId: string,
    contentSha256: string,
  ): Promise<{ own: Set<string>; found: Set<string> }> {
    const rows = await this.queryRows(
      { target_id: column.text, is_own: column.boolean },
      `SELECT DISTINCT i.target_id, i.outcome <> 'already-there' AS is_own FROM restore_items i ${SAME_DESTINATION}
        WHERE i.mail_id = $1 AND i.target_id IS NOT NULL AND i.outcome = ANY ($3::text[])
       UNION
       (SELECT target_id, outcome <> 'already-there' FROM restore_items
         WHERE restore_id = $2 AND content_sha256 = $4 AND target_id IS NOT NULL AND outcome = ANY ($3::text[]) LIMIT 5)`,
      [mailId, restoreId, PRESENT, contentSha256],
    );
    const idsOf = (isOwn: boolean): Set<string> =>
      new Set(rows.filter((row) => row.is_own === isOwn).map((row) => row.target_id));
    return { own: idsOf(true), found: idsOf(false) };
  }

  /** Whether a restore into the same destination has taken a message for a mail with other bytes. */
  async isTakenByAnother(
    targetId: string,
    mail: { readonly restoreId: string; readonly mailId: string; readonly contentSha256: string },
  ): Promise<boolean> {
    const found = await this.queryRows(
      {},
      `SELECT 1 FROM restore_items i ${SAME_DESTINATION}
        WHERE i.target_id = $1 AND i.mail_id <> $3 AND i.content_sha256 <> $4 AND i.outcome = ANY ($5::text[]) LIMIT 1`,
      [targetId, mail.restoreId, mail.mailId, mail.contentSha256, PRESENT],
    );
    return found.length > 0;
  }

  /** Whether the archive of an account has a copy of a message. */
  async isArchived(accountId: string, messageId: string): Promise<boolean> {
    const found = await this.queryRows(
      {},
      'SELECT 1 FROM archived_mails WHERE account_id = $1 AND mailbox_message_id = $2',
      [accountId, messageId],
    );
    return found.length > 0;
  }

  /** Ids of messages among those given that this restore has made from other mails. */
  async findTakenTargets(restoreId: string, targetIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.queryRows(
      { target_id: column.text },
      'SELECT target_id FROM restore_items WHERE restore_id = $1 AND target_id = ANY ($2::text[])',
      [restoreId, targetIds],
    );
    return new Set(rows.map((row) => row.target_id));
  }

  /** Id of the destination's conversation for the mails of an archived conversation that have been put back; null: none. */
  async threadOf(restoreId: string, sourceThread: string): Promise<string | null> {
    const [row] = await this.queryRows(
      { target_thread: column.text },
      `SELECT target_thread FROM restore_items
        WHERE restore_id = $1 AND source_thread = $2 AND target_thread IS NOT NULL
        ORDER BY position LIMIT 1`,
      [restoreId, sourceThread],
    );
    return row?.target_thread ?? null;
  }

  /** Ids of messages of an account that have an archived copy with these bytes, and no Message-ID. */
  async findNamelessCopies(accountId: string, sha256: string): Promise<string[]> {
    const rows = await this.queryRows(
      { mailbox_message_id: column.text },
      `SELECT mailbox_message_id FROM archived_mails
        WHERE account_id = $1 AND (sha256 = $2 OR content_sha256 = $2) AND message_id_header IS NULL
          AND presence IS DISTINCT FROM 'gone' LIMIT 5`,
      [accountId, sha256],
    );
    return rows.map((row) => row.mailbox_message_id).filter((id) => !IMPORTED.test(id));
  }

  async countOutcomes(restoreId: string): Promise<Map<RestoreOutcome | null, number>> {
    const rows = await this.queryRows(
      { outcome: column.nullable(column.oneOf(RESTORE_OUTCOMES)), mails: column.number },
      `SELECT CASE WHEN state = 'done' THEN outcome END AS outcome, count(*)::int AS mails
         FROM restore_items WHERE restore_id = $1 GROUP BY 1`,
      [restoreId],
    );
    return new Map(rows.map(({ outcome, mails }) => [outcome, mails]));
  }

  async countNotes(restoreId: string): Promise<Map<RestoreNote, number>> {
    const rows = await this.queryRows(
      { note: column.oneOf(RESTORE_NOTES), mails: column.number },
      `SELECT note, count(*)::int AS mails FROM restore_items, unnest(notes) AS note
        WHERE restore_id = $1 AND state = 'done' AND notes <> '{}' GROUP BY note`,
      [restoreId],
    );
    return new Map(rows.map(({ note, mails }) => [note, mails]));
  }

  /** Mails that are not done and cannot be read without a passphrase. */
  async countEncrypted(accountId: string, restoreId: string, transaction: Transaction): Promise<number> {
    const [row] = await this.queryRows(
      { mails: column.number },
      `SELECT count(*)::int AS mails FROM restore_items i
         JOIN archived_mails m ON m.id = i.mail_id AND m.account_id = $1
        WHERE i.restore_id = $2 AND i.account_id = $1 AND i.state <> 'done' AND m.is_encrypted`,
      [accountId, restoreId],
      transaction,
    );
    return row!.mails;
  }

  /**
   * Mails of a restore in their order.
   * @param after position of the last one of the page before
   * @param outcome only mails with this outcome; null: all
   */
  async list(
    accountId: string,
    restoreId: string,
    page: { readonly after: number; readonly limit: number; readonly outcome: RestoreOutcome | null },
  ): Promise<ListedItem[]> {
    const rows = await this.queryRows(
      LISTED_ROW,
      `SELECT i.position, i.mail_id, i.state, CASE WHEN i.state = 'done' THEN i.outcome END AS outcome, i.notes, i.reason,
              i.target_id, i.content_sha256, m.subject, m.sender, m.date, m.size_bytes
         FROM restore_items i LEFT JOIN archived_mails m ON m.id = i.mail_id AND m.account_id = $1
        WHERE i.restore_id = $2 AND i.account_id = $1 AND i.position > $3
          AND ($4::text IS NULL OR (i.outcome = $4 AND i.state = 'done'))
        ORDER BY i.position LIMIT $5`,
      [accountId, restoreId, page.after, page.outcome, page.limit],
    );
    return rows.map(toListedItem);
  }
}

const toOpenItem = (row: RowOf<typeof OPEN_ROW>): OpenItem => ({
  position: row.position,
  mailId: row.mail_id,
  sourceThread: row.source_thread,
  state: row.state,
  cursor: row.cursor,
  notes: row.notes,
  targetId: row.target_id,
  mail:
    row.account_id === null
      ? null
      : {
          id: row.mail_id,
          accountId: row.account_id,
          messageId: row.mailbox_message_id!,
          isImported: IMPORTED.test(row.mailbox_message_id!),
          isGone: row.is_gone,
          messageIdHeader: row.message_id_header,
          date: row.date!,
          labelIds: row.label_ids!,
          keywords: row.keywords!,
          storage: row.storage!,
          storageKey: row.storage_key!,
          sha256: row.sha256!,
          sizeBytes: Number(row.size_bytes),
          isEncrypted: row.is_encrypted!,
        },
});

const toListedItem = (row: RowOf<typeof LISTED_ROW>): ListedItem => ({
  position: row.position,
  mailId: row.mail_id,
  state: row.state,
  outcome: row.outcome,
  notes: row.notes,
  reason: row.reason,
  targetId: row.target_id,
  sha256: row.content_sha256,
  subject: row.subject,
  sender: row.sender,
  date: row.date,
  sizeBytes: row.size_bytes === null ? null : Number(row.size_bytes),
});
