import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import type { Transaction } from '../common/database/transactions';
import type { ObjectStoreLocation } from './object-store/object-store-location';
import { StorageConfigurationEntity } from './storage-configuration.entity';

/** The configurations of users: the current one, and those that older mail lies in. */
@Injectable()
export class StorageConfigurationsRepository extends BaseRepository<StorageConfigurationEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, StorageConfigurationEntity);
  }

  findCurrent(userId: string): Promise<StorageConfigurationEntity | null> {
    return this.table().findOneBy({ userId, isCurrent: true });
  }

  findById(id: string): Promise<StorageConfigurationEntity | null> {
    return this.table().findOneBy({ id });
  }

  /** The current one first, then the newest. */
  listOwned(userId: string): Promise<StorageConfigurationEntity[]> {
    return this.table().find({ where: { userId }, order: { isCurrent: 'DESC', id: 'DESC' } });
  }

  /** Makes those who change the user's configuration take turns until the transaction ends. */
  async lockChanges(userId: string, transaction: Transaction): Promise<void> {
    await this.execute('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId], transaction);
  }

  /** The user's configuration for a place: `null` for the local disk. A bucket is the same in any way of addressing. */
  findForPlace(
    userId: string,
    place: ObjectStoreLocation | null,
    transaction: Transaction,
  ): Promise<StorageConfigurationEntity | null> {
    const where = place
      ? { type: 'objstore' as const, objstoreEndpoint: place.endpoint, objstoreBucket: place.bucket }
      : { type: 'local' as const };
    return this.table(transaction).findOneBy({ userId, ...where });
  }

  /** The user has no current configuration until one is saved. */
  async clearCurrent(userId: string, transaction: Transaction): Promise<void> {
    await this.affected(
      'UPDATE storage_configurations SET is_current = false WHERE user_id = $1 AND is_current',
      [userId],
      transaction,
    );
  }

  /** Writes the configuration, a new one or one there is already, and makes it the current one. */
  async saveCurrent(
    userId: string,
    id: string,
    place: ObjectStoreLocation | null,
    sealedCredentials: string | null,
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `INSERT INTO storage_configurations (id, user_id, type, objstore_endpoint, objstore_region, objstore_bucket,
                                           objstore_force_path_style, sealed_credentials, is_current)
       VALUES ($2, $1, $3, $4, $5, $6, $7, $8, true)
       ON CONFLICT (id) DO UPDATE
         SET objstore_region = excluded.objstore_region,
             objstore_force_path_style = excluded.objstore_force_path_style,
             sealed_credentials = excluded.sealed_credentials, is_current = true, updated_at = now()
       WHERE storage_configurations.user_id = $1`,
      [
        userId,
        id,
        place ? 'objstore' : 'local',
        place?.endpoint ?? null,
        place?.region ?? null,
        place?.bucket ?? null,
        place?.forcePathStyle ?? null,
        sealedCredentials,
      ],
      transaction,
    );
  }
}
