import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { storableJson } from '../../../platform/database/column-values';
import { column } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import { ArchivedMailEntity } from '../archived-mail.entity';
import { type MailToArchive, storableText } from './mail-to-archive';

/** Names that imports give: no provider has such ids. */
const IS_IMPORTED = `m.mailbox_message_id ~ '^(<|sha256:|message-id:)'`;

/**
 * One archived mail for each message that has none, and no mail for two messages. For an encrypted mail the hash of
 * its content is compared. Each message is looked up by its Message-ID, or by its hash if it has none.
 */
const MATCHES = `
  SELECT DISTINCT ON (found.id) found.id, wanted.*
    FROM jsonb_to_recordset($2::jsonb)
      AS wanted(name text, "threadId" text, labels text[], sha256 text, header text)
   CROSS JOIN LATERAL (
     SELECT m.id FROM archived_mails m
      WHERE m.account_id = $1 AND m.message_id_header IS NOT NULL
        AND hashtextextended(m.message_id_header, 0) = hashtextextended(wanted.header, 0)
        AND m.message_id_header = wanted.header
        AND coalesce(m.content_sha256, CASE WHEN NOT m.is_encrypted THEN m.sha256 END) = wanted.sha256::bpchar
        AND (m.presence = 'gone' OR ${IS_IMPORTED})
     UNION ALL
     SELECT m.id FROM archived_mails m
      WHERE m.account_id = $1 AND wanted.header IS NULL AND m.message_id_header IS NULL
        AND m.sha256 = wanted.sha256::bpchar AND NOT m.is_encrypted
        AND (m.presence = 'gone' OR ${IS_IMPORTED})
      LIMIT 1
   ) found
   WHERE NOT EXISTS (
     SELECT FROM archived_mails named WHERE named.account_id = $1 AND named.mailbox_message_id = wanted.name
   )
   ORDER BY found.id, wanted.name`;

/** Finds archived mails that have the bytes of messages, but not their ids. */
@Injectable()
export class RecoveredCopiesRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** Ids of the messages that could have such a mail. */
  async findMatching(accountId: string, mails: readonly MailToArchive[]): Promise<string[]> {
    const rows = await this.queryRows({ name: column.text }, `SELECT name FROM (${MATCHES}) matches`, [
      accountId,
      wantedOf(mails),
    ]);
    return rows.map(({ name }) => name);
  }

  /**
   * Gives archived mails the ids, threads and labels of their messages.
   * @param transaction has locked the account's archive
   * @returns ids of these messages
   */
  async rename(
    accountId: string,
    mails: readonly MailToArchive[],
    transaction: Transaction,
  ): Promise<ReadonlySet<string>> {
    const rows = await this.queryRows(
      { name: column.text },
      `UPDATE archived_mails m SET mailbox_message_id = matches.name, thread_id = matches."threadId",
         label_ids = matches.labels, presence = CASE WHEN 'TRASH' = ANY (matches.labels) THEN 'trash' ELSE 'mailbox' END,
         may_be_offloaded = m.may_be_offloaded AND 'TRASH' = ANY (matches.labels)
         FROM (${MATCHES}) matches
        WHERE m.account_id = $1 AND m.id = matches.id
       RETURNING matches.name`,
      [accountId, wantedOf(mails)],
      transaction,
    );
    return new Set(rows.map(({ name }) => name));
  }
}

const wantedOf = (mails: readonly MailToArchive[]): string =>
  storableJson(
    mails.map(({ messageId, threadId, labelIds, parsed }) => ({
      name: messageId,
      threadId,
      labels: labelIds,
      sha256: parsed.sha256,
      header: parsed.messageId === null ? null : storableText(parsed.messageId),
    })),
  );
