import { Injectable } from '@nestjs/common';
import { AccountNotOwned } from '../common/auth/auth.errors';
import { newId } from '../common/database/ids';
import { Transaction, Transactions } from '../common/database/transactions';
import { ResourceNotFound } from '../common/http/domain-error';
import type { CreateRetentionPolicyDto, UpdateRetentionPolicyDto } from './dto/retention-policies.dto';
import { RetentionPoliciesRepository, RetentionPolicyChanges } from './retention-policies.repository';
import type { RetentionPolicyEntity } from './retention-policy.entity';
import { MAX_RETENTION_POLICIES, RetentionPolicyLimit } from './retention.errors';

/** How long a user's archived mail is kept. */
@Injectable()
export class RetentionPolicies {
  constructor(
    private readonly policies: RetentionPoliciesRepository,
    private readonly transactions: Transactions,
  ) {}

  /** Newest first. */
  list(userId: string): Promise<RetentionPolicyEntity[]> {
    return this.policies.listOwned(userId);
  }

  /** @throws ResourceNotFound when it is not the user's */
  async get(userId: string, policyId: string, transaction?: Transaction): Promise<RetentionPolicyEntity> {
    const policy = await this.policies.findOwned(userId, policyId, transaction);
    if (!policy) throw new ResourceNotFound('retention policy');
    return policy;
  }

  /** @throws AccountNotOwned, RetentionPolicyLimit */
  async create(
    userId: string,
    { name, mailboxAccountId = null, label = null, maxAgeDays, isActive = true }: CreateRetentionPolicyDto,
  ): Promise<RetentionPolicyEntity> {
    const policy = { id: newId(), userId, mailboxAccountId, name, label, maxAgeDays, isActive };
    return this.transactions.run(async (transaction) => {
      if (!(await this.policies.lockOwner(userId, mailboxAccountId, transaction)))
        throw new AccountNotOwned();
      const count = await this.policies.countOwned(userId, transaction);
      if (count >= MAX_RETENTION_POLICIES) throw new RetentionPolicyLimit();
      await this.policies.insert(policy, transaction);
      return this.get(userId, policy.id, transaction);
    });
  }

  /**
   * Changes what the body holds; a run that is under way goes by it from its next batch on.
   * @throws AccountNotOwned, ResourceNotFound
   */
  async update(
    userId: string,
    policyId: string,
    body: UpdateRetentionPolicyDto,
  ): Promise<RetentionPolicyEntity> {
    const { name, mailboxAccountId, label, maxAgeDays, isActive } = body;
    const changes: RetentionPolicyChanges = {
      ...(name !== undefined && { name }),
      ...(mailboxAccountId !== undefined && { mailboxAccountId }),
      ...(label !== undefined && { label }),
      ...(maxAgeDays !== undefined && { maxAgeDays }),
      ...(isActive !== undefined && { isActive }),
    };
    return this.transactions.run(async (transaction) => {
      const isOwned = await this.policies.lockOwner(userId, mailboxAccountId ?? null, transaction);
      if (!isOwned) throw new AccountNotOwned();
      if (!(await this.policies.update(userId, policyId, changes, transaction))) {
        throw new ResourceNotFound('retention policy');
      }
      return this.get(userId, policyId, transaction);
    });
  }

  /** Mail it has removed stays removed. @throws ResourceNotFound */
  async delete(userId: string, policyId: string): Promise<void> {
    if (!(await this.policies.delete(userId, policyId))) throw new ResourceNotFound('retention policy');
  }
}
