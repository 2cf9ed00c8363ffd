import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { newId } from '../../platform/crypto/ids';
import type { Transaction } from '../../platform/database/transactions';
import { UserIdentityEntity } from './user-identity.entity';
import { column } from '../../platform/database/row-shape';

@Injectable()
export class UserIdentitiesRepository extends BaseRepository<UserIdentityEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, UserIdentityEntity);
  }

  /** The user of an identity; null when it is not linked. */
  async findUserId(issuer: string, subject: string, transaction?: Transaction): Promise<string | null> {
    const [identity] = await this.queryRows(
      { userId: column.text },
      'SELECT user_id AS "userId" FROM user_identities WHERE issuer = $1 AND subject = $2',
      [issuer, subject],
      transaction,
    );
    return identity?.userId ?? null;
  }

  /** @returns false when the identity is linked already, or the user has another one of this provider */
  async insert(userId: string, issuer: string, subject: string, transaction: Transaction): Promise<boolean> {
    const inserted = await this.queryRows(
      { id: column.text },
      `INSERT INTO user_identities (id, user_id, issuer, subject) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING RETURNING id`,
      [newId(), userId, issuer, subject],
      transaction,
    );
    return inserted.length > 0;
  }

  async recordUse(issuer: string, subject: string): Promise<void> {
    await this.executeAndCount(
      'UPDATE user_identities SET last_used_at = now() WHERE issuer = $1 AND subject = $2',
      [issuer, subject],
    );
  }

  /** @returns number of identities deleted */
  deleteAllOf(userId: string, transaction: Transaction): Promise<number> {
    return this.executeAndCount('DELETE FROM user_identities WHERE user_id = $1', [userId], transaction);
  }
}
