import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import { ArchivedMailEntity } from '../archive/archived-mail.entity';
import type { ExportedMail, WantedMail } from './exported-mail';
import { column, RowShape } from '../common/database/row-shape';

interface ExportRow {
  id: string;
  mailbox_message_id: string;
  subject: string;
  sender: string;
  date: Date;
  cursor: string;
  size_bytes: string;
  sha256: string;
  storage: string;
  storage_key: string;
  account_id: string;
  is_encrypted: boolean;
}

const EXPORT_ROW: RowShape<ExportRow> = {
  id: column.text,
  mailbox_message_id: column.text,
  subject: column.text,
  sender: column.text,
  date: column.date,
  cursor: column.text,
  size_bytes: column.text,
  sha256: column.text,
  storage: column.text,
  storage_key: column.text,
  account_id: column.text,
  is_encrypted: column.boolean,
};

const COLUMNS = `id, account_id, mailbox_message_id, subject, sender, date, date::text AS cursor, size_bytes, sha256,
  storage, storage_key, is_encrypted`;
const PAGE = 500;

/** Mails for exports, oldest first, a page at a time. */
@Injectable()
export class ExportsRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** Of some mails those of the account, oldest mail first, and whether any of them is encrypted. */
  async findOwned(
    accountId: string,
    mailIds: readonly string[],
  ): Promise<{ mails: WantedMail[]; anyEncrypted: boolean }> {
    const rows = await this.rows(
      { id: column.text, mailbox_message_id: column.text, is_encrypted: column.boolean },
      `SELECT id, mailbox_message_id, is_encrypted FROM archived_mails WHERE account_id = $1 AND id = ANY ($2) ORDER BY date, id`,
      [accountId, mailIds],
    );
    return {
      mails: rows.map(({ id, mailbox_message_id: messageId }) => ({ id, messageId })),
      anyEncrypted: rows.some((row) => row.is_encrypted),
    };
  }

  async hasEncrypted(accountId: string): Promise<boolean> {
    const [row] = await this.rows(
      { encrypted: column.number },
      'SELECT encrypted FROM archive_totals WHERE account_id = $1',
      [accountId],
    );
    return (row?.encrypted ?? 0) > 0;
  }

  /**
   * Pages of these mails in their order.
   * @param deleted told of each that has been deleted meanwhile; what it throws ends the pages
   */
  named(
    accountId: string,
    mails: readonly WantedMail[],
    deleted: (mail: WantedMail) => void,
  ): AsyncGenerator<ExportedMail[]> {
    return pages(async (_after, number) => {
      const wanted = mails.slice(number * PAGE, (number + 1) * PAGE);
      const rows = await this.rows(
        EXPORT_ROW,
        `SELECT ${COLUMNS} FROM archived_mails WHERE account_id = $1 AND id = ANY ($2) ORDER BY date, id`,
        [accountId, wanted.map(({ id }) => id)],
      );
      if (rows.length < wanted.length) {
        const found = new Set(rows.map(({ id }) => id));
        for (const mail of wanted) if (!found.has(mail.id)) deleted(mail);
      }
      return { rows, isLast: (number + 1) * PAGE >= mails.length };
    });
  }

  /** Pages of all mails the account has when their page comes, without holding a cursor or a transaction open while the client reads. */
  all(accountId: string): AsyncGenerator<ExportedMail[]> {
    return pages(async (after) => {
      const rows = await this.rows(
        EXPORT_ROW,
        `SELECT ${COLUMNS} FROM archived_mails
          WHERE account_id = $1 ${after ? 'AND (date, id) > ($2::timestamptz, $3::uuid)' : ''}
          ORDER BY date, id LIMIT ${PAGE}`,
        after ? [accountId, after.cursor, after.id] : [accountId],
      );
      return { rows, isLast: rows.length < PAGE };
    });
  }
}

/** Page after page, the next one being asked for while the one before is taken. */
async function* pages(
  load: (after: ExportRow | undefined, number: number) => Promise<{ rows: ExportRow[]; isLast: boolean }>,
): AsyncGenerator<ExportedMail[]> {
  let loading: ReturnType<typeof load> | null = load(undefined, 0);
  for (let number = 1; loading; number++) {
    const { rows, isLast }: Awaited<ReturnType<typeof load>> = await loading;
    loading = isLast ? null : load(rows.at(-1), number);
    // Looked at when its turn comes, unless nobody asks for it any more.
    loading?.catch(() => undefined);
    yield rows.map(toExportedMail);
  }
}

function toExportedMail(row: ExportRow): ExportedMail {
  return {
    id: row.id,
    messageId: row.mailbox_message_id,
    subject: row.subject,
    sender: row.sender,
    date: row.date,
    sizeBytes: Number(row.size_bytes),
    sha256: row.sha256,
    storage: row.storage,
    storageKey: row.storage_key,
    accountId: row.account_id,
    isEncrypted: row.is_encrypted,
  };
}
