import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../common/database/base.repository';
import { newId } from '../../common/database/ids';
import type { Transaction } from '../../common/database/transactions';
import { RecoveryCodeEntity } from './recovery-code.entity';

@Injectable()
export class RecoveryCodesRepository extends BaseRepository<RecoveryCodeEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, RecoveryCodeEntity);
  }

  /** @param fingerprints of the new codes; the earlier ones, used or not, are gone */
  async replace(userId: string, fingerprints: readonly string[], transaction: Transaction): Promise<void> {
    await this.deleteAll(userId, transaction);
    await this.rows(
      `INSERT INTO recovery_codes (id, user_id, code_hash)
       SELECT id, $1, code_hash FROM unnest($2::uuid[], $3::text[]) AS code (id, code_hash)`,
      [userId, fingerprints.map(() => newId()), fingerprints],
      transaction,
    );
  }

  async deleteAll(userId: string, transaction: Transaction): Promise<void> {
    await this.affected('DELETE FROM recovery_codes WHERE user_id = $1', [userId], transaction);
  }

  /** Uses a code up. @returns false when there is no such code or it is used: of parallel uses one succeeds */
  async use(userId: string, fingerprint: string, transaction: Transaction): Promise<boolean> {
    const used = await this.affected(
      'UPDATE recovery_codes SET used_at = now() WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL',
      [userId, fingerprint],
      transaction,
    );
    return used === 1;
  }

  async countUnused(userId: string): Promise<number> {
    const [row] = await this.rows<{ count: string }>(
      'SELECT count(*) AS count FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL',
      [userId],
    );
    return Number(row?.count ?? 0);
  }
}
