import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { newId } from '../../platform/crypto/ids';
import type { Transaction } from '../../platform/database/transactions';
import { RecoveryCodeEntity, TwoFactorEntity } from './two-factor.entity';
import { column } from '../../platform/database/row-shape';

@Injectable()
export class TwoFactorsRepository extends BaseRepository<TwoFactorEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, TwoFactorEntity);
  }

  /** The enabled sealed secret; null when one-time codes are off. */
  async findEnabled(userId: string): Promise<string | null> {
    const [factor] = await this.queryRows(
      { sealedSecret: column.text },
      `SELECT sealed_secret AS "sealedSecret" FROM two_factors WHERE user_id = $1 AND enabled_at IS NOT NULL`,
      [userId],
    );
    return factor?.sealedSecret ?? null;
  }

  /** The sealed secret that is not enabled yet, unless it is older than `minutes`. */
  async findPending(userId: string, minutes: number): Promise<string | null> {
    const [factor] = await this.queryRows(
      { sealedSecret: column.text },
      `SELECT sealed_secret AS "sealedSecret" FROM two_factors
       WHERE user_id = $1 AND enabled_at IS NULL AND created_at > now() - make_interval(mins => $2)`,
      [userId, minutes],
    );
    return factor?.sealedSecret ?? null;
  }

  /**
   * Stores a secret that is not enabled yet, in place of an earlier such one.
   * @returns when it was stored; null when one is enabled
   */
  async savePending(userId: string, sealedSecret: string): Promise<Date | null> {
    const [factor] = await this.queryRows(
      { createdAt: column.date },
      `INSERT INTO two_factors (user_id, sealed_secret) VALUES ($1, $2)
       ON CONFLICT (user_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, last_step = NULL, created_at = now()
         WHERE two_factors.enabled_at IS NULL
       RETURNING created_at AS "createdAt"`,
      [userId, sealedSecret],
    );
    return factor?.createdAt ?? null;
  }

  /** Enables exactly this secret and uses up its code of `step`. @returns false when it is no longer pending */
  async enable(
    userId: string,
    sealedSecret: string,
    step: number,
    transaction: Transaction,
  ): Promise<boolean> {
    const enabled = await this.executeAndCount(
      `UPDATE two_factors SET enabled_at = now(), last_step = $3
       WHERE user_id = $1 AND sealed_secret = $2 AND enabled_at IS NULL`,
      [userId, sealedSecret, step],
      transaction,
    );
    return enabled === 1;
  }

  /** Uses a step up, with those before it. @returns false when it was used up already: of parallel uses one succeeds */
  async useStep(userId: string, sealedSecret: string, step: number): Promise<boolean> {
    const used = await this.executeAndCount(
      `UPDATE two_factors SET last_step = $3
       WHERE user_id = $1 AND sealed_secret = $2 AND enabled_at IS NOT NULL AND (last_step IS NULL OR last_step < $3)`,
      [userId, sealedSecret, step],
    );
    return used === 1;
  }

  /** Users with a secret, enabled or not. */
  async listUserIds(): Promise<string[]> {
    const factors = await this.queryRows(
      { userId: column.text },
      'SELECT user_id AS "userId" FROM two_factors ORDER BY user_id',
    );
    return factors.map(({ userId }) => userId);
  }

  /** @returns whether codes were on */
  async delete(userId: string, transaction: Transaction): Promise<boolean> {
    const deleted = await this.queryRows(
      { wasEnabled: column.boolean },
      `DELETE FROM two_factors WHERE user_id = $1 RETURNING enabled_at IS NOT NULL AS "wasEnabled"`,
      [userId],
      transaction,
    );
    return deleted[0]?.wasEnabled ?? false;
  }
}

@Injectable()
export class RecoveryCodesRepository extends BaseRepository<RecoveryCodeEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, RecoveryCodeEntity);
  }

  /** Replaces all codes of the user, used or not. @param fingerprints of the new codes */
  async replace(userId: string, fingerprints: readonly string[], transaction: Transaction): Promise<void> {
    await this.deleteAll(userId, transaction);
    await this.execute(
      `INSERT INTO recovery_codes (id, user_id, code_hash)
       SELECT id, $1, code_hash FROM unnest($2::uuid[], $3::text[]) AS code (id, code_hash)`,
      [userId, fingerprints.map(() => newId()), fingerprints],
      transaction,
    );
  }

  async deleteAll(userId: string, transaction: Transaction): Promise<void> {
    await this.executeAndCount('DELETE FROM recovery_codes WHERE user_id = $1', [userId], transaction);
  }

  /** Uses a code up. @returns false when there is no such code or it is used: of parallel uses one succeeds */
  async use(userId: string, fingerprint: string, transaction: Transaction): Promise<boolean> {
    const used = await this.executeAndCount(
      'UPDATE recovery_codes SET used_at = now() WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL',
      [userId, fingerprint],
      transaction,
    );
    return used === 1;
  }

  async countUnused(userId: string): Promise<number> {
    const [row] = await this.queryRows(
      { count: column.text },
      'SELECT count(*) AS count FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL',
      [userId],
    );
    return Number(row?.count ?? 0);
  }
}
