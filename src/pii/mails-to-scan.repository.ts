import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { LocatedMail } from '../archive/mail-content-reader';
import { ArchivedMailEntity } from '../archive/archived-mail.entity';
import { BaseRepository } from '../common/database/base.repository';
import { column, RowShape } from '../common/database/row-shape';

/** A place in the walk over an account's mails, by date and id. */
export interface ScanPosition {
  /** As the database writes it, so that no digit is lost. */
  readonly date: string;
  readonly id: string;
}

export interface MailToScan extends LocatedMail {
  /** As the database writes it. */
  readonly date: string;
}

interface MailRow {
  id: string;
  date: string;
  storage: string;
  storage_key: string;
  size_bytes: string;
  sha256: string;
  is_encrypted: boolean;
}

const MAIL_ROW: RowShape<MailRow> = {
  id: column.text,
  date: column.text,
  storage: column.text,
  storage_key: column.text,
  size_bytes: column.text,
  sha256: column.text,
  is_encrypted: column.boolean,
};

const COLUMNS = 'id, date::text AS date, storage, storage_key, size_bytes, sha256, is_encrypted';
const BEFORE_ALL: ScanPosition = { date: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** Archived mails as a scan walks them. */
@Injectable()
export class MailsToScanRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  async count(accountId: string): Promise<number> {
    const [row] = await this.rows(
      { mails: column.number },
      'SELECT mails FROM archive_totals WHERE account_id = $1',
      [accountId],
    );
    return row?.mails ?? 0;
  }

  /** Oldest first. @param after null: from the first mail on */
  async next(accountId: string, after: ScanPosition | null, limit: number): Promise<MailToScan[]> {
    const { date, id } = after ?? BEFORE_ALL;
    const rows = await this.rows(
      MAIL_ROW,
      `SELECT ${COLUMNS} FROM archived_mails
        WHERE account_id = $1 AND (archived_mails.date, id) > ($2::timestamptz, $3::uuid)
        ORDER BY archived_mails.date, id LIMIT $4`,
      [accountId, date, id, limit],
    );
    return rows.map((row) => toMailToScan(accountId, row));
  }

  /** The mail as it is now; null when it is gone. */
  async find(accountId: string, id: string): Promise<MailToScan | null> {
    const [row] = await this.rows(
      MAIL_ROW,
      `SELECT ${COLUMNS} FROM archived_mails WHERE id = $2 AND account_id = $1`,
      [accountId, id],
    );
    return row ? toMailToScan(accountId, row) : null;
  }
}

const toMailToScan = (accountId: string, row: MailRow): MailToScan => ({
  id: row.id,
  accountId,
  date: row.date,
  storage: row.storage,
  storageKey: row.storage_key,
  sizeBytes: Number(row.size_bytes),
  sha256: row.sha256,
  isEncrypted: row.is_encrypted,
});
