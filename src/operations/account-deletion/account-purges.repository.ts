import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import type { Transaction } from '../../platform/database/transactions';
import { MailboxAccountEntity } from '../../mailbox/accounts/mailbox-account.entity';
import { MAILBOX_TABLES } from './account-rows.repository';
import { column, RowShape } from '../../platform/database/row-shape';

export interface DueAccount {
  readonly userId: string;
  readonly accountId: string;
}

const DUE_ACCOUNT_ROW: RowShape<DueAccount> = { userId: column.text, accountId: column.text };

/** An unfinished job of kind $1, in the terms of the partial index jobs_open_idx. */
const OPEN_JOB = `
  SELECT FROM jobs WHERE jobs.type = $1 AND jobs.mailbox_account_id = account.id
    AND (jobs.status IN ('pending', 'active') OR jobs.lease_until IS NOT NULL)`;

const HAS_MAILBOX_DATA = [...MAILBOX_TABLES, 'mailbox_index_states']
  .map((table) => `EXISTS (SELECT FROM ${table} WHERE account_id = account.id)`)
  .join(' OR ');

/** Accounts that are to be deleted, alone or with their archive, and the jobs that do it. */
@Injectable()
export class AccountPurgesRepository extends BaseRepository<MailboxAccountEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, MailboxAccountEntity);
  }

  /** Whether a job of this kind is running or waiting. */
  async isUnderWay(jobKind: string, accountId: string, transaction: Transaction): Promise<boolean> {
    const found = await this.queryRows(
      {},
      `SELECT 1 FROM mailbox_accounts account WHERE account.id = $2 AND EXISTS (${OPEN_JOB})`,
      [jobKind, accountId],
      transaction,
    );
    return found.length > 0;
  }

  /** Accounts to purge that have neither an unfinished job of this kind nor a user who is being deleted. */
  listDue(jobKind: string): Promise<DueAccount[]> {
    return this.queryRows(
      DUE_ACCOUNT_ROW,
      `SELECT account.user_id AS "userId", account.id AS "accountId"
       FROM mailbox_accounts account JOIN users ON users.id = account.user_id
       WHERE account.status = 'purging' AND users.deletion_requested_at IS NULL AND NOT EXISTS (${OPEN_JOB}) ORDER BY account.id`,
      [jobKind],
    );
  }

  /**
   * Disconnected accounts with data of their mailbox that have neither an unfinished job of this kind nor a user who is being
   * deleted.
   */
  listWithMailboxData(jobKind: string): Promise<DueAccount[]> {
    return this.queryRows(
      DUE_ACCOUNT_ROW,
      `SELECT account.user_id AS "userId", account.id AS "accountId"
       FROM mailbox_accounts account JOIN users ON users.id = account.user_id
       WHERE account.status = 'disconnected' AND users.deletion_requested_at IS NULL AND NOT EXISTS (${OPEN_JOB})
         AND (${HAS_MAILBOX_DATA}) ORDER BY account.id`,
      [jobKind],
    );
  }
}
