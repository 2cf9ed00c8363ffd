import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column, type RowShape } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import type { TransferEncoding } from '../../../platform/mime/transfer-decoder';
import type { DocumentPage } from '../../../platform/documents/document-text';
import { ArchivedAttachmentEntity, type AttachedTextState } from '../archived-mail.entity';
import type { LocatedMail } from '../mail-content-reader';
import { PassagesRepository } from '../writing/passages.repository';
import { AttachmentPagesRepository } from './attachment-pages.repository';
import type { AttachedWords } from './index-attached-text.task';

/** Which attachments are to be read: those of which nothing is known, or whose pictures alone are unread. */
export type WaitingKind = 'documents' | 'pictures';

const IS_OF_KIND: Readonly<Record<WaitingKind, string>> = {
  documents: "a.text_reason IS DISTINCT FROM 'pictures'",
  pictures: "a.text_reason = 'pictures'",
};

/** An attachment whose text is not known. */
export interface WaitingAttachment {
  readonly id: string;
  readonly mail: LocatedMail;
  readonly partId: string;
  readonly filename: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly bodyStart: number;
  readonly bodyEnd: number;
  readonly encoding: TransferEncoding;
  readonly isContained: boolean;
}

/**
 * Outcome of recording a text. `unchanged`: the mail was encrypted, moved or read again meanwhile. `outdated`: the words of the mail are
 * those of another text.
 */
export type AttachedTextRecord = 'recorded' | 'unchanged' | 'outdated';

/** The text of an attachment, or why there is none. */
export interface AttachedText {
  readonly state: AttachedTextState;
  readonly reason: string | null;
  /** SHA-256 of the decoded content; null: not known. */
  readonly sha256: Buffer | null;
  readonly pages: readonly DocumentPage[];
  readonly words: AttachedWords;
}

const WAITING_ROW: RowShape<WaitingRow> = {
  id: column.text,
  mail_id: column.text,
  part_id: column.text,
  filename: column.text,
  mime_type: column.text,
  size_bytes: column.text,
  body_start: column.text,
  body_end: column.text,
  encoding: column.text,
  is_contained: column.boolean,
  storage: column.text,
  storage_key: column.text,
  mail_bytes: column.text,
  sha256: column.text,
  is_encrypted: column.boolean,
};

interface WaitingRow {
  readonly id: string;
  readonly mail_id: string;
  readonly part_id: string;
  readonly filename: string;
  readonly mime_type: string;
  readonly size_bytes: string;
  readonly body_start: string;
  readonly body_end: string;
  readonly encoding: string;
  readonly is_contained: boolean;
  readonly storage: string;
  readonly storage_key: string;
  readonly mail_bytes: string;
  readonly sha256: string;
  readonly is_encrypted: boolean;
}

const LOCATED = `a.id, a.mail_id, a.part_id, a.filename, a.mime_type, a.size_bytes, a.body_start, a.body_end, a.encoding,
              a.is_contained, m.storage, m.storage_key, m.size_bytes AS mail_bytes, m.sha256::text AS sha256, m.is_encrypted
         FROM archived_attachments a JOIN archived_mails m ON m.id = a.mail_id AND m.account_id = a.account_id`;

/** Text of attachments, and its state. */
@Injectable()
export class AttachedTextsRepository extends BaseRepository<ArchivedAttachmentEntity> {
  constructor(
    dataSource: DataSource,
    private readonly passages: PassagesRepository,
    private readonly pages: AttachmentPagesRepository,
  ) {
    super(dataSource, ArchivedAttachmentEntity);
  }

  /**
   * Attachments whose text is not known, of the newest mails first.
   * @param after the last one that was passed; null: from the first on
   * @param leftOut stores whose mails are left out
   */
  async findWaiting(
    accountId: string,
    kind: WaitingKind,
    after: WaitingAttachment | null,
    leftOut: readonly string[],
    limit: number,
  ): Promise<WaitingAttachment[]> {
    const rows = await this.queryRows(
      WAITING_ROW,
      `SELECT ${LOCATED} WHERE a.account_id = $1 AND a.text_state = 'waiting' AND ${IS_OF_KIND[kind]} AND m.storage <> ALL ($4::text[])
          AND ($2::uuid IS NULL OR (a.mail_id, a.id) < ($2::uuid, $3::uuid))
        ORDER BY a.mail_id DESC, a.id DESC LIMIT $5`,
      [accountId, after?.mail.id ?? null, after?.id ?? null, leftOut, limit],
    );
    return rows.map((row) => toWaiting(accountId, row));
  }

