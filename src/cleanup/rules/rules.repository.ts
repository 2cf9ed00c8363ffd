import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import type { Transaction } from '../../platform/database/transactions';
import { RULE_SCHEDULES, SCHEDULE_SECONDS } from './rule';
import type { RuleAction, RuleCondition, RuleSchedule } from './rule';
import { RuleEntity } from './rule.entity';
import { column, RowShape } from '../../platform/database/row-shape';

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

/** Id, owner and account of a rule, all of which must match. */
export interface RuleKey {
  readonly userId: string;
  readonly accountId: string;
  readonly ruleId: string;
}

/** The fields of a rule that may change; absent fields stay as they are. */
export type RuleChanges = Partial<Omit<NewRule, 'id' | 'userId' | 'mailboxAccountId'>>;

const RULE_KEY_ROW: RowShape<RuleKey> = { userId: column.text, accountId: column.text, ruleId: column.text };

/** A rule with its times as responses have them. */
export type SavedRule = Omit<RuleEntity, 'lastRunAt' | 'createdAt' | 'updatedAt'> & {
  readonly lastRunAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

const RULE_ROW: RowShape<SavedRule> = {
  id: column.text,
  userId: column.text,
  mailboxAccountId: column.text,
  name: column.text,
  description: column.nullable(column.text),
  conditions: column.json<RuleCondition[]>(),
  action: column.json<RuleAction>(),
  schedule: column.nullable(column.oneOf(RULE_SCHEDULES)),
  isActive: column.boolean,
  lastRunAt: column.nullable(column.timestamp),
  lastRunCount: column.nullable(column.number),
  createdAt: column.timestamp,
  updatedAt: column.timestamp,
};

const OWNED = `
  SELECT id, user_id AS "userId", mailbox_account_id AS "mailboxAccountId", name, description, conditions, action, schedule,
         is_active AS "isActive", last_run_at AS "lastRunAt", last_run_count AS "lastRunCount",
         created_at AS "createdAt", updated_at AS "updatedAt"
  FROM rules WHERE user_id = $1 AND mailbox_account_id = $2`;

const FIND_OWNED = { name: 'rule-of-account', sql: `${OWNED} AND id = $3` };
const LIST_OWNED = { name: 'rules-of-account', sql: `${OWNED} ORDER BY id DESC` };

/** Rules; every query has the owner and the account in its WHERE clause. */
@Injectable()
export class RulesRepository extends BaseRepository<RuleEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, RuleEntity);
  }

  async findOwned(userId: string, accountId: string, id: string): Promise<SavedRule | null> {
    const [rule] = await this.readRows(RULE_ROW, FIND_OWNED, [userId, accountId, id]);
    return rule ?? null;
  }

  /** Rules of an account, newest first. */
  listOwned(userId: string, accountId: string): Promise<SavedRule[]> {
    return this.readRows(RULE_ROW, LIST_OWNED, [userId, accountId]);
  }

  /**
   * Locks the account and counts its rules, so that rules of one account are created one after another.
   * @returns undefined when the account is gone
   */
  async lockCount(userId: string, accountId: string, transaction: Transaction): Promise<number | undefined> {
    const locked = await this.queryRows(
      {},
      // The owner is locked first, as a deletion does: this avoids a deadlock.
      `WITH owner AS (SELECT id FROM users WHERE id = $2 FOR KEY SHARE)
       SELECT 1 FROM owner JOIN mailbox_accounts account ON account.user_id = owner.id
       WHERE account.id = $1 FOR NO KEY UPDATE OF account`,
      [accountId, userId],
      transaction,
    );
    if (locked.length === 0) return undefined;
    return this.getTable(transaction).countBy({ userId, mailboxAccountId: accountId });
  }

  async insert(rule: NewRule, transaction: Transaction): Promise<void> {
    await this.getTable(transaction).insert({ ...rule });
  }

  /** Changes a rule. @returns false when there is no such rule */
  async update(
    userId: string,
    accountId: string,
    id: string,
    changes: RuleChanges,
    transaction: Transaction,
  ): Promise<boolean> {
    const { affected } = await this.getTable(transaction).update(
      { id, userId, mailboxAccountId: accountId },
      { ...changes, updatedAt: () => 'now()' },
    );
    return affected === 1;
  }

  /** Activates or deactivates a rule. @returns its new state, or null when there is no such rule */
  async toggle(
    userId: string,
    accountId: string,
    id: string,
    transaction: Transaction,
  ): Promise<{ isActive: boolean } | null> {
    const [toggled] = await this.queryRows(
      { isActive: column.boolean },
      `UPDATE rules SET is_active = NOT is_active, updated_at = now()
       WHERE id = $1 AND user_id = $2 AND mailbox_account_id = $3 RETURNING is_active AS "isActive"`,
      [id, userId, accountId],
      transaction,
    );
    return toggled ?? null;
  }

  /** Deletes a rule. @returns false when there is no such rule */
  async delete(userId: string, accountId: string, id: string, transaction: Transaction): Promise<boolean> {
    const { affected } = await this.getTable(transaction).delete({ id, userId, mailboxAccountId: accountId });
    return affected === 1;
  }

  /**
   * Records the start of a run. The owner is locked before the rule, the order of a deletion: this avoids a deadlock.
   * @returns false when there is no such rule
   */
  async markStarted(key: RuleKey, transaction: Transaction): Promise<boolean> {
    const started = await this.executeAndCount(
      `WITH owner AS (
         SELECT account.id, account.user_id FROM users JOIN mailbox_accounts account ON account.user_id = users.id
         WHERE users.id = $2 AND account.id = $3 FOR KEY SHARE
       )
       UPDATE rules SET last_run_at = now() FROM owner
       WHERE rules.id = $1 AND rules.user_id = owner.user_id AND rules.mailbox_account_id = owner.id`,
      [key.ruleId, key.userId, key.accountId],
      transaction,
    );
    return started > 0;
  }

  /** Records the count of a run; a rule deleted meanwhile is skipped. */
  async markCompleted(key: RuleKey, count: number, transaction: Transaction): Promise<void> {
    await this.executeAndCount(
      `UPDATE rules SET last_run_count = $4 WHERE id = $1 AND user_id = $2 AND mailbox_account_id = $3`,
      [key.ruleId, key.userId, key.accountId, count],
      transaction,
    );
  }

  /**
   * Takes rules that are due and records their start; each of several processes gets different ones. Rules of unusable accounts
   * and inactive users stay due, and so do rules whose last run has not ended. Rows that are being deleted are skipped, which
   * avoids a deadlock with the deletion.
   * @param jobKind of the runs, in the terms of the partial index jobs_open_idx
   */
  claimDue(jobKind: string, limit: number, transaction: Transaction): Promise<RuleKey[]> {
    return this.queryRows(
      RULE_KEY_ROW,
      `WITH due AS (
         SELECT rule.id FROM rules rule
         JOIN mailbox_accounts account ON account.id = rule.mailbox_account_id
         JOIN users ON users.id = rule.user_id
         JOIN jsonb_each_text($3::jsonb) AS every (schedule, seconds) ON every.schedule = rule.schedule
         WHERE rule.is_active AND rule.schedule IS NOT NULL
           AND (rule.last_run_at IS NULL
                OR rule.last_run_at <= now() - make_interval(secs => every.seconds::float8))
           AND account.is_active AND account.status = 'connected' AND users.is_active
           AND NOT EXISTS (
             SELECT FROM jobs WHERE jobs.type = $1 AND jobs.mailbox_account_id = account.id
               AND (jobs.status IN ('pending', 'active') OR jobs.lease_until IS NOT NULL)
               AND jobs.payload ->> 'ruleId' = rule.id::text)
         ORDER BY rule.last_run_at NULLS FIRST LIMIT $2
         FOR KEY SHARE OF users, account SKIP LOCKED FOR UPDATE OF rule SKIP LOCKED
       )
       UPDATE rules SET last_run_at = now() FROM due WHERE rules.id = due.id
       RETURNING rules.id AS "ruleId", rules.user_id AS "userId", rules.mailbox_account_id AS "accountId"`,
      [jobKind, limit, JSON.stringify(SCHEDULE_SECONDS)],
      transaction,
    );
  }
}
