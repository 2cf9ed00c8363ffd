import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column, type RowShape } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import { ArchivedMailEntity } from '../archived-mail.entity';
import {
  INDEX_CLASSES,
  INDEXED_KINDS,
  type IndexClass,
  type IndexedKind,
  MAIL_REASON,
  MAILS_OF_CLASS,
  type RetriedClass,
} from './index-class';

/** The number of mails or attachments of a class, or of those in it for one reason. */
export interface ClassCount {
  readonly kind: IndexedKind;
  readonly class: IndexClass;
  /** Null: for none, or not counted by reason. */
  readonly reason: string | null;
  readonly count: number;
}

/** A class whose mails or attachments are listed. */
export interface ItemsAsked {
  readonly kind: IndexedKind;
  readonly class: IndexClass;
  /** Null: for any reason. */
  readonly reason: string | null;
}

/** A mail or an attachment of a class. */
export interface IndexItem {
  readonly mail_id: string;
  readonly attachment_id: string | null;
  readonly subject: string;
  readonly sender: string;
  readonly date: string;
  readonly filename: string | null;
  readonly size_bytes: number;
  readonly reason: string | null;
}

const COUNT_ROW: RowShape<ClassCount> = {
  kind: column.oneOf(INDEXED_KINDS),
  class: column.oneOf(INDEX_CLASSES),
  reason: column.nullable(column.text),
  count: column.number,
};

type ItemRow = Omit<IndexItem, 'date'> & { readonly date: Date };

const ITEM_ROW: RowShape<ItemRow> = {
  mail_id: column.text,
  attachment_id: column.nullable(column.text),
  subject: column.text,
  sender: column.text,
  date: column.date,
  filename: column.nullable(column.text),
  size_bytes: column.number,
  reason: column.nullable(column.text),
};

const countMails = (indexClass: IndexClass, reason = 'NULL::text'): string =>
  `SELECT 'mail' AS kind, '${indexClass}' AS class, ${reason} AS reason, count(*)::int AS count
     FROM archived_mails m WHERE m.account_id = $1 AND ${MAILS_OF_CLASS[indexClass]} GROUP BY 3`;

/**
 * Mails that are indexed are not counted: they are what is left of the totals, which triggers keep. Each of the others is found by an
 * index, and nothing is read of attachments but indexes, except for the reasons of those that cannot be read.
 */
const COUNTS = `
  WITH others AS (
    ${countMails('waiting')} UNION ALL
    ${countMails('nothing')} UNION ALL
    ${countMails('too-large', MAIL_REASON)} UNION ALL
    ${countMails('failed', MAIL_REASON)}
  ), pictures AS (
    SELECT text_state, count(*)::int AS count FROM archived_attachments
     WHERE account_id = $1 AND text_reason = 'pictures' AND text_state IN ('indexed', 'nothing', 'waiting') GROUP BY text_state
  ), totals AS (
    SELECT mails, encrypted FROM archive_totals WHERE account_id = $1
  )
  SELECT * FROM others
  UNION ALL SELECT 'mail', 'encrypted', NULL, encrypted FROM totals
  UNION ALL SELECT 'mail', 'indexed', NULL, (mails - encrypted - coalesce((SELECT sum(count) FROM others), 0))::int FROM totals
  UNION ALL SELECT 'attachment', text_state, 'pictures', count FROM pictures
  UNION ALL SELECT 'attachment', a.text_state, NULL, (count(*) - coalesce(min(p.count), 0))::int
     FROM archived_attachments a LEFT JOIN pictures p ON p.text_state = a.text_state
    WHERE a.account_id = $1 AND a.text_state IN ('indexed', 'nothing', 'encrypted', 'waiting') GROUP BY a.text_state
  UNION ALL SELECT 'attachment', text_state, text_reason, count(*)::int FROM archived_attachments
    WHERE account_id = $1 AND text_state IN ('failed', 'too-large') GROUP BY text_state, text_reason`;

/** States of the texts of mails and attachments, which tell what a search of the archive can find. See ADR 125. */
@Injectable()
export class IndexLedgerRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** Mails and attachments of an account by class, and by reason where they are not read as a whole; in one snapshot. */
  countByClass(accountId: string): Promise<ClassCount[]> {
    return this.queryRows(COUNT_ROW, COUNTS, [accountId]);
  }

  /** Mails or attachments of a class, those of the newest mails first. */
  async findItems(
    accountId: string,
    asked: ItemsAsked,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<IndexItem[]> {
    const rows = await this.queryRows(
      ITEM_ROW,
      `${asked.kind === 'mail' ? mailsOf(asked) : ATTACHMENTS} LIMIT $3 OFFSET $4`,
      [accountId, asked.reason, limit, offset, ...(asked.kind === 'mail' ? [] : [asked.class])],
    );
    return rows.map((row) => ({ ...row, date: row.date.toISOString() }));
  }

  /**
   * Makes attachments wait once more, at most `limit` of them; the text that is known of them stays until they are read.
   * @param ids null: all of the class
   * @param transaction has locked the account's archive
   * @returns their number
   */
  retryAttachments(
    accountId: string,
    retried: RetriedClass,
    ids: readonly string[] | null,
    limit: number,
    transaction: Transaction,
  ): Promise<number> {
    return this.executeAndCount(
      `UPDATE archived_attachments SET text_state = 'waiting', text_reason = NULL, text_attempts = 0
        WHERE account_id = $1 AND id = ANY (ARRAY(
          SELECT a.id FROM archived_attachments a JOIN archived_mails m ON m.id = a.mail_id AND m.account_id = $1
           WHERE a.account_id = $1 AND a.text_state = $2 AND ($3::uuid[] IS NULL OR a.id = ANY ($3::uuid[])) AND NOT m.is_encrypted
           ORDER BY a.mail_id DESC, a.id DESC LIMIT $4))`,
      [accountId, retried, ids, limit],
      transaction,
    );
  }

  /** Ids of mails of a class, newest first. @param ids null: all of the class */
  async findRetried(
    accountId: string,
    retried: RetriedClass,
    ids: readonly string[] | null,
    limit: number,
    transaction: Transaction,
  ): Promise<string[]> {
    const rows = await this.queryRows(
      { id: column.text },
      `SELECT m.id FROM archived_mails m
        WHERE m.account_id = $1 AND ${MAILS_OF_CLASS[retried]} AND ($2::uuid[] IS NULL OR m.id = ANY ($2::uuid[]))
        ORDER BY m.id DESC LIMIT $3`,
      [accountId, ids, limit],
      transaction,
    );
    return rows.map(({ id }) => id);
  }
}

const mailsOf = ({ class: indexClass }: ItemsAsked): string => `
  SELECT m.id AS mail_id, NULL::uuid AS attachment_id, m.subject, m.sender, m.date, NULL::text AS filename,
         m.size_bytes::float8 AS size_bytes, ${MAIL_REASON} AS reason
    FROM archived_mails m
   WHERE m.account_id = $1 AND ${MAILS_OF_CLASS[indexClass]} AND ($2::text IS NULL OR ${MAIL_REASON} = $2)
   ORDER BY m.id DESC`;

const ATTACHMENTS = `
  SELECT m.id AS mail_id, a.id AS attachment_id, m.subject, m.sender, m.date, a.filename,
         a.size_bytes::float8 AS size_bytes, a.text_reason AS reason
    FROM archived_attachments a JOIN archived_mails m ON m.id = a.mail_id AND m.account_id = $1
   WHERE a.account_id = $1 AND a.text_state = $5 AND ($2::text IS NULL OR a.text_reason = $2)
   ORDER BY a.mail_id DESC, a.id DESC`;
