import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { AccountNotOwned } from '../../platform/access/access.errors';
import { AccountOwnership } from '../../platform/access/account-ownership.port';
import { newId } from '../../platform/crypto/ids';
import { Transactions } from '../../platform/database/transactions';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { AccessChanges } from '../sessions/access-changes';
import { UserLocks } from '../users/user-locks';
import type { ApiKeyScope } from './api-key.entity';
import { hashApiKey, newApiKey, shownPrefixOf } from './api-key-format';
import { ApiKeyLimit, MAX_API_KEYS } from './api-keys.errors';
import { ApiKeyRecord, ApiKeysRepository } from './api-keys.repository';

export interface ApiKeyChoice {
  readonly name: string;
  readonly scope: ApiKeyScope;
  /** null: it does not expire. */
  readonly expiresAt: Date | null;
  /** Distinct and lower-case; null: every account the user has at the time of use. */
  readonly accountIds: readonly string[] | null;
}

/** API keys of a user: list, create, revoke. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly userLocks: UserLocks,
    private readonly ownership: AccountOwnership,
    private readonly accessChanges: AccessChanges,
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /** Newest first. */
  list(userId: string): Promise<ApiKeyRecord[]> {
    return this.keys.listOwned(userId);
  }

  /**
   * @returns the record and the key itself, which is not stored
   * @throws AccountNotOwned, ApiKeyLimit
   */
  async create(userId: string, choice: ApiKeyChoice): Promise<{ record: ApiKeyRecord; key: string }> {
    const { name, scope, expiresAt, accountIds } = choice;
    if (accountIds && !(await this.ownership.ownsAll(userId, accountIds))) throw new AccountNotOwned();
    const key = newApiKey();
    const record = await this.transactions.run(async (transaction) => {
      await this.userLocks.lock(userId, transaction);
      const created = await this.keys.insertBelow(
        MAX_API_KEYS,
        {
          id: newId(),
          userId,
          name,
          prefix: shownPrefixOf(key),
          keyHash: hashApiKey(key),
          scope,
          accountIds: accountIds && [...accountIds],
          expiresAt,
        },
        transaction,
      );
      if (!created) throw new ApiKeyLimit();
      await this.audit.record(
        {
          action: 'api-key.created',
          userId,
          target: { type: 'api-key', id: created.id },
          details: {
            scope,
            accounts: accountIds?.length ?? null,
            expiresAt: expiresAt?.toISOString() ?? null,
          },
        },
        transaction,
      );
      return created;
    });
    return { record, key };
  }

  /** Every process refuses the key from now on. @throws ResourceNotFound when it is not the user's */
  async revoke(userId: string, keyId: string): Promise<void> {
    await this.transactions.run(async (transaction) => {
      const scope = await this.keys.deleteOwned(userId, keyId, transaction);
      if (!scope) throw new ResourceNotFound('api key');
      await this.audit.record(
        { action: 'api-key.revoked', userId, target: { type: 'api-key', id: keyId }, details: { scope } },
        transaction,
      );
      transaction.afterCommit(() => this.accessChanges.announce({ apiKeyId: keyId }));
    });
  }
}
