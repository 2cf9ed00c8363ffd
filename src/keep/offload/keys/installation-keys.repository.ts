import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AdvisoryLock } from '../../../platform/database/advisory-locks';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column, RowShape } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import { InstallationKeyEntity } from './installation-key.entity';

export interface PublicKey {
  readonly keyId: string;
  /** Public key in PEM. */
  readonly publicKey: string;
  readonly createdAt: Date;
}

export interface SealedKey {
  readonly keyId: string;
  readonly sealedPrivateKey: string;
}

const PUBLIC_KEY: RowShape<PublicKey> = {
  keyId: column.text,
  publicKey: column.text,
  createdAt: column.date,
};

/** Signing keys of the installation. */
@Injectable()
export class InstallationKeysRepository extends BaseRepository<InstallationKeyEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, InstallationKeyEntity);
  }

  /** Public keys, oldest first: the id of the first is the id of the installation. */
  list(transaction?: Transaction): Promise<PublicKey[]> {
    return this.queryRows(
      PUBLIC_KEY,
      `SELECT key_id AS "keyId", public_key AS "publicKey", created_at AS "createdAt"
       FROM installation_keys ORDER BY created_at, key_id`,
      [],
      transaction,
    );
  }

  /** Sealed keys, newest first, locked. Other processes that look for a key to sign with wait until the transaction ends. */
  async lockSealed(transaction: Transaction): Promise<SealedKey[]> {
    await this.execute('SELECT pg_advisory_xact_lock($1)', [AdvisoryLock.InstallationKeys], transaction);
    return this.queryRows(
      { keyId: column.text, sealedPrivateKey: column.text },
      `SELECT key_id AS "keyId", sealed_private_key AS "sealedPrivateKey"
       FROM installation_keys ORDER BY created_at DESC, key_id DESC`,
      [],
      transaction,
    );
  }

  async insert(key: SealedKey & Pick<PublicKey, 'publicKey'>, transaction: Transaction): Promise<void> {
    await this.execute(
      'INSERT INTO installation_keys (key_id, public_key, sealed_private_key) VALUES ($1, $2, $3)',
      [key.keyId, key.publicKey, key.sealedPrivateKey],
      transaction,
    );
  }
}
