import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import type { Transaction } from '../common/database/transactions';
import { UserEntity } from '../users/user.entity';
import { column, RowShape } from '../common/database/row-shape';

/** A deletion that was asked for and that no job is at. */
export interface PendingDeletion {
  readonly userId: string;
  /** The administrator in whose name it goes on: who asked for it last, if they still are one, else the first. */
  readonly adminId: string;
}

const PENDING_DELETION_ROW: RowShape<PendingDeletion> = { userId: column.text, adminId: column.text };

/** An unfinished job of kind $1 that deletes `account`, in the terms of the partial index jobs_open_idx. */
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

  /**
   * Locks the user as their deletion does: whoever is adding something of theirs is waited for, and who comes later sees
   * what this transaction has made of them.
   * @returns whether they are marked for deletion; null when there is no such user
   */
  async lock(userId: string, transaction: Transaction): Promise<boolean | null> {
    const [row] = await this.rows(
      { marked: column.boolean },
      'SELECT deletion_requested_at IS NOT NULL AS marked FROM users WHERE id = $1 FOR UPDATE',
      [userId],
      transaction,
    );
    return row?.marked ?? null;
  }

  async mark(userId: string, transaction: Transaction): Promise<void> {
    await this.affected(
      `UPDATE users SET is_active = false, deletion_requested_at = coalesce(deletion_requested_at, now()),
              updated_at = now() WHERE id = $1`,
      [userId],
      transaction,
    );
  }

  /** Nothing is told to the user's webhooks any more. Deliveries on their way are ended where their senders write them. */
  async silenceWebhooks(userId: string, transaction: Transaction): Promise<void> {
    await this.affected(
      'UPDATE webhooks SET is_active = false, updated_at = now() WHERE user_id = $1 AND is_active',
      [userId],
      transaction,
    );
    await this.affected(
      `UPDATE webhook_deliveries
          SET status = 'cancelled', next_attempt_at = NULL, lease_token = NULL, lease_until = NULL, completed_at = now()
        WHERE webhook_id = ANY (ARRAY(SELECT id FROM webhooks WHERE user_id = $1)) AND status = 'pending'`,
      [userId],
      transaction,
    );
  }

  /** `<kind>-<number>` of the unfinished job that deletes the user; null when there is none. */
  async openJob(kind: string, userId: string, transaction: Transaction): Promise<string | null> {
    const [row] = await this.rows(
      { job_id: column.text },
      `SELECT job.job_id FROM users account CROSS JOIN LATERAL (${OPEN_JOB}) job WHERE account.id = $2`,
      [kind, userId],
      transaction,
    );
    return row?.job_id ?? null;
  }

  async isMarked(userId: string): Promise<boolean> {
    const found = await this.rows(
      {},
      'SELECT 1 FROM users WHERE id = $1 AND deletion_requested_at IS NOT NULL',
      [userId],
    );
    return found.length > 0;
  }

  /** Jobs of the user that a live process holds, whatever their status. */
  async countRunningJobs(userId: string): Promise<number> {
    const [row] = await this.rows(
      { jobs: column.number },
      'SELECT count(*)::int AS jobs FROM jobs WHERE user_id = $1 AND lease_until > clock_timestamp()',
      [userId],
    );
    return row?.jobs ?? 0;
  }

  /** Deletions that no job of this kind is at; none as long as there is no administrator. */
  listOwed(kind: string): Promise<PendingDeletion[]> {
    return this.rows(
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

  /** Deletes the row; all rows that refer to it go with it. @returns false when it is gone already, or not marked */
  async delete(userId: string, transaction: Transaction): Promise<boolean> {
    const deleted = await this.affected(
      'DELETE FROM users WHERE id = $1 AND deletion_requested_at IS NOT NULL',
      [userId],
      transaction,
    );
    return deleted > 0;
  }
}