  /** One of the attachments of a mail that are indexed as a whole, at random; null: there is none of at most `maxBytes`. */
  async findAnyIndexed(
    { id, accountId }: Pick<LocatedMail, 'id' | 'accountId'>,
    maxBytes: number,
  ): Promise<WaitingAttachment | null> {
    const [row] = await this.queryRows(
      WAITING_ROW,
      `SELECT ${LOCATED}
        WHERE a.account_id = $1 AND a.mail_id = $2 AND a.text_state = 'indexed' AND a.size_bytes <= $3 ORDER BY random() LIMIT 1`,
      [accountId, id, maxBytes],
    );
    return row ? toWaiting(accountId, row) : null;
  }

  /**
   * Makes an attachment of a plain mail wait.
   * @param transaction has locked the account's archive
   */
  async makeUnread(accountId: string, id: string, transaction: Transaction): Promise<void> {
    await this.executeAndCount(
      `UPDATE archived_attachments SET text_state = 'waiting', text_reason = NULL, text_attempts = 0
        WHERE account_id = $1 AND id = $2 AND text_state <> 'encrypted'`,
      [accountId, id],
      transaction,
    );
  }

  /** Marks waiting attachments of encrypted mails, whose text is not read. */
  async markEncrypted(accountId: string, ids: readonly string[]): Promise<void> {
    await this.executeAndCount(
      `UPDATE archived_attachments a SET text_state = 'encrypted', text_reason = 'mail'
         FROM archived_mails m
        WHERE a.account_id = $1 AND a.id = ANY ($2::uuid[]) AND a.text_state = 'waiting'
          AND m.id = a.mail_id AND m.account_id = $1 AND m.is_encrypted`,
      [accountId, ids],
    );
  }

  /**
   * Makes attachments with unread pictures wait, or no longer wait, when recognition has been turned on or off.
   * @returns how many were changed, at most `limit`
   */
  async alignPictures(accountId: string, isRecognized: boolean, limit: number): Promise<number> {
    const state = isRecognized
      ? `'waiting'`
      : `CASE WHEN EXISTS (SELECT FROM archived_attachment_pages p WHERE p.attachment_id = a.id) THEN 'indexed' ELSE 'nothing' END`;
    return this.executeAndCount(
      `UPDATE archived_attachments a SET text_state = ${state}, text_attempts = 0
        WHERE a.account_id = $1 AND a.text_reason = 'pictures' AND a.id IN (
          SELECT id FROM archived_attachments
           WHERE account_id = $1 AND text_reason = 'pictures'
             AND text_state ${isRecognized ? `IN ('indexed', 'nothing')` : `= 'waiting'`} LIMIT $2)`,
      [accountId, limit],
    );
  }

  /** Counts a reading before it begins. @returns the number of readings begun; null: the attachment no longer waits */
  async beginAttempt(accountId: string, id: string): Promise<number | null> {
    const [row] = await this.queryRows(
      { attempts: column.number },
      `UPDATE archived_attachments SET text_attempts = text_attempts + 1
        WHERE account_id = $1 AND id = $2 AND text_state = 'waiting' RETURNING text_attempts::int AS attempts`,
      [accountId, id],
    );
    return row?.attempts ?? null;
  }

  /** Takes back a reading that did not end for reasons that are not the attachment's. */
  async takeAttemptBack(accountId: string, id: string): Promise<void> {
    await this.executeAndCount(
      `UPDATE archived_attachments SET text_attempts = greatest(text_attempts - 1, 0)
        WHERE account_id = $1 AND id = $2 AND text_state = 'waiting'`,
      [accountId, id],
    );
  }

  /** Makes some attachments wait whose files were missing. @returns their number */
  makeLostWait(accountId: string, limit: number): Promise<number> {
    return this.executeAndCount(
      `UPDATE archived_attachments SET text_state = 'waiting', text_reason = NULL, text_attempts = 0
        WHERE account_id = $1 AND id IN (
          SELECT id FROM archived_attachments
           WHERE account_id = $1 AND text_state = 'failed' AND text_reason = 'missing' LIMIT $2)`,
      [accountId, limit],
    );
  }

  /** The number of attachments that wait: of an account, or of all (null). */
  async countWaiting(accountId: string | null): Promise<number> {
    const ofAccount = accountId === null ? '$1::uuid IS NULL' : 'a.account_id = $1';
    // Each kind has an index of its own.
    const counts = Object.values(IS_OF_KIND).map(
      (isOfKind) =>
        `(SELECT count(*) FROM archived_attachments a WHERE ${ofAccount} AND a.text_state = 'waiting' AND ${isOfKind})`,
    );
    const [row] = await this.queryRows(
      { count: column.number },
      `SELECT (${counts.join(' + ')})::int AS count`,
      [accountId],
    );
    return row?.count ?? 0;
  }

