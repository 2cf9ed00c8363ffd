import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column, RowShape } from '../../platform/database/row-shape';
import type { Transaction } from '../../platform/database/transactions';
import { UserEntity } from '../../identity/users/user.entity';

/** A requested deletion that has no unfinished job. */
export interface PendingDeletion {
  readonly userId: string;
  /** Owner of the next job: the administrator who asked last, if they still are one, else the first administrator. */
  readonly adminId: string;
}

const PENDING_DELETION_ROW: RowShape<PendingDeletion> = { userId: column.text, adminId: column.text };

/** The unfinished job of kind $1 that deletes `account`, in the terms of the partial index jobs_open_idx. */
const OPEN_JOB = `
  SELECT job.type || '-' || job.number AS job_id FROM jobs job
   WHERE job.type = $1 AND (job.status IN ('pending', 'active') OR job.lease_until IS NOT NULL)
     AND job.status <> 'cancelled' AND job.payload ->> 'userId' = account.id::text
   ORDER BY job.number DESC LIMIT 1`;

/** Users marked for deletion, with the jobs that delete them. */
@Injectable()
export class UserDeletionsRepository extends BaseRepository<UserEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, UserEntity);
  }

  /** `<kind>-<number>` of the unfinished job that deletes the user; null when there is none. */
  async openJob(kind: string, userId: string, transaction: Transaction): Promise<string | null> {
    const [row] = await this.queryRows(
      { job_id: column.text },
      `SELECT job.job_id FROM users account CROSS JOIN LATERAL (${OPEN_JOB}) job WHERE account.id = $2`,
      [kind, userId],
      transaction,
    );
    return row?.job_id ?? null;
  }

  async isMarked(userId: string): Promise<boolean> {
    const found = await this.queryRows(
      {},
      'SELECT 1 FROM users WHERE id = $1 AND deletion_requested_at IS NOT NULL',
      [userId],
    );
    return found.length > 0;
  }

  /** Jobs of the user that a live process holds, of every status. */
  async countRunningJobs(userId: string): Promise<number> {
    const [row] = await this.queryRows(
      { jobs: column.number },
      'SELECT count(*)::int AS jobs FROM jobs WHERE user_id = $1 AND lease_until > clock_timestamp()',
      [userId],
    );
    return row?.jobs ?? 0;
  }

  /** Deletions without an unfinished job of this kind; none as long as there is no active administrator. */
  listPending(kind: string): Promise<PendingDeletion[]> {
    return this.queryRows(
      PENDING_DELETION_ROW,
      `SELECT account.id AS "userId", admin.id AS "adminId"
         FROM users account
         CROSS JOIN LATERAL (
           SELECT candidate.id FROM users candidate
            WHERE candidate.role = 'admin' AND candidate.is_active
            ORDER BY (SELECT max(job.number) FROM jobs job
                       WHERE job.user_id = candidate.id AND job.type = $1
                         AND job.payload ->> 'userId' = account.id::text) DESC NULLS LAST,
                     candidate.created_at, candidate.id
            LIMIT 1
         ) admin
        WHERE account.deletion_requested_at IS NOT NULL AND NOT EXISTS (${OPEN_JOB})
        ORDER BY account.id`,
      [kind],
    );
  }
}
