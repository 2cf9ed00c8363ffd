import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import type { Transaction } from '../common/database/transactions';
import { RetentionPolicyEntity } from './retention-policy.entity';
import { column, RowShape } from '../common/database/row-shape';

export type NewRetentionPolicy = Pick<
  RetentionPolicyEntity,
  'id' | 'userId' | 'mailboxAccountId' | 'name' | 'label' | 'maxAgeDays' | 'isActive'
>;

/** What may change about a policy; absent fields stay as they are. */
export type RetentionPolicyChanges = Partial<Omit<NewRetentionPolicy, 'id' | 'userId'>>;

/** Policies; every query has the owner in its WHERE clause. */
@Injectable()
export class RetentionPoliciesRepository extends BaseRepository<RetentionPolicyEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, RetentionPolicyEntity);
  }

  findOwned(userId: string, id: string, transaction?: Transaction): Promise<RetentionPolicyEntity | null> {
    return this.table(transaction).findOneBy({ id, userId });
  }

  /** Newest first. */
  listOwned(userId: string): Promise<RetentionPolicyEntity[]> {
    return this.table().find({ where: { userId }, order: { id: 'DESC' } });
  }

  /** Oldest first, the order in which they run. */
  listActive(userId: string): Promise<RetentionPolicyEntity[]> {
    return this.table().find({ where: { userId, isActive: true }, order: { id: 'ASC' } });
  }

  /**
   * Makes those who change the user's policies take turns, and keeps the account from being removed, until the
   * transaction ends. Owner, account, policy: the order in which a removal takes them, so that neither waits for the
   * other for ever. @returns false when the account is not the user's
   */
  async lockOwner(userId: string, accountId: string | null, transaction: Transaction): Promise<boolean> {
    await this.execute('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId], transaction);
    if (accountId === null) return true;
    const accounts = await this.rows(
      {},
      'SELECT 1 FROM mailbox_accounts WHERE id = $1 AND user_id = $2 FOR KEY SHARE',
      [accountId, userId],
      transaction,
    );
    return accounts.length > 0;
  }

  countOwned(userId: string, transaction: Transaction): Promise<number> {
    return this.table(transaction).countBy({ userId });
  }

  async insert(policy: NewRetentionPolicy, transaction: Transaction): Promise<void> {
    await this.table(transaction).insert({ ...policy });
  }

  /** @returns false when there is no such policy */
  async update(
    userId: string,
    id: string,
    changes: RetentionPolicyChanges,
    transaction: Transaction,
  ): Promise<boolean> {
    const { affected } = await this.table(transaction).update(
      { id, userId },
      { ...changes, updatedAt: () => 'now()' },
    );
    return affected === 1;
  }

  /** @returns false when there is no such policy */
  async delete(userId: string, id: string, transaction: Transaction): Promise<boolean> {
    const { affected } = await this.table(transaction).delete({ id, userId });
    return affected === 1;
  }
}

/** What a job has removed for one policy. */
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

/** Runs as the policies themselves remember them, and what jobs have removed. */
@Injectable()
export class RetentionRunsRepository extends BaseRepository<RetentionPolicyEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, RetentionPolicyEntity);
  }

  /** Notes the start of a run. @returns false when there is no such policy or it is not active */
  async markStarted(userId: string, policyId: string): Promise<boolean> {
    const started = await this.affected(
      'UPDATE retention_policies SET last_run_at = now() WHERE id = $1 AND user_id = $2 AND is_active',
      [policyId, userId],
    );
    return started > 0;
  }

  /** Whether anything may be done for the user, whose row is locked: they stay what they are. */
  async isOwnerActive(userId: string, transaction: Transaction): Promise<boolean> {
    const found = await this.rows(
      {},
      'SELECT 1 FROM users WHERE id = $1 AND is_active',
      [userId],
      transaction,
    );
    return found.length > 0;
  }

  /** The policy as it is, and stays until the transaction ends. */
  lock(userId: string, policyId: string, transaction: Transaction): Promise<RetentionPolicyEntity | null> {
    return this.table(transaction).findOne({
      where: { id: policyId, userId },
      lock: { mode: 'for_no_key_update' },
    });
  }

  /**
   * Counts mails removed for a policy, in the transaction that removes them.
   * @param runId id of the job; null: no job
   */
  async count(
    policy: RetentionPolicyEntity,
    deleted: number,
    runId: string | null,
    transaction: Transaction,
  ): Promise<void> {
    await this.affected(
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

  /** What a job has removed, in all its attempts. */
  countsOf(runId: string): Promise<PolicyCount[]> {
    return this.rows(
      POLICY_COUNT_ROW,
      `SELECT policy_id AS "policyId", name, deleted FROM retention_counts WHERE job_id = $1 ORDER BY policy_id`,
      [runId],
    );
  }

  /** Counts of jobs that came to their end. @returns how many they were */
  removeEndedCounts(): Promise<number> {
    return this.affected(
      'DELETE FROM retention_counts USING jobs WHERE jobs.id = retention_counts.job_id AND jobs.completed_at IS NOT NULL',
    );
  }

  /** Active users who have active policies. */
  async usersWithPolicies(): Promise<string[]> {
    const rows = await this.rows(
      { id: column.text },
      `SELECT users.id FROM users WHERE users.is_active AND EXISTS (
         SELECT FROM retention_policies policy WHERE policy.user_id = users.id AND policy.is_active)
       ORDER BY users.id`,
    );
    return rows.map(({ id }) => id);
  }
}
