import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column, type RowShape } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import { ArchivedMailEntity } from '../archived-mail.entity';
import { START } from '../stored-mails';
import type { DateSource } from '../writing/archive-dates';

/** A mail of an earlier version, which has one date. */
export interface UndatedMail {
  readonly id: string;
  readonly storage: string;
  readonly storageKey: string;
  /** Size of the message in bytes. */
  readonly sizeBytes: number;
  readonly isEncrypted: boolean;
  /** Whether it was imported: its date is the Date header, if that could be read, and not the arrival. */
  readonly isImported: boolean;
  readonly date: Date;
  readonly archivedAt: Date;
}

/** The dates of a mail of an earlier version. */
export interface FoundDates {
  readonly mail: UndatedMail;
  readonly date: Date;
  readonly receivedAt: Date;
  /** null: not known, because the header cannot be read. */
  readonly dateSource: DateSource | null;
}

type UndatedRow = Omit<UndatedMail, 'sizeBytes'> & { readonly sizeBytes: string };

const UNDATED_ROW: RowShape<UndatedRow> = {
  id: column.text,
  storage: column.text,
  storageKey: column.text,
  sizeBytes: column.text,
  isEncrypted: column.boolean,
  isImported: column.boolean,
  date: column.date,
  archivedAt: column.date,
};

/** Mails of earlier versions whose arrival is not known yet. */
@Injectable()
export class MailDatesRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /**
   * @param after id of the last mail passed; null: from the first on
   * @param leftOut stores whose mails are left out
   */
  async findUndated(
    accountId: string,
    after: string | null,
    leftOut: readonly string[],
    limit: number,
  ): Promise<UndatedMail[]> {
    const rows = await this.queryRows(
      UNDATED_ROW,
      `SELECT id, storage, storage_key AS "storageKey", size_bytes AS "sizeBytes", is_encrypted AS "isEncrypted",
              mailbox_message_id ~ '^(<|message-id:|sha256:)' AS "isImported", date, archived_at AS "archivedAt"
         FROM archived_mails
        WHERE account_id = $1 AND received_at IS NULL AND id > $2::uuid AND storage <> ALL ($3::text[])
        ORDER BY id LIMIT $4`,
      [accountId, after ?? START.id, leftOut, limit],
    );
    return rows.map((row) => ({ ...row, sizeBytes: Number(row.sizeBytes) }));
  }

  /**
   * Records dates. Mails whose file is another one by now are left for the next time: they were encrypted or moved meanwhile.
   * @param transaction has locked the account's archive
   * @returns number of mails
   */
  async record(accountId: string, found: readonly FoundDates[], transaction: Transaction): Promise<number> {
    return this.executeAndCount(
      `UPDATE archived_mails m SET date = t.date, received_at = t.received_at, date_source = t.date_source
         FROM unnest($2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::text[])
           AS t (id, storage_key, date, received_at, date_source)
        WHERE m.id = t.id AND m.account_id = $1 AND m.storage_key = t.storage_key AND m.received_at IS NULL`,
      [
        accountId,
        found.map(({ mail }) => mail.id),
        found.map(({ mail }) => mail.storageKey),
        found.map(({ date }) => date.toISOString()),
        found.map(({ receivedAt }) => receivedAt.toISOString()),
        found.map(({ dateSource }) => dateSource),
      ],
      transaction,
    );
  }
}
