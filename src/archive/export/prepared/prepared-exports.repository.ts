import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import { type ExportFormat, PreparedExportEntity } from './prepared-export.entity';

/** A requested export. */
export interface RequestedExport {
  readonly format: ExportFormat;
  readonly compress: boolean;
  /** Ids of the mails; null: all mails of the account. */
  readonly mailIds: readonly string[] | null;
  readonly sealedPassphrase: string | null;
}

export interface NewExport extends RequestedExport {
  readonly id: string;
  readonly userId: string;
  readonly accountId: string;
}

export interface ExportTimes {
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Exports that can be downloaded; expired ones are never returned. */
@Injectable()
export class PreparedExportsRepository extends BaseRepository<PreparedExportEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, PreparedExportEntity);
  }

  async insert(prepared: NewExport, keptMs: number, transaction: Transaction): Promise<ExportTimes> {
    const [row] = await this.queryRows(
      { created_at: column.date, expires_at: column.date },
      `INSERT INTO prepared_exports
         (id, user_id, account_id, format, compress, mail_ids, sealed_passphrase, created_at, expires_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, now.at, now.at + make_interval(secs => $8)
         FROM (SELECT clock_timestamp() AS at) now
       RETURNING created_at, expires_at`,
      [
        prepared.id,
        prepared.userId,
        prepared.accountId,
        prepared.format,
        prepared.compress,
        prepared.mailIds,
        prepared.sealedPassphrase,
        keptMs / 1_000,
      ],
      transaction,
    );
    const { created_at: createdAt, expires_at: expiresAt } = row!;
    return { createdAt, expiresAt };
  }

  /** Deletes a user's exports except the newest ones. @param kept number of exports to keep */
  async deleteOlder(userId: string, kept: number, transaction: Transaction): Promise<void> {
    await this.execute(
      `DELETE FROM prepared_exports WHERE id IN (
         SELECT id FROM prepared_exports WHERE user_id = $1 ORDER BY created_at DESC, id DESC OFFSET $2)`,
      [userId, kept],
      transaction,
    );
  }

  async findOwned(
    { userId, accountId }: { readonly userId: string; readonly accountId: string },
    id: string,
  ): Promise<(RequestedExport & { readonly createdAt: Date }) | null> {
    const [row] = await this.queryRows(
      {
        format: column.text,
        compress: column.boolean,
        mail_ids: column.nullable(column.array(column.text)),
        sealed_passphrase: column.nullable(column.text),
        created_at: column.date,
      },
      `SELECT format, compress, mail_ids::text[] AS mail_ids, sealed_passphrase, created_at FROM prepared_exports
        WHERE id = $1 AND user_id = $2 AND account_id = $3 AND expires_at > clock_timestamp()`,
      [id, userId, accountId],
    );
    if (!row) return null;
    return {
      format: row.format as ExportFormat,
      compress: row.compress,
      mailIds: row.mail_ids,
      sealedPassphrase: row.sealed_passphrase,
      createdAt: row.created_at,
    };
  }

  /** Deletes expired exports. @returns the number of exports deleted */
  deleteExpired(): Promise<number> {
    return this.executeAndCount('DELETE FROM prepared_exports WHERE expires_at <= clock_timestamp()', []);
  }
}
