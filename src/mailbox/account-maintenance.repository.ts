import { column, RowShape } from '../common/database/row-shape';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import type { ProviderAccount } from '../mail-provider/mailbox-provider.port';
import { AccountMaintenanceEntity } from './account-maintenance.entity';

const PROVIDER_ACCOUNT_ROW: RowShape<ProviderAccount> = {
  id: column.text,
  userId: column.text,
  email: column.text,
  provider: column.text,
};

@Injectable()
export class AccountMaintenanceRepository extends BaseRepository<AccountMaintenanceEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, AccountMaintenanceEntity);
  }

  /** Accounts that never had the chore get it, due at once; those that cannot be used are left for later. */
  async addMissing(chore: string): Promise<void> {
    await this.execute(
      `INSERT INTO account_chores (account_id, chore, due_at)
       SELECT account.id, $1::varchar, now() FROM mailbox_accounts account
       WHERE account.is_active AND account.status = 'connected'
         AND NOT EXISTS (SELECT FROM account_chores known WHERE known.account_id = account.id AND known.chore = $1)
       ON CONFLICT DO NOTHING`,
      [chore],
    );
  }

  /**
   * Takes usable accounts whose chore is due; of several processes each gets others. They are due again after
   * `leaseSeconds` unless `settle` says otherwise, so that those of a process that was killed are not forgotten.
   */
  async claimDue(chore: string, leaseSeconds: number, limit: number): Promise<ProviderAccount[]> {
    return this.rows(
      PROVIDER_ACCOUNT_ROW,
      `WITH due AS (
         SELECT chores.account_id FROM account_chores chores
         JOIN mailbox_accounts account ON account.id = chores.account_id
         JOIN users ON users.id = account.user_id
         WHERE chores.chore = $1 AND chores.due_at <= now()
           AND account.is_active AND account.status = 'connected' AND users.is_active
         ORDER BY chores.due_at LIMIT $3
         FOR UPDATE OF chores SKIP LOCKED
       ), claimed AS (
         UPDATE account_chores chores SET due_at = now() + make_interval(secs => $2)
         FROM due WHERE chores.account_id = due.account_id AND chores.chore = $1
         RETURNING chores.account_id
       )
       SELECT account.id, account.user_id AS "userId", account.email, account.provider
       FROM claimed JOIN mailbox_accounts account ON account.id = claimed.account_id`,
      [chore, leaseSeconds, limit],
    );
  }

  /** Says when the chore is due again. */
  async settle(accountId: string, chore: string, inSeconds: number): Promise<void> {
    await this.affected(
      `UPDATE account_chores SET due_at = now() + make_interval(secs => $3) WHERE account_id = $1 AND chore = $2`,
      [accountId, chore, inSeconds],
    );
  }
}
