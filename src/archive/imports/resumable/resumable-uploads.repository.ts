import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Lease, LeasedRows, NO_LEASE } from '../../../platform/database/leased-rows';
import { column, RowShape } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import { ImportUploadEntity } from '../import-upload.entity';

/** The user and account of an upload. */
export interface UploadOwner {
  readonly userId: string;
  readonly accountId: string;
}

/** An upload that is not complete. */
export interface ResumableUpload {
  readonly id: string;
  readonly filename: string;
  readonly sizeBytes: number;
  readonly receivedBytes: number;
  /** Time at which the last chunk began or ended. */
  readonly touchedAt: Date;
}

interface UploadRow {
  id: string;
  filename: string;
  size_bytes: string;
  received_bytes: string;
  touched_at: Date;
}

const UPLOAD_ROW: RowShape<UploadRow> = {
  id: column.text,
  filename: column.text,
  size_bytes: column.text,
  received_bytes: column.text,
  touched_at: column.date,
};
const COLUMNS = 'id, filename, size_bytes, received_bytes, touched_at';
const OPEN = `id = $1 AND user_id = $2 AND account_id = $3 AND job_id IS NULL AND received_bytes IS NOT NULL`;

/** Uploads in chunks. One request at a time writes to an upload, under a lease. */
@Injectable()
export class ResumableUploadsRepository extends LeasedRows<ImportUploadEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ImportUploadEntity);
  }

  /** Turns an inserted upload into one that comes in chunks. @returns null when it has no row */
  async begin(id: string, filename: string): Promise<ResumableUpload | null> {
    const rows = await this.queryRows(
      UPLOAD_ROW,
      `UPDATE import_uploads SET filename = $2, received_bytes = 0 WHERE id = $1 RETURNING ${COLUMNS}`,
      [id, filename],
    );
    return rows.map(toUpload)[0] ?? null;
  }

  async findOwned({ userId, accountId }: UploadOwner, id: string): Promise<ResumableUpload | null> {
    const rows = await this.queryRows(UPLOAD_ROW, `SELECT ${COLUMNS} FROM import_uploads WHERE ${OPEN}`, [
      id,
      userId,
      accountId,
    ]);
    return rows.map(toUpload)[0] ?? null;
  }

  /** Incomplete uploads of an account, newest first. */
  async listOwned({ userId, accountId }: UploadOwner): Promise<ResumableUpload[]> {
    const rows = await this.queryRows(
      UPLOAD_ROW,
      `SELECT ${COLUMNS} FROM import_uploads
        WHERE user_id = $1 AND account_id = $2 AND job_id IS NULL AND received_bytes IS NOT NULL
        ORDER BY created_at DESC, id DESC`,
      [userId, accountId],
    );
    return rows.map(toUpload);
  }

  /**
   * Leases an upload for writing. A request that has lost its lease notices within a second, and has stopped writing
   * when another may begin.
   * @returns null unless `offset` bytes have arrived and no other request writes to the upload
   */
  async claimAt(
    { userId, accountId }: UploadOwner,
    id: string,
    offset: number,
    leaseMs: number,
  ): Promise<{ lease: Lease; sizeBytes: number } | null> {
    const [row] = await this.claim(
      {
        pick: `SELECT id FROM import_uploads WHERE ${OPEN} AND received_bytes = $4
                  AND (lease_until IS NULL OR lease_until < clock_timestamp() - interval '5 seconds') FOR UPDATE SKIP LOCKED`,
        parameters: [id, userId, accountId, offset],
        set: 'touched_at = clock_timestamp()',
        read: 'SELECT lease_token, size_bytes FROM claimed',
        shape: { lease_token: column.text, size_bytes: column.text },
      },
      leaseMs,
    );
    return row ? { lease: { id, token: row.lease_token }, sizeBytes: Number(row.size_bytes) } : null;
  }

  /** Records the bytes that have arrived, and ends the lease. @returns null when the lease is lost */
  async advance(lease: Lease, receivedBytes: number): Promise<ResumableUpload | null> {
    const row = await this.write(lease, {
      set: `received_bytes = $3, touched_at = clock_timestamp(), ${NO_LEASE}`,
      parameters: [receivedBytes],
      returning: COLUMNS,
      shape: UPLOAD_ROW,
    });
    return row && toUpload(row);
  }

  /** Keeps an upload from being deleted or completed by others. @returns whether it still exists, and is not complete */
  async lock({ userId, accountId }: UploadOwner, id: string, transaction: Transaction): Promise<boolean> {
    const rows = await this.queryRows(
      {},
      `SELECT 1 FROM import_uploads WHERE ${OPEN} FOR UPDATE`,
      [id, userId, accountId],
      transaction,
    );
    return rows.length > 0;
  }

  /** The number of the job that imports an upload; null when there is none. */
  async jobNumberOf(
    { userId, accountId }: UploadOwner,
    uploadId: string,
    kind: string,
  ): Promise<number | null> {
    const [row] = await this.queryRows(
      { number: column.text },
      `SELECT number FROM jobs
        WHERE user_id = $1 AND mailbox_account_id = $2 AND type = $3 AND payload->>'uploadId' = $4 LIMIT 1`,
      [userId, accountId, kind, uploadId],
    );
    return row ? Number(row.number) : null;
  }

  /** Deletes the row of an upload that is not complete. @returns whether there was one */
  async deleteOwned({ userId, accountId }: UploadOwner, id: string): Promise<boolean> {
    const deleted = await this.executeAndCount(`DELETE FROM import_uploads WHERE ${OPEN}`, [
      id,
      userId,
      accountId,
    ]);
    return deleted > 0;
  }
}

const toUpload = (row: UploadRow): ResumableUpload => ({
  id: row.id,
  filename: row.filename,
  sizeBytes: Number(row.size_bytes),
  receivedBytes: Number(row.received_bytes),
  touchedAt: row.touched_at,
});
