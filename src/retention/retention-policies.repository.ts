import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import type { Transaction } from '../common/database/transactions';
import { RetentionPolicyEntity } from './retention-policy.entity';

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
    await this.rows('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId], transaction);
    if (accountId === null) return true;
    const accounts = await this.rows(
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
