import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column, type RowShape } from '../../platform/database/row-shape';
import type { Transaction } from '../../platform/database/transactions';
import { PasskeyEntity } from './passkey.entity';

/** A passkey as its owner may see it. */
export type PasskeyRecord = Pick<PasskeyEntity, 'id' | 'name' | 'isSynced' | 'lastUsedAt' | 'createdAt'>;

const RECORD_ROW: RowShape<PasskeyRecord> = {
  id: column.text,
  name: column.text,
  isSynced: column.boolean,
  lastUsedAt: column.nullable(column.date),
  createdAt: column.date,
};
const RECORD = `id, name, is_synced AS "isSynced", last_used_at AS "lastUsedAt", created_at AS "createdAt"`;

export type NewPasskey = Omit<PasskeyEntity, 'lastUsedAt' | 'createdAt'>;

/** The parts of a passkey by which browsers recognise it. */
export type KnownCredential = Pick<PasskeyEntity, 'credentialId' | 'transports'>;

/** The parts of a passkey that check a signature. */
export type VerifiableCredential = Pick<
  PasskeyEntity,
  'id' | 'userId' | 'credentialId' | 'publicKey' | 'counter'
>;

@Injectable()
export class PasskeysRepository extends BaseRepository<PasskeyEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, PasskeyEntity);
  }

  /** Newest first. */
  listOwned(userId: string): Promise<PasskeyRecord[]> {
    return this.queryRows(RECORD_ROW, `SELECT ${RECORD} FROM passkeys WHERE user_id = $1 ORDER BY id DESC`, [
      userId,
    ]);
  }

  credentialsOf(userId: string): Promise<KnownCredential[]> {
    return this.queryRows(
      { credentialId: column.bytes, transports: column.array(column.text) },
      `SELECT credential_id AS "credentialId", transports FROM passkeys WHERE user_id = $1`,
      [userId],
    );
  }

  /** @returns null when the user has `limit` passkeys already, or the credential is known */
  async insertBelow(
    limit: number,
    passkey: NewPasskey,
    transaction: Transaction,
  ): Promise<PasskeyRecord | null> {
    const { id, userId, name, credentialId, publicKey, counter, transports, isSynced } = passkey;
    const [inserted] = await this.queryRows(
      RECORD_ROW,
      `INSERT INTO passkeys (id, user_id, name, credential_id, public_key, counter, transports, is_synced)
       SELECT $2::uuid, $3::uuid, $4, $5::bytea, $6::bytea, $7::bigint, $8::text[], $9::boolean
       WHERE (SELECT count(*) FROM passkeys WHERE user_id = $3::uuid) < $1::int
       ON CONFLICT (credential_id) DO NOTHING
       RETURNING ${RECORD}`,
      [limit, id, userId, name, credentialId, publicKey, counter, transports, isSynced],
      transaction,
    );
    return inserted ?? null;
  }

  async renameOwned(
    userId: string,
    id: string,
    name: string,
    transaction: Transaction,
  ): Promise<PasskeyRecord | null> {
    const [renamed] = await this.queryRows(
      RECORD_ROW,
      `UPDATE passkeys SET name = $3 WHERE id = $1 AND user_id = $2 RETURNING ${RECORD}`,
      [id, userId, name],
      transaction,
    );
    return renamed ?? null;
  }

  async deleteOwned(userId: string, id: string, transaction: Transaction): Promise<boolean> {
    const deleted = await this.executeAndCount(
      'DELETE FROM passkeys WHERE id = $1 AND user_id = $2',
      [id, userId],
      transaction,
    );
    return deleted === 1;
  }

  async countOwned(userId: string): Promise<number> {
    const [row] = await this.queryRows(
      { count: column.number },
      'SELECT count(*)::int AS count FROM passkeys WHERE user_id = $1',
      [userId],
    );
    return row!.count;
  }

  /** The passkey of a credential, of any user: the caller is not known yet. */
  async findByCredential(credentialId: Buffer): Promise<VerifiableCredential | null> {
    const [passkey] = await this.queryRows(
      {
        id: column.text,
        userId: column.text,
        credentialId: column.bytes,
        publicKey: column.bytes,
        counter: column.number,
      },
      `SELECT id, user_id AS "userId", credential_id AS "credentialId", public_key AS "publicKey", counter::float8 AS counter
         FROM passkeys WHERE credential_id = $1`,
      [credentialId],
    );
    return passkey ?? null;
  }

  /**
   * Records a use.
   * @param counter of the authenticator, which has to grow unless it does not count
   * @returns false when it did not grow, or the passkey is gone: of parallel uses one succeeds
   */
  async recordUse(
    { id, userId }: Pick<PasskeyEntity, 'id' | 'userId'>,
    { counter, isSynced }: { counter: number; isSynced: boolean },
  ): Promise<boolean> {
    const used = await this.executeAndCount(
      `UPDATE passkeys SET counter = $3, is_synced = $4, last_used_at = now()
        WHERE id = $1 AND user_id = $2 AND (counter < $3 OR (counter = 0 AND $3 = 0))`,
      [id, userId, counter, isSynced],
    );
    return used === 1;
  }
}
