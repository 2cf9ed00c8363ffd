import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { storableJson } from '../../platform/database/column-values';
import { column } from '../../platform/database/row-shape';
import type { Transaction } from '../../platform/database/transactions';
import { ArchivedMailEntity, MAIL_PRESENCES, type MailPresence } from './archived-mail.entity';

/**
 * Where the message of the mail `m` is, as SQL: messages that are gone stay gone, of the others only the coverage ledger knows.
 * Null where there is none, and for imported mail.
 */
export const PRESENCE = `CASE WHEN m.presence = 'gone' THEN 'gone' ELSE (
    SELECT CASE WHEN 'TRASH' = ANY (covered.label_ids) THEN 'trash' ELSE 'mailbox' END FROM ledger_messages covered
     WHERE covered.account_id = m.account_id AND covered.message_id = m.mailbox_message_id
  ) END`;

export const PRESENCE_COLUMN = column.nullable(column.oneOf(MAIL_PRESENCES));

/** An archived mail and the labels that its message has now. */
export interface RelabelledMail {
  readonly mailId: string;
  readonly labelIds: readonly string[];
}

/** Records what the history of the mailbox says about archived mails. Every transaction holds the lock of the archive. */
@Injectable()
export class MailPresenceRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** The presence of the messages of some mails, by mail id; null: not known. */
  async findPresences(
    accountId: string,
    mailIds: readonly string[],
  ): Promise<ReadonlyMap<string, MailPresence | null>> {
    const rows = await this.queryRows(
      { id: column.text, presence: PRESENCE_COLUMN },
      `SELECT m.id, ${PRESENCE} AS presence FROM archived_mails m WHERE m.account_id = $1 AND m.id = ANY ($2::uuid[])`,
      [accountId, mailIds],
    );
    return new Map(rows.map(({ id, presence }) => [id, presence]));
  }

  /** Records that messages are no longer in the mailbox: only their archived mails are left. */
  async markGone(accountId: string, messageIds: readonly string[], transaction: Transaction): Promise<void> {
    if (messageIds.length === 0) return;
    await this.execute(
      `UPDATE archived_mails m SET presence = 'gone'
         FROM (
           SELECT mail.id FROM unnest($2::text[]) AS deleted (id)
            CROSS JOIN LATERAL (
              SELECT id, presence FROM archived_mails
               WHERE account_id = $1 AND mailbox_message_id = deleted.id LIMIT 1
            ) mail
            WHERE mail.presence IS DISTINCT FROM 'gone'
         ) left_over
        WHERE m.account_id = $1 AND m.id = left_over.id`,
      [accountId, messageIds],
      transaction,
    );
  }

  /**
   * Records new labels of the messages of archived mails. The history may be read in parts, and the next part may say
   * otherwise: a mail that may be offloaded (`mayBeOffloaded`) stays so.
   * @param follow whether the mails take the labels over; mails in spam or trash keep the labels they had before
   */
  async relabel(
    accountId: string,
    messages: readonly RelabelledMail[],
    follow: boolean,
    transaction: Transaction,
  ): Promise<void> {
    if (messages.length === 0) return;
    await this.execute(
      `UPDATE archived_mails m
          SET presence = told.presence, label_ids = told.labels
         FROM (
           SELECT mail.id,
                  CASE WHEN 'TRASH' = ANY (seen."labelIds") THEN 'trash'
                       WHEN mail.presence = 'trash' AND NOT mail.may_be_offloaded THEN 'mailbox'
                       WHEN mail.presence = 'trash' THEN NULL
                       ELSE mail.presence END AS presence,
                  CASE WHEN $3 AND NOT seen."labelIds" && ARRAY['SPAM', 'TRASH'] THEN seen."labelIds"
                       ELSE mail.label_ids END AS labels
             FROM jsonb_to_recordset($2::jsonb) AS seen("mailId" uuid, "labelIds" text[])
            CROSS JOIN LATERAL (
              SELECT id, presence, label_ids, may_be_offloaded FROM archived_mails
               WHERE id = seen."mailId" AND account_id = $1 LIMIT 1
            ) mail
            WHERE mail.presence IS DISTINCT FROM 'gone'
         ) told
        WHERE m.account_id = $1 AND m.id = told.id
          AND (m.presence IS DISTINCT FROM told.presence
               OR NOT (m.label_ids @> told.labels AND told.labels @> m.label_ids))`,
      [accountId, storableJson(messages), follow],
      transaction,
    );
  }

  /**
   * Records that a listing of the mailbox has these messages outside of the trash: no offload since the restored backup has
   * moved them. Costs nothing where no backup was ever restored.
   */
  async clearDoubts(
    accountId: string,
    messageIds: readonly string[],
    transaction: Transaction,
  ): Promise<void> {
    if (messageIds.length === 0) return;
    await this.execute(
      `UPDATE archived_mails m SET may_be_offloaded = false, presence = 'mailbox'
         FROM (
           SELECT mail.id FROM unnest($2::text[]) AS listed (id)
            CROSS JOIN LATERAL (
              SELECT id, may_be_offloaded FROM archived_mails
               WHERE account_id = $1 AND mailbox_message_id = listed.id LIMIT 1
            ) mail
            WHERE mail.may_be_offloaded
         ) doubted
        WHERE m.account_id = $1 AND m.id = doubted.id AND EXISTS (SELECT FROM restored_backups)`,
      [accountId, messageIds],
      transaction,
    );
  }
}
