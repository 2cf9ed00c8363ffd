import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column } from '../../platform/database/row-shape';
import type { Transaction } from '../../platform/database/transactions';
import { InvitationEntity } from './invitation.entity';

export type NewInvitation = Pick<InvitationEntity, 'userId' | 'tokenHash' | 'expiresAt'>;

/** Invitations that are open; one that is accepted has no row. */
@Injectable()
export class InvitationsRepository extends BaseRepository<InvitationEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, InvitationEntity);
  }

  /** Stores an invitation in place of the user's earlier one. */
  async replace({ userId, tokenHash, expiresAt }: NewInvitation, transaction: Transaction): Promise<void> {
    await this.execute(
      `INSERT INTO invitations (user_id, token_hash, expires_at) VALUES ($1, $2, $3)
       ON CONFLICT (user_id) DO UPDATE SET
         token_hash = excluded.token_hash, expires_at = excluded.expires_at, created_at = now()`,
      [userId, tokenHash, expiresAt],
      transaction,
    );
  }

  /** null when there is none, or it has expired. */
  async findLive(tokenHash: Buffer): Promise<Pick<InvitationEntity, 'userId' | 'expiresAt'> | null> {
    const [row] = await this.queryRows(
      { userId: column.text, expiresAt: column.date },
      `SELECT user_id AS "userId", expires_at AS "expiresAt" FROM invitations
       WHERE token_hash = $1 AND expires_at > now()`,
      [tokenHash],
    );
    return row ?? null;
  }

  /** Uses the invitation up. @returns its user; null as `findLive` */
  async redeem(tokenHash: Buffer, transaction: Transaction): Promise<string | null> {
    const [row] = await this.queryRows(
      { userId: column.text },
      `DELETE FROM invitations WHERE token_hash = $1 AND expires_at > now() RETURNING user_id AS "userId"`,
      [tokenHash],
      transaction,
    );
    return row?.userId ?? null;
  }
}
