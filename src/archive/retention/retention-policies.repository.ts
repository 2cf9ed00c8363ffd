import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column, RowShape } from '../../platform/database/row-shape';
import type { Transaction } from '../../platform/database/transactions';
import { RetentionPolicyEntity } from './retention-policy.entity';

export type NewRetentionPolicy = Pick<
  RetentionPolicyEntity,
  'id' | 'userId' | 'mailboxAccountId' | 'name' | 'label' | 'maxAgeDays' | 'isActive' | 'includeOffloaded'
>;

/** Changes to a policy; absent fields stay as they are. */
export type RetentionPolicyChanges = Partial<Omit<NewRetentionPolicy, 'id' | 'userId'>>;

/** Mails a job has deleted for one policy. */
export interface PolicyCount {
  readonly policyId: string;
  readonly name: string;
  readonly deleted: number;
}

const POLICY_COUNT_ROW: RowShape<PolicyCount> = {
  policyId: column.text,
  name: column.text,
  deleted: column.number,
};

/** Policies, and the counts of mails that jobs have deleted for them. */
@Injectable()
export class RetentionPoliciesRepository extends BaseRepository<RetentionPolicyEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, RetentionPolicyEntity);
  }

  /** Reads the database's clock, which all processes share. */
  async readClock(): Promise<Date> {
    const [row] = await this.queryRows({ now: column.date }, 'SELECT clock_timestamp() AS now');
    return row!.now;
  }

  findOwned(userId: string, id: string, transaction?: Transaction): Promise<RetentionPolicyEntity | null> {
    return this.getTable(transaction).findOneBy({ id, userId });
  }

  /** The policies of a user, newest first. */
  listOwned(userId: string): Promise<RetentionPolicyEntity[]> {
    return this.getTable().find({ where: { userId }, order: { id: 'DESC' } });
  }

  /** The active policies of a user, oldest first, which is the order in which they run. */
  listActive(userId: string): Promise<RetentionPolicyEntity[]> {
    return this.getTable().find({ where: { userId, isActive: true }, order: { id: 'ASC' } });
  }

  /** Active users who have active policies. */
  async findUsersWithPolicies(): Promise<string[]> {
    const rows = await this.queryRows(
      { id: column.text },
      `SELECT users.id FROM users WHERE users.is_active AND EXISTS (
         SELECT FROM retention_policies policy WHERE policy.user_id = users.id AND policy.is_active)
       ORDER BY users.id`,
    );
    return rows.map(({ id }) => id);
  }

  countOwned(userId: string, transaction: Transaction): Promise<number> {
    return this.getTable(transaction).countBy({ userId });
  }

  async insert(policy: NewRetentionPolicy, transaction: Transaction): Promise<void> {
    await this.getTable(transaction).insert({ ...policy });
  }

  /** @returns false when there is no such policy */
  async update(
    userId: string,
    id: string,
    changes: RetentionPolicyChanges,
    transaction: Transaction,
  ): Promise<boolean> {
    const { affected } = await this.getTable(transaction).update(
      { id, userId },
      { ...changes, updatedAt: () => 'now()' },
    );
    return affected === 1;
  }

  /** @returns false when there is no such policy */
  async delete(userId: string, id: string, transaction: Transaction): Promise<boolean> {
    const { affected } = await this.getTable(transaction).delete({ id, userId });
    return affected === 1;
  }

  /** Keeps the account from being deleted until the transaction ends. @returns false when it is not the user's */
  async lockAccount(userId: string, accountId: string, transaction: Transaction): Promise<boolean> {
    const accounts = await this.queryRows(
      {},
      'SELECT 1 FROM mailbox_accounts WHERE id = $1 AND user_id = $2 FOR KEY SHARE',
      [accountId, userId],
      transaction,
    );
    return accounts.length > 0;
  }

  /** The policy, locked until the transaction ends; null when there is none. */
  lock(userId: string, policyId: string, transaction: Transaction): Promise<RetentionPolicyEntity | null> {
    return this.getTable(transaction).findOne({
      where: { id: policyId, userId },
      lock: { mode: 'for_no_key_update' },
    });
  }

  /** Whether the user, whose row the transaction has locked, is active. */
  async isOwnerActive(userId: string, transaction: Transaction): Promise<boolean> {
    const found = await this.queryRows(
      {},
      'SELECT 1 FROM users WHERE id = $1 AND is_active',
      [userId],
      transaction,
    );
    return found.length > 0;
  }

  /**
   * Whether the account's mailbox was compared as a whole, or the policy was saved, since the last restored backup. True
   * when no backup was ever restored.
   */
  async isDecidedSinceRestore(policyId: string, accountId: string): Promise<boolean> {
    const waiting = await this.queryRows(
      {},
      `SELECT 1 FROM retention_policies policy
         LEFT JOIN archiving_settings settings ON settings.account_id = $2
        WHERE policy.id = $1 AND EXISTS (
          SELECT FROM restored_backups restored
           WHERE restored.restored_at >= greatest(policy.updated_at, settings.reconciled_at))`,
      [policyId, accountId],
    );
    return waiting.length === 0;
  }

  /** Records the start of a run. @returns false when there is no such policy or it is not active */
  async markStarted(userId: string, policyId: string): Promise<boolean> {
    const started = await this.executeAndCount(
      'UPDATE retention_policies SET last_run_at = now() WHERE id = $1 AND user_id = $2 AND is_active',
      [policyId, userId],
    );
    return started > 0;
  }

  /**
   * Counts mails deleted for a policy, in the transaction that deletes them.
   * @param runId id of the job; null: a run without a job
   */
  async count(
    policy: RetentionPolicyEntity,
    deleted: number,
    runId: string | null,
    transaction: Transaction,
  ): Promise<void> {
    await this.executeAndCount(
      'UPDATE retention_policies SET deleted_count = deleted_count + $3 WHERE id = $1 AND user_id = $2',
      [policy.id, policy.userId, deleted],
      transaction,
    );
    if (runId === null) return;
    await this.execute(
      `INSERT INTO retention_counts AS counted (job_id, policy_id, name, deleted) VALUES ($1, $2, $3, $4)
       ON CONFLICT (job_id, policy_id)
       DO UPDATE SET name = excluded.name, deleted = counted.deleted + excluded.deleted`,
      [runId, policy.id, policy.name, deleted],
      transaction,
    );
  }

  /** Numbers of mails that a job has deleted for each policy, in all its attempts. */
  countsOf(runId: string): Promise<PolicyCount[]> {
    return this.queryRows(
      POLICY_COUNT_ROW,
      `SELECT policy_id AS "policyId", name, deleted FROM retention_counts WHERE job_id = $1 ORDER BY policy_id`,
      [runId],
    );
  }

  /** Deletes the counts of jobs that have ended. @returns rows deleted */
  deleteEndedCounts(): Promise<number> {
    return this.executeAndCount(
      'DELETE FROM retention_counts USING jobs WHERE jobs.id = retention_counts.job_id AND jobs.completed_at IS NOT NULL',
    );
  }
}
