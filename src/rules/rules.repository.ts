import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import type { Transaction } from '../common/database/transactions';
import type { RuleAction, RuleCondition, RuleSchedule } from './rule';
import { RuleEntity } from './rule.entity';

export interface NewRule {
  readonly id: string;
  readonly userId: string;
  readonly mailboxAccountId: string;
  readonly name: string;
  readonly description: string | null;
  readonly conditions: RuleCondition[];
  readonly action: RuleAction;
  readonly schedule: RuleSchedule | null;
  readonly isActive: boolean;
}

/** What may change about a rule; absent fields stay as they are. */
export type RuleChanges = Partial<Omit<NewRule, 'id' | 'userId' | 'mailboxAccountId'>>;

/** Rules; every query has the owner and the account in its WHERE clause. */
@Injectable()
export class RulesRepository extends BaseRepository<RuleEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, RuleEntity);
  }

  findOwned(userId: string, accountId: string, id: string): Promise<RuleEntity | null> {
    return this.table().findOneBy({ id, userId, mailboxAccountId: accountId });
  }

  /** Newest first. */
  listOwned(userId: string, accountId: string): Promise<RuleEntity[]> {
    return this.table().find({
      where: { userId, mailboxAccountId: accountId },
      order: { id: 'DESC' },
    });
  }

  /**
   * The number of the account's rules, with the account locked: rules of one account are created one after another.
   * @returns undefined when the account is gone
   */
  async lockCount(userId: string, accountId: string, transaction: Transaction): Promise<number | undefined> {
    const locked = await this.rows(
      // The owner first, as a deletion has it: neither waits for the other for ever.
      `WITH owner AS (SELECT id FROM users WHERE id = $2 FOR KEY SHARE)
       SELECT 1 FROM owner JOIN mailbox_accounts account ON account.user_id = owner.id
       WHERE account.id = $1 FOR NO KEY UPDATE OF account`,
      [accountId, userId],
      transaction,
    );
    if (locked.length === 0) return undefined;
    return this.table(transaction).countBy({ userId, mailboxAccountId: accountId });
  }

  async insert(rule: NewRule, transaction: Transaction): Promise<void> {
    await this.table(transaction).insert({ ...rule });
  }

  /** @returns false when there is no such rule */
  async update(
    userId: string,
    accountId: string,
    id: string,
    changes: RuleChanges,
    transaction: Transaction,
  ): Promise<boolean> {
    const { affected } = await this.table(transaction).update(
      { id, userId, mailboxAccountId: accountId },
      { ...changes, updatedAt: () => 'now()' },
    );
    return affected === 1;
  }

  /** Switches a rule on or off. @returns what it is now, or null when there is no such rule */
  async toggle(
    userId: string,
    accountId: string,
    id: string,
    transaction: Transaction,
  ): Promise<{ isActive: boolean } | null> {
    const [toggled] = await this.rows<{ isActive: boolean }>(
      `UPDATE rules SET is_active = NOT is_active, updated_at = now()
       WHERE id = $1 AND user_id = $2 AND mailbox_account_id = $3 RETURNING is_active AS "isActive"`,
      [id, userId, accountId],
      transaction,
    );
    return toggled ?? null;
  }

  /** @returns false when there is no such rule */
  async delete(userId: string, accountId: string, id: string, transaction: Transaction): Promise<boolean> {
    const { affected } = await this.table(transaction).delete({ id, userId, mailboxAccountId: accountId });
    return affected === 1;
  }
}
