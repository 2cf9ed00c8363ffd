import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import type { Transaction } from '../common/database/transactions';
import { ImportUploadEntity } from './import-upload.entity';
import { column } from '../common/database/row-shape';

export interface NewUpload {
  readonly id: string;
  readonly userId: string;
  readonly accountId: string;
  readonly filename: string;
  readonly sizeBytes: number;
}

/** Uploaded files and the jobs they wait for. */
@Injectable()
export class ImportUploadsRepository extends BaseRepository<ImportUploadEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ImportUploadEntity);
  }

  /**
   * Enters an upload for the job that names it in its payload.
   * @returns false when the job with this number names another upload
   */
  async insertForJob(
    upload: NewUpload,
    job: { kind: string; number: number },
    transaction: Transaction,
  ): Promise<boolean> {
    const rows = await this.rows(
      {},
      `INSERT INTO import_uploads (id, user_id, account_id, job_id, filename, size_bytes)
       SELECT $1::uuid, $2::uuid, $3::uuid, jobs.id, $4, $5::bigint FROM jobs
        WHERE jobs.user_id = $2::uuid AND jobs.type = $6 AND jobs.number = $7::bigint
          AND jobs.payload->>'uploadId' = $1::uuid::text
       RETURNING id`,
      [upload.id, upload.userId, upload.accountId, upload.filename, upload.sizeBytes, job.kind, job.number],
      transaction,
    );
    return rows.length > 0;
  }

  /** Uploads whose job has ended or is gone. */
  async listDone(limit: number): Promise<string[]> {
    const rows = await this.rows(
      { id: column.text },
      `SELECT upload.id FROM import_uploads upload LEFT JOIN jobs ON jobs.id = upload.job_id
        WHERE jobs.id IS NULL OR jobs.completed_at IS NOT NULL ORDER BY upload.id LIMIT $1`,
      [limit],
    );
    return rows.map(({ id }) => id);
  }

  async listOwned(userId: string): Promise<string[]> {
    const rows = await this.rows(
      { id: column.text },
      'SELECT id FROM import_uploads WHERE user_id = $1 ORDER BY id',
      [userId],
    );
    return rows.map(({ id }) => id);
  }

  /** Those of the ids that have a row. */
  async known(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.rows(
      { id: column.text },
      'SELECT id FROM import_uploads WHERE id::text = ANY ($1::text[])',
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async delete(id: string): Promise<void> {
    await this.execute('DELETE FROM import_uploads WHERE id = $1', [id]);
  }
}
