import { Injectable } from '@nestjs/common';
import { AuditDetails, AuditTrail } from '../../platform/access/audit-trail.port';
import { AccountNotOwned } from '../../platform/access/access.errors';
import { newId } from '../../platform/crypto/ids';
import { Transaction, Transactions } from '../../platform/database/transactions';
import { ResourceNotFound } from '../../platform/http/domain-error';
import type { CreateRetentionPolicyDto, UpdateRetentionPolicyDto } from './dto/retention.dto';
import { RetentionPoliciesRepository, RetentionPolicyChanges } from './retention-policies.repository';
import { UserLocks } from '../../identity/users/user-locks';
import type { RetentionPolicyEntity } from './retention-policy.entity';
import { MAX_RETENTION_POLICIES, RetentionPolicyLimit } from './retention.errors';

/** A user's retention policies. */
@Injectable()
export class RetentionPoliciesService {
  constructor(
    private readonly policies: RetentionPoliciesRepository,
    private readonly userLocks: UserLocks,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
  ) {}

  /** The policies of a user, newest first. */
  list(userId: string): Promise<RetentionPolicyEntity[]> {
    return this.policies.listOwned(userId);
  }

  /** The active policies of a user, oldest first, which is the order in which they run. */
  listActive(userId: string): Promise<RetentionPolicyEntity[]> {
    return this.policies.listActive(userId);
  }

  /** A policy of the user. @throws ResourceNotFound when it is not the user's */
  async get(userId: string, policyId: string, transaction?: Transaction): Promise<RetentionPolicyEntity> {
    const policy = await this.policies.findOwned(userId, policyId, transaction);
    if (!policy) throw new ResourceNotFound('retention policy');
    return policy;
  }

  /** @throws AccountNotOwned, RetentionPolicyLimit */
  async create(userId: string, body: CreateRetentionPolicyDto): Promise<RetentionPolicyEntity> {
    const { name, mailboxAccountId = null, label = null, maxAgeDays } = body;
    const { isActive = true, includeOffloaded = false } = body;
    const policy = {
      id: newId(),
      userId,
      mailboxAccountId,
      name,
      label,
      maxAgeDays,
      isActive,
      includeOffloaded,
    };
    return this.transactions.run(async (transaction) => {
      await this.lockOwner(userId, mailboxAccountId, transaction);
      const count = await this.policies.countOwned(userId, transaction);
      if (count >= MAX_RETENTION_POLICIES) throw new RetentionPolicyLimit();
      await this.policies.insert(policy, transaction);
      await this.record('retention-policy.created', policy, transaction, {
        maxAgeDays,
        isActive,
        includeOffloaded,
      });
      return this.get(userId, policy.id, transaction);
    });
  }

  /**
   * Changes the fields given. A run under way follows the change from its next batch on.
   * @throws AccountNotOwned, ResourceNotFound
   */
  async update(
    userId: string,
    policyId: string,
    body: UpdateRetentionPolicyDto,
  ): Promise<RetentionPolicyEntity> {
    const { name, mailboxAccountId, label, maxAgeDays, isActive, includeOffloaded } = body;
    const changes: RetentionPolicyChanges = {
      ...(name !== undefined && { name }),
      ...(mailboxAccountId !== undefined && { mailboxAccountId }),
      ...(label !== undefined && { label }),
      ...(maxAgeDays !== undefined && { maxAgeDays }),
      ...(isActive !== undefined && { isActive }),
      ...(includeOffloaded !== undefined && { includeOffloaded }),
    };
    return this.transactions.run(async (transaction) => {
      await this.lockOwner(userId, mailboxAccountId ?? null, transaction);
      if (!(await this.policies.update(userId, policyId, changes, transaction))) {
        throw new ResourceNotFound('retention policy');
      }
      const policy = await this.get(userId, policyId, transaction);
      await this.record('retention-policy.changed', policy, transaction, {
        changed: Object.keys(changes),
        maxAgeDays: policy.maxAgeDays,
        isActive: policy.isActive,
        includeOffloaded: policy.includeOffloaded,
      });
      return policy;
    });
  }

  /** Deletes a policy; the mail that it has deleted stays deleted. @throws ResourceNotFound */
  async delete(userId: string, policyId: string): Promise<void> {
    await this.transactions.run(async (transaction) => {
      const policy = await this.get(userId, policyId, transaction);
      const isKnown = await this.policies.delete(userId, policyId, transaction);
      if (!isKnown) throw new ResourceNotFound('retention policy');
      await this.record('retention-policy.deleted', policy, transaction);
    });
  }

  /**
   * Makes changes of the user's policies take turns, and keeps the account from being deleted, until the transaction
   * ends. Owner, account, policy: the order in which an account is deleted, so that there is no deadlock.
   */
  private async lockOwner(userId: string, accountId: string | null, transaction: Transaction): Promise<void> {
    await this.userLocks.lock(userId, transaction);
    if (accountId === null) return;
    if (!(await this.policies.lockAccount(userId, accountId, transaction))) throw new AccountNotOwned();
  }

  private record(
    action: string,
    { id, userId, mailboxAccountId }: Pick<RetentionPolicyEntity, 'id' | 'userId' | 'mailboxAccountId'>,
    transaction: Transaction,
    details?: AuditDetails,
  ): Promise<void> {
    const target = { type: 'retention-policy', id };
    return this.audit.record({ action, userId, accountId: mailboxAccountId, target, details }, transaction);
  }
}
