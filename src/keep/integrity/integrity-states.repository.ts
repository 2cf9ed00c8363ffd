import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AdvisoryLock } from '../../platform/database/advisory-locks';
import { BaseRepository } from '../../platform/database/base.repository';
import type { Transaction } from '../../platform/database/transactions';
import { IntegrityStateEntity } from './integrity.entity';
import type { MailPosition } from '../../archive/mails/stored-mails';
import { column, RowShape } from '../../platform/database/row-shape';

export interface RotationState {
  /** Position of the last mail checked in this round; null: a round begins. */
  readonly cursor: MailPosition | null;
  /** The first night of the round, `yyyy-mm-dd`. */
  readonly roundStartedOn: string;
}

interface RotationRow {
  cursor_date: string | null;
  cursor_id: string | null;
  round_started_on: string | null;
}

const ROTATION_ROW: RowShape<RotationRow> = {
  cursor_date: column.nullable(column.text),
  cursor_id: column.nullable(column.text),
  round_started_on: column.nullable(column.text),
};

/** An unfinished job of kind $1, in the terms of the partial index jobs_open_idx. */
const OPEN = `type = $1 AND (status IN ('pending', 'active') OR lease_until IS NOT NULL)`;

/** The progress of the rotation per account, and the jobs that check archives. */
@Injectable()
export class IntegrityStatesRepository extends BaseRepository<IntegrityStateEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, IntegrityStateEntity);
  }

  /** When this installation was last restored from a backup; null: never. */
  async findRestoreTime(): Promise<Date | null> {
    const [row] = await this.queryRows(
      { at: column.nullable(column.date) },
      'SELECT max(restored_at) AS at FROM restored_backups',
    );
    return row?.at ?? null;
  }

  /** Progress of an account; null before the first round. */
  async find(accountId: string): Promise<RotationState | null> {
    const [row] = await this.queryRows(
      ROTATION_ROW,
      `SELECT cursor_date::text AS cursor_date, cursor_id, round_started_on::text AS round_started_on
         FROM integrity_states WHERE account_id = $1`,
      [accountId],
    );
    if (!row?.round_started_on) return null;
    const { cursor_date: date, cursor_id: id } = row;
    return { cursor: date && id ? { date, id } : null, roundStartedOn: row.round_started_on };
  }

  /** Does nothing when the account is gone. @param checked files hashed since the last save */
  async save(accountId: string, { cursor, roundStartedOn }: RotationState, checked: number): Promise<void> {
    await this.executeAndCount(
      `INSERT INTO integrity_states (account_id, cursor_date, cursor_id, round_started_on, checked, visited_at)
       SELECT id, $2::timestamptz, $3::uuid, $4::date, $5::bigint, now()
         FROM mailbox_accounts WHERE id = $1 FOR KEY SHARE
       ON CONFLICT (account_id) DO UPDATE SET
         cursor_date = excluded.cursor_date, cursor_id = excluded.cursor_id,
         round_completed_at = CASE WHEN excluded.cursor_id IS NULL THEN now()
                                   ELSE integrity_states.round_completed_at END,
         round_started_on = excluded.round_started_on,
         checked = integrity_states.checked + excluded.checked, visited_at = now()`,
      [accountId, cursor?.date ?? null, cursor?.id ?? null, roundStartedOn, checked],
    );
  }

  /** Users with an account, older than an instant, that the rotation has not visited since. */
  async listNotVisitedSince(instant: Date): Promise<string[]> {
    const rows = await this.queryRows(
      { user_id: column.text },
      `SELECT DISTINCT account.user_id FROM archive_totals totals
         JOIN mailbox_accounts account ON account.id = totals.account_id
         LEFT JOIN integrity_states state ON state.account_id = account.id
        WHERE totals.mails > 0 AND coalesce(state.visited_at, account.created_at) < $1
        ORDER BY account.user_id`,
      [instant.toISOString()],
    );
    return rows.map((row) => row.user_id);
  }

  /** Users whose nightly check has not ended. */
  async listRunning(jobKind: string): Promise<Set<string>> {
    const rows = await this.queryRows(
      { user_id: column.text },
      `SELECT user_id FROM jobs WHERE ${OPEN} AND payload ->> 'scope' = 'rotation'`,
      [jobKind],
    );
    return new Set(rows.map((row) => row.user_id));
  }

  /** The administrator in whose name the nightly check examines files of no user; null when there is none. */
  async findFirstAdmin(): Promise<string | null> {
    const [row] = await this.queryRows(
      { id: column.text },
      `SELECT id FROM users WHERE role = 'admin' AND is_active ORDER BY created_at, id LIMIT 1`,
    );
    return row?.id ?? null;
  }

  /** Makes further requests of the user wait for the end of the transaction. */
  async lockRequests(userId: string, transaction: Transaction): Promise<void> {
    await this.execute(
      'SELECT pg_advisory_xact_lock($1, hashtext($2))',
      [AdvisoryLock.IntegrityRequests, userId],
      transaction,
    );
  }

  /** Job id, `<kind>-<number>`, of the user's check of everything that has not ended; null when there is none. */
  async findRequestedJob(userId: string, jobKind: string, transaction: Transaction): Promise<string | null> {
    const [row] = await this.queryRows(
      { job_id: column.text },
      `SELECT type || '-' || number AS job_id FROM jobs
        WHERE ${OPEN} AND status <> 'cancelled' AND user_id = $2 AND payload ->> 'scope' = 'everything'
        ORDER BY number DESC LIMIT 1`,
      [jobKind, userId],
      transaction,
    );
    return row?.job_id ?? null;
  }

  /** Accounts of the user whose purge was requested, whether they still exist or not. */
  async listPurgedAccounts(userId: string): Promise<Set<string>> {
    const rows = await this.queryRows(
      { account_id: column.text },
      `SELECT payload ->> 'accountId' AS account_id FROM jobs WHERE user_id = $1 AND type = 'purge_account'
         AND NOT is_cleared`,
      [userId],
    );
    return new Set(rows.map((row) => row.account_id));
  }
}
