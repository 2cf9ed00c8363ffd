import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ArchivedAttachmentEntity } from '../mails/archived-mail.entity';
import { escapeLike } from '../mails/mail-filter';
import { BaseRepository } from '../../platform/database/base.repository';
import type { SortOrder } from '../../platform/validation/sort-order';
import type { AttachmentSort } from './dto/attachments.dto';
import { column, RowShape } from '../../platform/database/row-shape';

export interface ListedAttachment {
  readonly id: string;
  readonly partId: string;
  readonly filename: string;
  readonly mimeType: string;
  /** Size of the decoded content in bytes. */
  readonly sizeBytes: number;
  readonly storageKey: string;
  readonly mailId: string;
  readonly mailboxMessageId: string;
  readonly mailSubject: string;
  readonly mailSender: string;
  readonly mailDate: Date;
}

export interface ArchivedAttachmentPage {
  readonly attachments: ListedAttachment[];
  /** Number of all attachments that match. */
  readonly total: number;
  readonly totalSizeBytes: number;
}

export interface AttachmentSelection {
  /** Folded words, each of which has to occur; empty: all attachments. */
  readonly words: readonly string[];
  readonly sort: AttachmentSort;
  readonly order: SortOrder;
  readonly limit: number;
  readonly offset: number;
}

/** The id of an attachment begins with the mail's date, see `datedId`, and orders attachments of the same size. */
const ORDERS: Readonly<Record<AttachmentSort, Readonly<Record<SortOrder, string>>>> = {
  size: { desc: 'size_bytes DESC, id DESC', asc: 'size_bytes, id' },
  date: { desc: 'coalesce(dated_id, id) DESC', asc: 'coalesce(dated_id, id)' },
};

interface TotalsRow {
  total: number;
  bytes: string;
}

const TOTALS_ROW: RowShape<TotalsRow> = { total: column.number, bytes: column.text };

interface PageRow {
  id: string;
  part_id: string;
  filename: string;
  mime_type: string;
  size_bytes: string;
  storage_key: string;
  mail_id: string;
  mailbox_message_id: string;
  subject: string;
  sender: string;
  date: Date;
}

const PAGE_ROW: RowShape<PageRow> = {
  id: column.text,
  part_id: column.text,
  filename: column.text,
  mime_type: column.text,
  size_bytes: column.text,
  storage_key: column.text,
  mail_id: column.text,
  mailbox_message_id: column.text,
  subject: column.text,
  sender: column.text,
  date: column.date,
};

/** Attachments of archived mail that are files: no images shown inside the text. */
@Injectable()
export class ArchivedAttachmentsRepository extends BaseRepository<ArchivedAttachmentEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedAttachmentEntity);
  }

  async list(
    { userId, accountId }: { userId: string; accountId: string },
    selection: AttachmentSelection,
  ): Promise<ArchivedAttachmentPage> {
    const { words, sort, order, limit, offset } = selection;
    const parameters: unknown[] = [accountId, userId];
    const conditions = words.map((word) => {
      parameters.push(`%${escapeLike(word)}%`);
      return ` AND search_text LIKE $${parameters.length}`;
    });
    const matching = `archived_attachments
      WHERE account_id = $1 AND NOT is_inline${conditions.join('')}
        AND EXISTS (SELECT FROM mailbox_accounts WHERE id = $1 AND user_id = $2)`;
    const [totals, rows] = await Promise.all([
      this.queryRows(
        TOTALS_ROW,
        words.length === 0
          ? `SELECT attachments AS total, attachment_bytes AS bytes FROM archive_totals
              WHERE account_id = $1 AND EXISTS (SELECT FROM mailbox_accounts WHERE id = $1 AND user_id = $2)`
          : `SELECT count(*)::int AS total, coalesce(sum(size_bytes), 0) AS bytes FROM ${matching}`,
        parameters,
      ),
      this.queryRows(
        PAGE_ROW,
        `SELECT a.id, part_id, filename, mime_type, a.size_bytes, storage_key, mail_id, mailbox_message_id, subject,
                sender, date
           FROM (SELECT id AS page_id FROM ${matching}
                  ORDER BY ${ORDERS[sort][order]} LIMIT ${limit} OFFSET ${offset}) page
           JOIN archived_attachments a ON a.id = page_id
           JOIN archived_mails m ON m.id = a.mail_id
          ORDER BY ${ORDERS[sort][order].replace('size_bytes', 'a.size_bytes').replace(/\bid\b/, 'a.id')}`,
        parameters,
      ),
    ]);
    return {
      attachments: rows.map(toAttachment),
      total: totals[0]?.total ?? 0,
      totalSizeBytes: Number(totals[0]?.bytes ?? 0),
    };
  }
}

const toAttachment = (row: PageRow): ListedAttachment => ({
  id: row.id,
  partId: row.part_id,
  filename: row.filename,
  mimeType: row.mime_type,
  sizeBytes: Number(row.size_bytes),
  storageKey: row.storage_key,
  mailId: row.mail_id,
  mailboxMessageId: row.mailbox_message_id,
  mailSubject: row.subject,
  mailSender: row.sender,
  mailDate: row.date,
});
