import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import type { Transaction } from '../../platform/database/transactions';
import { ImportUploadEntity } from './import-upload.entity';
import { column } from '../../platform/database/row-shape';

export interface UploadUnderWay {
  readonly id: string;
  readonly userId: string;
  readonly accountId: string;
}

export interface NewUpload extends UploadUnderWay {
  readonly filename: string;
  readonly sizeBytes: number;
}

/** Room that a user's uploads take until their imports have ended. */
export interface WaitingUploads {
  /** Bytes of the upload itself; null when it has no row. */
  readonly heldBytes: number | null;
  readonly others: { readonly count: number; readonly bytes: number };
}

/** Times for which uploads are kept that are no longer under way. */
export interface KeptUploads {
  readonly hours: number;
  readonly hopeless: readonly string[];
  readonly unheardMs: number;
  /** Time for which an upload in chunks is kept after its last chunk. */
  readonly pausedMs: number;
}

/** Uploaded files and the jobs they wait for. */
@Injectable()
export class ImportUploadsRepository extends BaseRepository<ImportUploadEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ImportUploadEntity);
  }

  /** Counts the waiting uploads of a user. The caller holds the lock of the user. */
  async countWaiting({ id, userId }: UploadUnderWay, transaction: Transaction): Promise<WaitingUploads> {
    const [row] = await this.queryRows(
      { held: column.nullable(column.text), count: column.number, bytes: column.text },
      `SELECT sum(size_bytes) FILTER (WHERE id = $2) AS held, count(*) FILTER (WHERE id <> $2)::int AS count,
              coalesce(sum(size_bytes) FILTER (WHERE id <> $2), 0) AS bytes
         FROM import_uploads WHERE user_id = $1`,
      [userId, id],
      transaction,
    );
    const { held, count, bytes } = row!;
    return { heldBytes: held === null ? null : Number(held), others: { count, bytes: Number(bytes) } };
  }

  /** Inserts an upload that is under way, or records that it still is. */
  async hold(
    { id, userId, accountId }: UploadUnderWay,
    bytes: number,
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `INSERT INTO import_uploads AS upload (id, user_id, account_id, filename, size_bytes)
       VALUES ($1, $2, $3, '', $4)
       ON CONFLICT (id) DO UPDATE SET size_bytes = excluded.size_bytes, touched_at = clock_timestamp()
        WHERE upload.job_id IS NULL`,
      [id, userId, accountId, bytes],
      transaction,
    );
  }

  /**
   * Inserts an upload for the job that names it in its payload.
   * @returns false when the job with this number names another upload
   */
  async insertForJob(
    upload: NewUpload,
    job: { kind: string; number: number },
    transaction: Transaction,
  ): Promise<boolean> {
    const rows = await this.queryRows(
      {},
      `INSERT INTO import_uploads (id, user_id, account_id, job_id, filename, size_bytes)
       SELECT $1::uuid, $2::uuid, $3::uuid, jobs.id, $4, $5::bigint FROM jobs
        WHERE jobs.user_id = $2::uuid AND jobs.type = $6 AND jobs.number = $7::bigint
          AND jobs.payload->>'uploadId' = $1::uuid::text
       ON CONFLICT (id) DO UPDATE
          SET job_id = excluded.job_id, filename = excluded.filename, size_bytes = excluded.size_bytes
       RETURNING id`,
      [upload.id, upload.userId, upload.accountId, upload.filename, upload.sizeBytes, job.kind, job.number],
      transaction,
    );
    return rows.length > 0;
  }

  /**
   * Deletes the rows of uploads whose job has ended. The row of a failed job, which may be resumed, is deleted after
   * `hours`, unless the job failed with one of the error codes `hopeless`. A job that is being resumed is left out. Rows
   * without a job are deleted `unheardMs` after the last sign of life of their upload, or `pausedMs` if it comes in chunks.
   * @param userId owner of the uploads; null: all users
   * @returns ids of their files
   */
  async takeDone(
    { hours, hopeless, unheardMs, pausedMs }: KeptUploads,
    limit: number,
    userId: string | null = null,
    transaction?: Transaction,
  ): Promise<string[]> {
    const rows = await this.queryRows(
      { id: column.text },
      `WITH ended AS (
         SELECT upload.id FROM import_uploads upload JOIN jobs ON jobs.id = upload.job_id
          WHERE jobs.completed_at IS NOT NULL AND ($4::uuid IS NULL OR upload.user_id = $4)
            AND (jobs.status <> 'failed' OR jobs.error_code = ANY($3::text[])
                 OR jobs.completed_at < now() - make_interval(hours => $1::int))
          ORDER BY upload.id LIMIT $2 FOR UPDATE OF jobs SKIP LOCKED
       ), orphaned AS (
         SELECT id FROM import_uploads
          WHERE job_id IS NULL AND ($4::uuid IS NULL OR user_id = $4)
            AND touched_at < clock_timestamp()
                - make_interval(secs => CASE WHEN received_bytes IS NULL THEN $5::float8 ELSE $6::float8 END)
            AND (lease_until IS NULL OR lease_until < clock_timestamp())
          ORDER BY id LIMIT $2
       )
       DELETE FROM import_uploads USING (SELECT id FROM ended UNION ALL SELECT id FROM orphaned) done
        WHERE import_uploads.id = done.id RETURNING import_uploads.id`,
      [hours, limit, hopeless, userId, unheardMs / 1_000, pausedMs / 1_000],
      transaction,
    );
    return rows.map(({ id }) => id);
  }

  /** Whether an upload still has its row. */
  async exists(id: string, transaction: Transaction): Promise<boolean> {
    const rows = await this.queryRows({}, 'SELECT 1 FROM import_uploads WHERE id = $1', [id], transaction);
    return rows.length > 0;
  }

  async listOwned(userId: string): Promise<string[]> {
    const rows = await this.queryRows(
      { id: column.text },
      'SELECT id FROM import_uploads WHERE user_id = $1 ORDER BY id',
      [userId],
    );
    return rows.map(({ id }) => id);
  }

  /** The given ids of uploads, and of files under import where they lie, of which copies of files in them may lie here. */
  async findKnown(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.queryRows(
      { id: column.text },
      `SELECT id FROM import_uploads WHERE id::text = ANY ($1::text[])
       UNION ALL
       SELECT place.id FROM import_places place JOIN jobs ON jobs.id = place.job_id
       WHERE place.id::text = ANY ($1::text[]) AND jobs.completed_at IS NULL`,
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async delete(id: string): Promise<void> {
    await this.execute('DELETE FROM import_uploads WHERE id = $1', [id]);
  }
}
