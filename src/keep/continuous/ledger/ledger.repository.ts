import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { storableJson } from '../../../platform/database/column-values';
import { column, RowShape } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import type { FoldedLabels } from '../../../mailbox/index/folded-changes';
import {
  type Backlog,
  COPY_ALTERED,
  COPY_MISSING,
  type DueMessage,
  type ExcludedMessage,
  type Failure,
  LABEL_EXCLUSIONS,
  LEASE_MS,
  type ListedMessage,
  RETRY_SECONDS,
} from './ledger';
import { LedgerMessageEntity } from './ledger.entity';

const DUE_MESSAGE: RowShape<DueMessage> = {
  messageId: column.text,
  labelIds: column.array(column.text),
  class: column.oneOf(['pending', 'failed', 'excluded']),
  attempts: column.number,
  reason: column.nullable(column.text),
  sizeBytes: column.nullable(column.number),
  mailId: column.nullable(column.text),
};

/** An archived mail and the hash of its file, as they were when the file was read. */
export interface Copy {
  readonly id: string;
  readonly sha256: string;
}

const columnsOf = (copies: readonly Copy[]): string[][] => [
  copies.map(({ id }) => id),
  copies.map(({ sha256 }) => sha256),
];

/** A message whose labels are written, if it has an archived mail. */
export interface CopiedMessage {
  readonly mailId: string;
  readonly labelIds: string[];
}

const COPIED_MESSAGE: RowShape<CopiedMessage> = {
  mailId: column.text,
  labelIds: column.array(column.text),
};

/** Rows of messages by id, each looked up by its key: what the planner believes of a young table is often wrong. */
const KNOWN = (of: string, columns: string): string => `CROSS JOIN LATERAL (
          SELECT ctid AS place, ${columns} FROM ledger_messages
           WHERE account_id = $1 AND message_id = ${of} LIMIT 1
        ) known`;

const DUE = (state: string): string => `(SELECT * FROM (
         SELECT ctid AS place FROM ledger_messages
          WHERE account_id = $1 AND class = '${state}' AND due_at <= clock_timestamp()
            AND (lease_until IS NULL OR lease_until < clock_timestamp())
          ORDER BY due_at DESC, message_id DESC LIMIT $2
       ) ${state})`;

/** Rows of archived mails by their ids, as long as their files are those that were read. */
const COPIES = `SELECT known.place, mail.is_encrypted, read.reason
           FROM unnest($2::uuid[], $3::text[], $4::text[]) AS read (id, sha256, reason)
          CROSS JOIN LATERAL (
            SELECT id, mailbox_message_id, is_encrypted FROM archived_mails
             WHERE id = read.id AND account_id = $1 AND sha256::text = read.sha256 LIMIT 1
          ) mail
          ${KNOWN('mail.mailbox_message_id', 'mail_id')}
          WHERE known.mail_id = mail.id`;

const FREE = 'lease_until = NULL';
const DONE = `attempts = 0, due_at = NULL, ${FREE}`;
const ARCHIVED = `class = 'archived', exclusion = NULL, reason = NULL, ${DONE}, verified_on = '-infinity'`;
const PENDING = `class = 'pending', exclusion = NULL, reason = NULL, attempts = 0, due_at = clock_timestamp(), ${FREE}`;

/**
 * Rows of the coverage ledger. Every change of a class runs in a transaction that holds the lock of the account's
 * `archiving_settings`; rows may then be written by their place in the table.
 */
