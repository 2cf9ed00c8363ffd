import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column } from '../../platform/database/row-shape';
import type { Transaction } from '../../platform/database/transactions';
import { PasswordResetEntity } from './password-reset.entity';

export type NewPasswordReset = Omit<PasswordResetEntity, 'createdAt'>;

const LIVE = 'token_hash = $1 AND expires_at > now()';
const ROW = { userId: column.text, passwordSeen: column.bytes, expiresAt: column.date };
const COLUMNS = 'user_id AS "userId", password_seen AS "passwordSeen", expires_at AS "expiresAt"';

type PasswordReset = Pick<PasswordResetEntity, 'userId' | 'passwordSeen' | 'expiresAt'>;

/** Links with which users may choose another password. */
@Injectable()
export class PasswordResetsRepository extends BaseRepository<PasswordResetEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, PasswordResetEntity);
  }

  /** Stores a link in place of the user's earlier one. */
  async replace(
    { userId, tokenHash, passwordSeen, expiresAt }: NewPasswordReset,
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `INSERT INTO password_resets (user_id, token_hash, password_seen, expires_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash,
         password_seen = excluded.password_seen, expires_at = excluded.expires_at, created_at = now()`,
      [userId, tokenHash, passwordSeen, expiresAt],
      transaction,
    );
  }

  /** Finds a link; null when there is none, or it has expired. */
  async findLive(tokenHash: Buffer): Promise<PasswordReset | null> {
    const [row] = await this.queryRows(ROW, `SELECT ${COLUMNS} FROM password_resets WHERE ${LIVE}`, [
      tokenHash,
    ]);
    return row ?? null;
  }

  /** Uses a link up. @returns as `findLive` */
  async redeem(tokenHash: Buffer, transaction: Transaction): Promise<PasswordReset | null> {
    const [row] = await this.queryRows(
      ROW,
      `DELETE FROM password_resets WHERE ${LIVE} RETURNING ${COLUMNS}`,
      [tokenHash],
      transaction,
    );
    return row ?? null;
  }
}