  /**
   * Records the text of an attachment, and adds its words to those of the mail unless they are there. Text that is known stays when
   * the attachment cannot be read any more. When another text is found than the mail has words of, and not just that of its pictures
   * besides, the mail is to be read again.
   * @param transaction has locked the account's archive
   */
  async record(
    accountId: string,
    attachment: WaitingAttachment,
    text: AttachedText,
    transaction: Transaction,
  ): Promise<AttachedTextRecord> {
    const [known] = await this.queryRows(
      { is_in_words: column.boolean, is_completed: column.boolean },
      `SELECT a.is_in_words, ${IS_OF_KIND.pictures} IS TRUE AS is_completed FROM archived_attachments a JOIN archived_mails m ON m.id = a.mail_id AND m.account_id = a.account_id
        WHERE a.account_id = $1 AND a.id = $2 AND a.text_state = 'waiting' AND NOT m.is_encrypted AND m.storage = $3
          AND m.storage_key = $4 AND a.body_start = $5 AND a.body_end = $6 AND a.size_bytes = $7 AND a.part_id = $8`,
      [
        accountId,
        attachment.id,
        attachment.mail.storage,
        attachment.mail.storageKey,
        attachment.bodyStart,
        attachment.bodyEnd,
        attachment.sizeBytes,
        attachment.partId,
      ],
      transaction,
    );
    if (!known) return 'unchanged';
    const mailId = attachment.mail.id;
    const isUnread = text.state === 'failed' && text.pages.length === 0;
    const hasOtherWords =
      known.is_in_words &&
      !known.is_completed &&
      !isUnread &&
      !(await this.pages.isKnown(accountId, attachment.id, text.pages, transaction));
    if (!isUnread) await this.pages.replace(accountId, attachment, text, transaction);
    const isAdded = text.pages.length > 0 && (known.is_completed || !known.is_in_words);
    const words = known.is_in_words ? text.words.ofPictures : text.words.ofMail;
    if (isAdded) await this.passages.addFurther(accountId, [{ mailId, words }], transaction);
    await this.executeAndCount(
      `UPDATE archived_attachments
          SET text_state = $3::text, text_reason = $4, content_sha256 = coalesce($5, content_sha256), is_in_words = $6,
              text_attempts = CASE WHEN $3::text = 'waiting' THEN 0 ELSE text_attempts END
        WHERE account_id = $1 AND id = $2`,
      [accountId, attachment.id, text.state, text.reason, text.sha256, known.is_in_words || isAdded],
      transaction,
    );
    // The version of the row tells whether a counted search still holds.
    await this.executeAndCount(
      'UPDATE archive_totals SET bytes = bytes WHERE account_id = $1',
      [accountId],
      transaction,
    );
    return hasOtherWords ? 'outdated' : 'recorded';
  }

  /**
   * Removes the text of the attachments of mails that were encrypted.
   * @param transaction has locked the account's archive
   */
  async removeEncrypted(
    accountId: string,
    mailIds: readonly string[],
    transaction: Transaction,
  ): Promise<void> {
    await this.pages.removeOfMails(accountId, mailIds, transaction);
    await this.executeAndCount(
      `UPDATE archived_attachments
          SET text_state = 'encrypted', text_reason = 'mail', content_sha256 = NULL, is_in_words = false
        WHERE account_id = $1 AND mail_id = ANY (ARRAY(SELECT unnest($2::uuid[])))`,
      [accountId, mailIds],
      transaction,
    );
  }

  /**
   * Makes attachments wait whose words have gone from the words of their mails, which were read again.
   * @param transaction has locked the account's archive
   */
  async makeWaiting(accountId: string, mailIds: readonly string[], transaction: Transaction): Promise<void> {
    await this.executeAndCount(
      `UPDATE archived_attachments SET text_state = 'waiting', text_reason = NULL, text_attempts = 0, is_in_words = false
        WHERE account_id = $1 AND mail_id = ANY (ARRAY(SELECT unnest($2::uuid[]))) AND is_in_words`,
      [accountId, mailIds],
      transaction,
    );
  }
}

const toWaiting = (accountId: string, row: WaitingRow): WaitingAttachment => ({
  id: row.id,
  mail: {
    id: row.mail_id,
    accountId,
    storage: row.storage,
    storageKey: row.storage_key,
    sizeBytes: Number(row.mail_bytes),
    sha256: row.sha256,
    isEncrypted: row.is_encrypted,
  },
  partId: row.part_id,
  filename: row.filename,
  mimeType: row.mime_type,
  sizeBytes: Number(row.size_bytes),
  bodyStart: Number(row.body_start),
  bodyEnd: Number(row.body_end),
  encoding: row.encoding,
  isContained: row.is_contained,
});
