import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import type { Transaction } from '../common/database/transactions';
import { IntegrityStateEntity } from './integrity-state.entity';

/** Namespace of the advisory locks that make a user's requests for a check queue up. */
const REQUEST_LOCK = 7_241_040;

/** An unfinished job of kind $1, in the terms of the partial index jobs_open_idx. */
const OPEN = `type = $1 AND (status IN ('pending', 'active') OR lease_until IS NOT NULL)`;

/** Whose archives there are to check, and the jobs that are at it. */
@Injectable()
export class IntegrityJobsRepository extends BaseRepository<IntegrityStateEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, IntegrityStateEntity);
  }

  /** Users who have archived mail, or keep it elsewhere than on the local disk; by id. */
  async withArchive(): Promise<string[]> {
    const rows = await this.rows<{ user_id: string }>(
      `SELECT account.user_id FROM archive_totals totals
         JOIN mailbox_accounts account ON account.id = totals.account_id WHERE totals.mails > 0
       UNION SELECT user_id FROM storage_configurations WHERE type <> 'local'
       ORDER BY user_id`,
    );
    return rows.map((row) => row.user_id);
  }

  /** Users with archived mail the rotation has not come by since an instant; accounts newer than that can wait. */
  async notVisitedSince(instant: Date): Promise<string[]> {
    const rows = await this.rows<{ user_id: string }>(
      `SELECT DISTINCT account.user_id FROM archive_totals totals
         JOIN mailbox_accounts account ON account.id = totals.account_id
         LEFT JOIN integrity_states state ON state.account_id = account.id
        WHERE totals.mails > 0 AND coalesce(state.visited_at, account.created_at) < $1
        ORDER BY account.user_id`,
      [instant.toISOString()],
    );
    return rows.map((row) => row.user_id);
  }

  /** Users whose nightly check is not over. */
  async underWay(jobKind: string): Promise<Set<string>> {
    const rows = await this.rows<{ user_id: string }>(
      `SELECT user_id FROM jobs WHERE ${OPEN} AND payload ->> 'scope' = 'rotation'`,
      [jobKind],
    );
    return new Set(rows.map((row) => row.user_id));
  }

  /** The administrator in whose name the nightly check looks at what belongs to nobody; null when there is none. */
  async firstAdmin(): Promise<string | null> {
    const [row] = await this.rows<{ id: string }>(
      `SELECT id FROM users WHERE role = 'admin' AND is_active ORDER BY created_at, id LIMIT 1`,
    );
    return row?.id ?? null;
  }

  /** Makes further requests of the user wait until the transaction ends. */
  async lockRequests(userId: string, transaction: Transaction): Promise<void> {
    await this.rows('SELECT pg_advisory_xact_lock($1, hashtext($2))', [REQUEST_LOCK, userId], transaction);
  }

  /** `<kind>-<number>` of the user's check of everything that is not over; null when there is none. */
  async requestedBy(userId: string, jobKind: string, transaction: Transaction): Promise<string | null> {
    const [row] = await this.rows<{ job_id: string }>(
      `SELECT type || '-' || number AS job_id FROM jobs
        WHERE ${OPEN} AND status <> 'cancelled' AND user_id = $2 AND payload ->> 'scope' = 'everything'
        ORDER BY number DESC LIMIT 1`,
      [jobKind, userId],
      transaction,
    );
    return row?.job_id ?? null;
  }
}
