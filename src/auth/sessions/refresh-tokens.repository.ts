import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../common/database/base.repository';
import type { Transaction } from '../../common/database/transactions';
import { RefreshTokenEntity } from '../refresh-token.entity';

@Injectable()
export class RefreshTokensRepository extends BaseRepository<RefreshTokenEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, RefreshTokenEntity);
  }

  async insert(tokenHash: Buffer, sessionId: string, transaction: Transaction): Promise<void> {
    await this.rows(
      'INSERT INTO refresh_tokens (token_hash, session_id) VALUES ($1, $2)',
      [tokenHash, sessionId],
      transaction,
    );
  }

  /** Uses the token up. Of several at the same time one gets its session, the others null. */
  async use(tokenHash: Buffer, transaction: Transaction): Promise<string | null> {
    const [token] = await this.rows<{ sessionId: string }>(
      `UPDATE refresh_tokens SET used_at = now() WHERE token_hash = $1 AND used_at IS NULL
       RETURNING session_id AS "sessionId"`,
      [tokenHash],
      transaction,
    );
    return token?.sessionId ?? null;
  }

  /** The session a token was issued to, used or not; null when it was never issued. */
  async findSession(tokenHash: Buffer, transaction: Transaction): Promise<string | null> {
    const [token] = await this.rows<{ sessionId: string }>(
      'SELECT session_id AS "sessionId" FROM refresh_tokens WHERE token_hash = $1',
      [tokenHash],
      transaction,
    );
    return token?.sessionId ?? null;
  }
}
