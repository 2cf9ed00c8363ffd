import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../common/database/base.repository';
import { ArchivedMailEntity } from '../archived-mail.entity';
import type { ExportedMail } from './exported-mail';

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
}

const COLUMNS =
  'id, mailbox_message_id, subject, sender, date, date::text AS cursor, size_bytes, sha256, storage, storage_key';
const PAGE = 500;

/** Mails for exports, oldest first, a page at a time. */
@Injectable()
export class ExportsRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** Of some ids those of the account, oldest mail first, and whether any of them is encrypted. */
  async findOwned(
    accountId: string,
    mailIds: readonly string[],
  ): Promise<{ ids: string[]; anyEncrypted: boolean }> {
    const rows = await this.rows<{ id: string; is_encrypted: boolean }>(
      `SELECT id, is_encrypted FROM archived_mails WHERE account_id = $1 AND id = ANY ($2) ORDER BY date, id`,
      [accountId, mailIds],
    );
    return { ids: rows.map(({ id }) => id), anyEncrypted: rows.some((row) => row.is_encrypted) };
  }

  async hasEncrypted(accountId: string): Promise<boolean> {
    const [row] = await this.rows<{ encrypted: number }>(
      'SELECT encrypted FROM archive_totals WHERE account_id = $1',
      [accountId],
    );
    return (row?.encrypted ?? 0) > 0;
  }

  /** The mails of these ids in their order; those deleted meanwhile are left out. */
  async *byIds(accountId: string, ids: readonly string[]): AsyncGenerator<ExportedMail> {
    for (let at = 0; at < ids.length; at += PAGE) {
      const rows = await this.rows<ExportRow>(
        `SELECT ${COLUMNS} FROM archived_mails WHERE account_id = $1 AND id = ANY ($2) ORDER BY date, id`,
        [accountId, ids.slice(at, at + PAGE)],
      );
      yield* rows.map(toExportedMail);
    }
  }

  /** All mails of the account, without holding a cursor or a transaction open while the client reads. */
  async *all(accountId: string): AsyncGenerator<ExportedMail> {
    let after: ExportRow | undefined;
    for (;;) {
      const rows: ExportRow[] = await this.rows<ExportRow>(
        `SELECT ${COLUMNS} FROM archived_mails
          WHERE account_id = $1 ${after ? 'AND (date, id) > ($2::timestamptz, $3::uuid)' : ''}
          ORDER BY date, id LIMIT ${PAGE}`,
        after ? [accountId, after.cursor, after.id] : [accountId],
      );
      yield* rows.map(toExportedMail);
      if (rows.length < PAGE) return;
      after = rows.at(-1);
    }
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
  };
}