@Injectable()
export class LedgerRepository extends BaseRepository<LedgerMessageEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, LedgerMessageEntity);
  }

  /** Takes messages that are due for two minutes, those that became due last first. */
  leaseDue(accountId: string, limit: number, transaction: Transaction): Promise<DueMessage[]> {
    return this.queryRows(
      DUE_MESSAGE,
      `UPDATE ledger_messages l SET lease_until = clock_timestamp() + make_interval(secs => ${LEASE_MS / 1000})
         FROM (${['pending', 'failed', 'excluded'].map(DUE).join(' UNION ALL ')} LIMIT $2) due
        WHERE l.ctid = due.place
       RETURNING l.message_id AS "messageId", l.label_ids AS "labelIds", l.class, l.attempts, l.reason,
                 l.size_bytes::float8 AS "sizeBytes", l.mail_id AS "mailId"`,
      [accountId, limit],
      transaction,
    );
  }

  /** Gives messages back. @param until when they are due again, in class and attempts as they are; null: at once */
  release(
    accountId: string,
    ids: readonly string[],
    until: Date | null,
    transaction: Transaction,
  ): Promise<void> {
    return this.write(
      accountId,
      ids,
      'lease_until = $3::timestamptz',
      `class <> 'archived'`,
      [until],
      transaction,
    );
  }

  /** Messages that could not be copied wait for their next attempt. Those that are archived by now stay archived. */
  async fail(accountId: string, failures: readonly Failure[], transaction: Transaction): Promise<void> {
    if (failures.length === 0) return;
    await this.execute(
      `UPDATE ledger_messages l
          SET class = 'failed', exclusion = NULL, reason = failed.reason, attempts = failed.attempts, ${FREE},
              due_at = clock_timestamp() + make_interval(secs => ($4::int[])[least(failed.attempts, ${RETRY_SECONDS.length})])
         FROM (
           SELECT known.place, given.reason, least(known.attempts + 1, 32000) AS attempts
             FROM unnest($2::text[], $3::text[]) AS given (id, reason) ${KNOWN('given.id', 'attempts, class')}
            WHERE known.class <> 'archived'
         ) failed
        WHERE l.ctid = failed.place`,
      [
        accountId,
        failures.map(({ messageId }) => messageId),
        failures.map(({ reason }) => reason),
        [...RETRY_SECONDS],
      ],
      transaction,
    );
  }

  /** Messages that are not to be copied. Those that are archived by now stay archived. */
  async exclude(
    accountId: string,
    exclusions: readonly ExcludedMessage[],
    transaction: Transaction,
  ): Promise<void> {
    if (exclusions.length === 0) return;
    await this.execute(
      `UPDATE ledger_messages l
          SET class = 'excluded', exclusion = excluded.exclusion, reason = NULL, attempts = 0, due_at = excluded.until, ${FREE}
         FROM (
           SELECT known.place, given.exclusion, given.until
             FROM unnest($2::text[], $3::text[], $4::timestamptz[]) AS given (id, exclusion, until)
             ${KNOWN('given.id', 'class')}
            WHERE known.class <> 'archived'
         ) excluded
        WHERE l.ctid = excluded.place`,
      [
        accountId,
        exclusions.map(({ messageId }) => messageId),
        exclusions.map(({ exclusion }) => exclusion),
        exclusions.map(({ until }) => until ?? null),
      ],
      transaction,
    );
  }

  /**
   * Makes up to `limit` messages pending whose exclusion was a setting's.
   * @returns how many those were; fewer than `limit`: there are no more
   */
  rejudge(accountId: string, removed: string, limit: number, transaction: Transaction): Promise<number> {
    return this.executeAndCount(
      `UPDATE ledger_messages l SET ${PENDING}
         FROM (
           SELECT ctid AS place FROM ledger_messages
            WHERE account_id = $1 AND class = 'excluded' AND exclusion <> $2 LIMIT $3
         ) excluded
        WHERE l.ctid = excluded.place`,
      [accountId, removed, limit],
      transaction,
    );
  }

  /** Makes those of the messages archived that the archive has. @returns their ids */
  async markArchived(accountId: string, ids: readonly string[], transaction: Transaction): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await this.queryRows(
      { id: column.text },
      `UPDATE ledger_messages l
          SET ${ARCHIVED}, mail_id = found.id, size_bytes = found.size_bytes
         FROM (
           SELECT known.place, mail.id, mail.size_bytes FROM unnest($2::text[]) AS asked (id)
             ${KNOWN('asked.id', 'class')}
            CROSS JOIN LATERAL (
              SELECT id, size_bytes FROM archived_mails
               WHERE account_id = $1 AND mailbox_message_id = asked.id LIMIT 1
            ) mail
            WHERE known.class <> 'archived'
         ) found
        WHERE l.ctid = found.place
       RETURNING l.message_id AS id`,
      [accountId, ids],
      transaction,
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Gives known messages the labels that history or a listing states. One that was excluded by its labels is pending again.
   * @returns those with an archived mail whose labels are others now
   */
  relabel(
    accountId: string,
    changes: readonly FoldedLabels[],
    transaction: Transaction,
  ): Promise<CopiedMessage[]> {
    return this.findCopied(
      `UPDATE ledger_messages l
          SET label_ids = changed.labels,
              class = CASE WHEN changed.judged THEN 'pending' ELSE l.class END,
              exclusion = CASE WHEN changed.judged THEN NULL ELSE l.exclusion END,
              due_at = CASE WHEN changed.judged THEN clock_timestamp() ELSE l.due_at END,
              lease_until = CASE WHEN changed.judged THEN NULL ELSE l.lease_until END
         FROM (
           SELECT known.place, known.label_ids, ARRAY(
                    SELECT label FROM unnest(coalesce(change."labelIds", known.label_ids)) AS label
                     WHERE NOT label = ANY (change.remove) AND NOT label = ANY (change.add)
                  ) || change.add AS labels,
                  known.class = 'excluded' AND split_part(known.exclusion, ':', 1) = ANY ($3::text[]) AS judged
             FROM jsonb_to_recordset($2::jsonb) AS change(id text, "labelIds" text[], add text[], remove text[])
             ${KNOWN('change.id', 'label_ids, class, exclusion')}
         ) changed
        WHERE l.ctid = changed.place
          AND NOT (changed.labels @> changed.label_ids AND changed.label_ids @> changed.labels)
       RETURNING l.mail_id AS "mailId", l.label_ids AS "labelIds"`,
      [accountId, storableJson(changes), LABEL_EXCLUSIONS],
      transaction,
    );
  }

  /**
   * Adds messages that are in the mailbox and have no row, as archived or pending; others stay as they are.
   * @returns those with an archived mail
   */
  add(
    accountId: string,
    messages: readonly ListedMessage[],
    transaction: Transaction,
  ): Promise<CopiedMessage[]> {
    return this.findCopied(
      `INSERT INTO ledger_messages (account_id, message_id, label_ids, class, mail_id, size_bytes, due_at)
       SELECT $1, added.id, added."labelIds", CASE WHEN mail.id IS NULL THEN 'pending' ELSE 'archived' END, mail.id,
              coalesce(mail.size_bytes, indexed.size_estimate),
              CASE WHEN mail.id IS NULL THEN clock_timestamp() END
         FROM jsonb_to_recordset($2::jsonb) AS added(id text, "labelIds" text[])
         LEFT JOIN LATERAL (
           SELECT id, size_bytes FROM archived_mails WHERE account_id = $1 AND mailbox_message_id = added.id LIMIT 1
         ) mail ON true
         LEFT JOIN LATERAL (
           SELECT size_estimate FROM mailbox_messages WHERE account_id = $1 AND message_id = added.id LIMIT 1
         ) indexed ON true
       ON CONFLICT (account_id, message_id) DO NOTHING
       RETURNING mail_id AS "mailId", label_ids AS "labelIds"`,
      [accountId, storableJson(messages)],
      transaction,
    );
  }

  /** Deletes the rows of messages that the mailbox no longer has. */
  async remove(accountId: string, ids: readonly string[], transaction: Transaction): Promise<void> {
    if (ids.length === 0) return;
    await this.execute(
      `DELETE FROM ledger_messages l USING (
         SELECT known.place FROM unnest($2::text[]) AS deleted (id) ${KNOWN('deleted.id', 'class')}
       ) found
        WHERE l.ctid = found.place`,
      [accountId, ids],
      transaction,
    );
  }

  /** Copies whose files were read and are what their rows say. A finding that is no more leaves the message archived. */
  async verify(accountId: string, copies: readonly Copy[], transaction: Transaction): Promise<void> {
    await this.execute(
      `UPDATE ledger_messages l
          SET class = 'archived', reason = NULL, ${DONE}, verified_on = (clock_timestamp() AT TIME ZONE 'UTC')::date
         FROM (${COPIES}) copy
        WHERE l.ctid = copy.place
          AND (l.class = 'archived' AND l.verified_on < (clock_timestamp() AT TIME ZONE 'UTC')::date
               OR l.reason IN ('${COPY_MISSING}', '${COPY_ALTERED}'))`,
      [accountId, ...columnsOf(copies), copies.map(() => null)],
      transaction,
    );
  }

  /** Copies whose files are missing or altered: their messages are fetched anew, unless they are encrypted. */
  async distrust(
    accountId: string,
    copies: readonly (Copy & { readonly reason: string })[],
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `UPDATE ledger_messages l
          SET class = 'failed', reason = copy.reason, attempts = 0, verified_on = '-infinity', ${FREE},
              due_at = CASE WHEN NOT copy.is_encrypted THEN clock_timestamp() END
         FROM (${COPIES}) copy
        WHERE l.ctid = copy.place AND l.reason IS DISTINCT FROM copy.reason`,
      [accountId, ...columnsOf(copies), copies.map(({ reason }) => reason)],
      transaction,
    );
  }

  /** A label that no longer exists leaves every message. */
  removeLabel(accountId: string, labelId: string, transaction: Transaction): Promise<void> {
    return this.execute(
      `UPDATE ledger_messages SET label_ids = array_remove(label_ids, $2)
        WHERE account_id = $1 AND label_ids @> ARRAY[$2]::text[]`,
      [accountId, labelId],
      transaction,
    );
  }

  /**
   * Up to `limit` messages by id that have a row, from `after` on: for comparing the ledger with a listing.
   * @param after null: from the first
   */
  async findIdsAfter(accountId: string, after: string | null, limit: number): Promise<string[]> {
    const rows = await this.queryRows(
      { id: column.text },
      `SELECT message_id AS id FROM ledger_messages WHERE account_id = $1 AND message_id > $2
        ORDER BY message_id LIMIT $3`,
      [accountId, after ?? '', limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Lists the backlogs of accounts, without those that have no message waiting. */
  findBacklogs(accountIds: readonly string[]): Promise<Backlog[]> {
    return this.queryRows(
      {
        accountId: column.text,
        pending: column.number,
        failed: column.number,
        oldestPendingAt: column.nullable(column.date),
      },
      `SELECT account_id AS "accountId",
              coalesce(sum(messages) FILTER (WHERE class = 'pending'), 0)::int AS pending,
              coalesce(sum(messages) FILTER (WHERE class = 'failed'), 0)::int AS failed,
              (SELECT min(due_at) FROM ledger_messages l
                WHERE l.account_id = t.account_id AND l.class = 'pending') AS "oldestPendingAt"
         FROM ledger_totals t
        WHERE account_id = ANY ($1::uuid[]) AND class IN ('pending', 'failed')
        GROUP BY account_id`,
      [accountIds],
    );
  }

  /** Deletes up to `limit` rows of an account. @returns how many those were */
  clear(accountId: string, limit: number, transaction: Transaction): Promise<number> {
    return this.executeAndCount(
      `DELETE FROM ledger_messages WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ledger_messages WHERE account_id = $1 LIMIT $2))`,
      [accountId, limit],
      transaction,
    );
  }

  /** Counts archived mails whose messages are gone: nothing counts them while there is no ledger. */
  async countGone(accountId: string, transaction: Transaction): Promise<void> {
    await this.execute(
      `DELETE FROM ledger_totals WHERE account_id = $1 AND class = 'gone'`,
      [accountId],
      transaction,
    );
    await this.execute(
      `INSERT INTO ledger_totals (account_id, class, messages, bytes)
       SELECT $1, 'gone', count(*)::int, sum(size_bytes)::bigint FROM archived_mails
        WHERE account_id = $1 AND presence = 'gone' HAVING count(*) > 0`,
      [accountId],
      transaction,
    );
  }

  /** Labels of those of some messages that the ledger has, by message id. */
  async labelsOf(accountId: string, messageIds: readonly string[]): Promise<Map<string, readonly string[]>> {
    const rows = await this.queryRows(
      { messageId: column.text, labelIds: column.array(column.text) },
      `SELECT given.id AS "messageId", known.label_ids AS "labelIds"
         FROM unnest($2::text[]) AS given (id) ${KNOWN('given.id', 'label_ids')}`,
      [accountId, messageIds],
    );
    return new Map(rows.map(({ messageId, labelIds }) => [messageId, labelIds]));
  }

  private async write(
    accountId: string,
    ids: readonly string[],
    set: string,
    where: string,
    parameters: readonly unknown[],
    transaction: Transaction,
  ): Promise<void> {
    if (ids.length === 0) return;
    await this.execute(
      `UPDATE ledger_messages l SET ${set}
         FROM (SELECT known.place FROM unnest($2::text[]) AS given (id) ${KNOWN('given.id', 'class')} WHERE known.${where}) found
        WHERE l.ctid = found.place`,
      [accountId, ids, ...parameters],
      transaction,
    );
  }

  private async findCopied(
    sql: string,
    parameters: readonly unknown[],
    transaction: Transaction,
  ): Promise<CopiedMessage[]> {
    const rows = await this.queryRows(
      { ...COPIED_MESSAGE, mailId: column.nullable(column.text) },
      sql,
      parameters,
      transaction,
    );
    return rows.filter((row): row is CopiedMessage => row.mailId !== null);
  }
}
