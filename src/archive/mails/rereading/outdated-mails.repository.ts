import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column, type RowShape } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import { ArchivedMailEntity } from '../archived-mail.entity';
import type { MailEnvelope } from '../mail-envelope';
import { START } from '../stored-mails';
import { DATE_SOURCES, type DateSource } from '../writing/archive-dates';
import { IS_OUTDATED } from './reader-version';

/** A mail that is to be read again. */
export interface OutdatedMail {
  readonly id: string;
  readonly storage: string;
  readonly storageKey: string;
  /** Size of the message in bytes. */
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly isEncrypted: boolean;
  /** Whether it was imported: its name says so, and its preview is our own. */
  readonly isImported: boolean;
  readonly date: Date;
  /** null: it has one date. It is the arrival, or of imported mail the Date header, if that could be read. */
  readonly receivedAt: Date | null;
  readonly dateSource: DateSource | null;
  readonly archivedAt: Date;
}

type OutdatedRow = Omit<OutdatedMail, 'sizeBytes'> & { readonly sizeBytes: string };

const OUTDATED_ROW: RowShape<OutdatedRow> = {
  id: column.text,
  storage: column.text,
  storageKey: column.text,
  sizeBytes: column.text,
  sha256: column.text,
  isEncrypted: column.boolean,
  isImported: column.boolean,
  date: column.date,
  receivedAt: column.nullable(column.date),
  dateSource: column.nullable(column.oneOf(DATE_SOURCES)),
  archivedAt: column.date,
};

/** The mails of an archive that are to be read again. */
@Injectable()
export class OutdatedMailsRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /**
   * @param after id of the last mail passed; null: from the first on
   * @param leftOut stores whose mails are left out
   */
  async findNext(
    accountId: string,
    after: string | null,
    leftOut: readonly string[],
    limit: number,
  ): Promise<OutdatedMail[]> {
    const rows = await this.queryRows(
      OUTDATED_ROW,
      `SELECT id, storage, storage_key AS "storageKey", size_bytes AS "sizeBytes", sha256::text AS sha256,
              is_encrypted AS "isEncrypted", mailbox_message_id ~ '^(<|message-id:|sha256:)' AS "isImported", date,
              received_at AS "receivedAt", date_source AS "dateSource", archived_at AS "archivedAt"
         FROM archived_mails
        WHERE account_id = $1 AND ${IS_OUTDATED} AND id > $2::uuid AND storage <> ALL ($3::text[])
        ORDER BY id LIMIT $4`,
      [accountId, after ?? START.id, leftOut, limit],
    );
    return rows.map((row) => ({ ...row, sizeBytes: Number(row.sizeBytes) }));
  }

  /** The number of mails left in an account. */
  async count(accountId: string): Promise<number> {
    const [row] = await this.queryRows(
      { count: column.number },
      `SELECT count(*)::int AS count FROM archived_mails WHERE account_id = $1 AND ${IS_OUTDATED}`,
      [accountId],
    );
    return row?.count ?? 0;
  }

  /** The number of mails left in all accounts. */
  async countAll(): Promise<number> {
    const [row] = await this.queryRows(
      { count: column.number },
      `SELECT count(*)::int AS count FROM archived_mails WHERE ${IS_OUTDATED}`,
    );
    return row?.count ?? 0;
  }

  /**
   * Finds the mails whose files are the same as when they were read; the others have been encrypted, moved or deleted meanwhile.
   * @param transaction has locked the account's archive
   * @returns their envelopes by id
   */
  async findUnchanged(
    accountId: string,
    mails: readonly OutdatedMail[],
    transaction: Transaction,
  ): Promise<Map<string, MailEnvelope | null>> {
    const rows = await this.queryRows(
      { id: column.text, envelope: column.nullable(column.json<MailEnvelope>()) },
      `SELECT m.id, m.envelope FROM unnest($2::uuid[], $3::text[]) AS t (id, storage_key)
         CROSS JOIN LATERAL (SELECT * FROM archived_mails WHERE archived_mails.id = t.id AND account_id = $1 LIMIT 1) m
        WHERE m.storage_key = t.storage_key AND ${IS_OUTDATED}`,
      [accountId, mails.map(({ id }) => id), mails.map(({ storageKey }) => storageKey)],
      transaction,
    );
    return new Map(rows.map(({ id, envelope }) => [id, envelope]));
  }

  /**
   * Makes plain mails outdated.
   * @param transaction has locked the account's archive
   * @returns their number
   */
  markOutdated(accountId: string, mailIds: readonly string[], transaction: Transaction): Promise<number> {
    return this.executeAndCount(
      `UPDATE archived_mails SET reader_version = 0
        WHERE account_id = $1 AND id = ANY (ARRAY(SELECT unnest($2::uuid[]))) AND NOT is_encrypted`,
      [accountId, mailIds],
      transaction,
    );
  }
}
