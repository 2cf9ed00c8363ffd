import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import type { Transaction } from '../../platform/database/transactions';
import { EncryptionPassphraseEntity } from './encryption-passphrase.entity';

/** Hashes of passphrases, one per user. */
@Injectable()
export class EncryptionPassphrasesRepository extends BaseRepository<EncryptionPassphraseEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, EncryptionPassphraseEntity);
  }

  async hashOf(userId: string): Promise<string | null> {
    return (await this.getTable().findOneBy({ userId }))?.hash ?? null;
  }

  /** @returns false when the user has one already */
  async add(userId: string, hash: string, transaction: Transaction): Promise<boolean> {
    const sql = `INSERT INTO encryption_passphrases (user_id, hash) VALUES ($1, $2)
      ON CONFLICT (user_id) DO NOTHING RETURNING user_id`;
    return (await this.queryRows({}, sql, [userId, hash], transaction)).length > 0;
  }
}
