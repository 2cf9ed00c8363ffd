import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import type { Transaction } from '../../platform/database/transactions';
import type { UserRole } from '../../platform/access/authenticated-user';
import { ApiKeyEntity, ApiKeyScope } from './api-key.entity';
import { column, RowShape } from '../../platform/database/row-shape';
import { API_KEY_SCOPES } from './api-key.entity';

export type NewApiKey = Pick<
  ApiKeyEntity,
  'id' | 'userId' | 'name' | 'prefix' | 'keyHash' | 'scope' | 'accountIds' | 'expiresAt'
>;

/** A key as its owner may see it: all but its hash. */
export type ApiKeyRecord = Omit<ApiKeyEntity, 'keyHash' | 'userId'>;

const API_KEY_RECORD_ROW: RowShape<ApiKeyRecord> = {
  id: column.text,
  name: column.text,
  prefix: column.text,
  scope: column.oneOf(API_KEY_SCOPES),
  accountIds: column.nullable(column.array(column.text)),
  expiresAt: column.nullable(column.date),
  lastUsedAt: column.nullable(column.date),
  createdAt: column.date,
};

/** A key that may be used now, with its user. */
export interface LiveApiKey {
  readonly keyId: string;
  readonly userId: string;
  readonly email: string;
  readonly role: UserRole;
  readonly scope: ApiKeyScope;
  readonly accountIds: readonly string[] | null;
  readonly expiresAt: Date | null;
}

const LIVE_API_KEY_ROW: RowShape<LiveApiKey> = {
  keyId: column.text,
  userId: column.text,
  email: column.text,
  role: column.oneOf(['admin', 'user']),
  scope: column.oneOf(API_KEY_SCOPES),
  accountIds: column.nullable(column.array(column.text)),
  expiresAt: column.nullable(column.date),
};

const RECORD = `id, name, prefix, scope, account_ids AS "accountIds", expires_at AS "expiresAt",
  last_used_at AS "lastUsedAt", created_at AS "createdAt"`;

const LIVE = '(k.expires_at IS NULL OR k.expires_at > clock_timestamp()) AND u.is_active';

@Injectable()
export class ApiKeysRepository extends BaseRepository<ApiKeyEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ApiKeyEntity);
  }

  /** Newest first. */
  listOwned(userId: string): Promise<ApiKeyRecord[]> {
    return this.queryRows(
      API_KEY_RECORD_ROW,
      `SELECT ${RECORD} FROM api_keys WHERE user_id = $1 ORDER BY id DESC`,
      [userId],
    );
  }

  /** @returns null when the user has `limit` keys already */
  async insertBelow(limit: number, key: NewApiKey, transaction: Transaction): Promise<ApiKeyRecord | null> {
    const { id, userId, name, prefix, keyHash, scope, accountIds, expiresAt } = key;
    const [inserted] = await this.queryRows(
      API_KEY_RECORD_ROW,
      `INSERT INTO api_keys (id, user_id, name, prefix, key_hash, scope, account_ids, expires_at)
       SELECT $2::uuid, $3::uuid, $4, $5, $6, $7, $8::uuid[], $9::timestamptz
       WHERE (SELECT count(*) FROM api_keys WHERE user_id = $3::uuid) < $1::int
       RETURNING ${RECORD}`,
      [limit, id, userId, name, prefix, keyHash, scope, accountIds, expiresAt],
      transaction,
    );
    return inserted ?? null;
  }

  /** @returns its scope, or null when it is not the user's */
  async deleteOwned(userId: string, id: string, transaction: Transaction): Promise<ApiKeyScope | null> {
    const [deleted] = await this.queryRows(
      { scope: column.oneOf(API_KEY_SCOPES) },
      'DELETE FROM api_keys WHERE id = $1 AND user_id = $2 RETURNING scope',
      [id, userId],
      transaction,
    );
    return deleted?.scope ?? null;
  }

  /** null when there is no such key, or it has expired, or its user is inactive. */
  async findLive(keyHash: Buffer): Promise<LiveApiKey | null> {
    const [key] = await this.queryRows(
      LIVE_API_KEY_ROW,
      `SELECT k.id AS "keyId", u.id AS "userId", u.email, u.role, k.scope, k.account_ids AS "accountIds",
              k.expires_at AS "expiresAt"
       FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.key_hash = $1 AND ${LIVE}`,
      [keyHash],
    );
    return key ?? null;
  }

  async isLive(id: string): Promise<boolean> {
    const found = await this.queryRows(
      {},
      `SELECT 1 FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.id = $1 AND ${LIVE}`,
      [id],
    );
    return found.length > 0;
  }

  /** Updates the time of last use, unless the stored one is later, or less than `intervalSeconds` earlier. */
  async recordUse(id: string, at: Date, intervalSeconds: number): Promise<void> {
    await this.executeAndCount(
      `UPDATE api_keys SET last_used_at = $2
       WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $2::timestamptz - make_interval(secs => $3))`,
      [id, at, intervalSeconds],
    );
  }
}
