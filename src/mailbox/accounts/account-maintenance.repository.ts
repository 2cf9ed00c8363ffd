import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { Lease, LeasedRows, NO_LEASE, Renewal } from '../../platform/database/leased-rows';
import type { Transaction } from '../../platform/database/transactions';
import { column, RowShape } from '../../platform/database/row-shape';
import type { ProviderAccount } from '../../providers/port/mailbox-provider.port';
import { AccountMaintenanceEntity } from './account-maintenance.entity';

const CLAIMED_ROW: RowShape<ProviderAccount & { token: string }> = {
  id: column.text,
  userId: column.text,
  email: column.text,
  provider: column.text,
  token: column.text,
};

/** The parts of a task by which accounts are found. */
export interface ClaimableTask {
  /** Name of the task. It is stored, so it must never be renamed. */
  readonly name: string;
  /** Whether it works on the archive and asks no provider: then accounts that are disconnected have it performed as well. */
  readonly ofArchive?: boolean;
}

/** @param ofArchive the parameter that says whether the task is one of the archive */
const usable = (ofArchive: string): string =>
  `(account.is_active AND account.status = 'connected' OR ${ofArchive}::boolean AND account.status <> 'purging')`;

export interface ClaimedAccount {
  readonly account: ProviderAccount;
  readonly lease: Lease;
}

@Injectable()
export class AccountMaintenanceRepository extends BaseRepository<AccountMaintenanceEntity> {
  private readonly leases: LeasedRows<AccountMaintenanceEntity>;

  constructor(dataSource: DataSource) {
    super(dataSource, AccountMaintenanceEntity);
    this.leases = new LeasedRows(dataSource, AccountMaintenanceEntity);
  }

  /** Adds the task to accounts that have never had it, due at once; accounts that cannot be used are left for later. */
  async addMissing({ name, ofArchive = false }: ClaimableTask): Promise<void> {
    await this.execute(
      `INSERT INTO account_chores (account_id, chore, due_at)
       SELECT account.id, $1::varchar, now() FROM mailbox_accounts account
       WHERE ${usable('$2')}
         AND NOT EXISTS (SELECT FROM account_chores known WHERE known.account_id = account.id AND known.chore = $1)
       ON CONFLICT DO NOTHING`,
      [name, ofArchive],
    );
  }

  /**
   * Claims a usable account for which the task is due. Processes that claim at the same time get different accounts.
   * @param passedOver users whose accounts have to wait
   */
  async claimNext(
    { name, ofArchive = false }: ClaimableTask,
    passedOver: readonly string[],
    leaseMs: number,
  ): Promise<ClaimedAccount | null> {
    const [row] = await this.leases.claim(
      {
        pick: `
          SELECT due.account_id, due.chore FROM account_chores due
          JOIN mailbox_accounts account ON account.id = due.account_id
          JOIN users ON users.id = account.user_id
          WHERE due.chore = $1 AND due.due_at <= now() AND (due.lease_until IS NULL OR due.lease_until < now())
            AND ${usable('$3')} AND users.is_active
            AND account.user_id <> ALL($2::uuid[])
          ORDER BY due.due_at LIMIT 1
          FOR UPDATE OF due SKIP LOCKED`,
        parameters: [name, passedOver, ofArchive],
        read: `SELECT account.id, account.user_id AS "userId", account.email, account.provider, claimed.lease_token AS token
               FROM claimed JOIN mailbox_accounts account ON account.id = claimed.account_id`,
        shape: CLAIMED_ROW,
      },
      leaseMs,
    );
    if (!row) return null;
    const { token, ...account } = row;
    return { account, lease: { id: account.id, token } };
  }

  /** Lists the accounts of some providers that may be used now. */
  listUsable(providers: readonly string[], most: number): Promise<ProviderAccount[]> {
    return this.queryRows(
      { id: column.text, userId: column.text, email: column.text, provider: column.text },
      `SELECT account.id, account.user_id AS "userId", account.email, account.provider
       FROM mailbox_accounts account JOIN users ON users.id = account.user_id
       WHERE account.provider = ANY($1::varchar[]) AND account.is_active AND account.status = 'connected'
         AND users.is_active
       ORDER BY account.id LIMIT $2`,
      [providers, most],
    );
  }

  /** Makes the task due. One that is under way is performed again afterwards. */
  async makeDue(task: string, accountId: string, transaction: Transaction): Promise<void> {
    await this.executeAndCount(
      'UPDATE account_chores SET due_at = now() WHERE account_id = $1 AND chore = $2 AND due_at > now()',
      [accountId, task],
      transaction,
    );
  }

  renew(leases: readonly Lease[], leaseMs: number): Promise<Renewal[]> {
    return this.leases.renew(leases, leaseMs);
  }

  /** Releases the account, and stores when the task is due again. Without the lease nothing is written. */
  async reschedule(lease: Lease, inSeconds: number): Promise<void> {
    await this.leases.write(lease, {
      set: `due_at = now() + make_interval(secs => $3), ${NO_LEASE}`,
      parameters: [inSeconds],
      returning: 'account_id',
      shape: { account_id: column.text },
    });
  }
}
