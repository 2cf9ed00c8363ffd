import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column } from '../../platform/database/row-shape';
import type { Transaction } from '../../platform/database/transactions';
import type { ObjectStoreLocation } from './object-store/object-store-location';
import { StorageConfigurationEntity } from './storage-configuration.entity';

/** The configurations of users: the current one, and those of older mail. */
@Injectable()
export class StorageConfigurationsRepository extends BaseRepository<StorageConfigurationEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, StorageConfigurationEntity);
  }

  findCurrent(userId: string): Promise<StorageConfigurationEntity | null> {
    return this.getTable().findOneBy({ userId, isCurrent: true });
  }

  findById(id: string): Promise<StorageConfigurationEntity | null> {
    return this.getTable().findOneBy({ id });
  }

  /** The configurations of a user: the current one first, then the newest. */
  listOwned(userId: string): Promise<StorageConfigurationEntity[]> {
    return this.getTable().find({ where: { userId }, order: { isCurrent: 'DESC', id: 'DESC' } });
  }

  /** Users who keep mail in a bucket, or kept some there. */
  async findUsersWithBucket(): Promise<string[]> {
    const rows = await this.queryRows(
      { user_id: column.text },
      `SELECT DISTINCT user_id FROM storage_configurations WHERE type <> 'local'`,
    );
    return rows.map((row) => row.user_id);
  }

  /** The user's configuration of a location, `null` being the local disk. A bucket is the same however it is addressed. */
  findForLocation(
    userId: string,
    location: ObjectStoreLocation | null,
    transaction: Transaction,
  ): Promise<StorageConfigurationEntity | null> {
    const where = location
      ? { type: 'objstore' as const, objstoreEndpoint: location.endpoint, objstoreBucket: location.bucket }
      : { type: 'local' as const };
    return this.getTable(transaction).findOneBy({ userId, ...where });
  }

  /** Leaves the user without a current configuration until one is saved. */
  async clearCurrent(userId: string, transaction: Transaction): Promise<void> {
    await this.executeAndCount(
      'UPDATE storage_configurations SET is_current = false WHERE user_id = $1 AND is_current',
      [userId],
      transaction,
    );
  }

  /** Inserts or updates the configuration and makes it the current one. */
  async saveCurrent(
    userId: string,
    id: string,
    location: ObjectStoreLocation | null,
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
        location ? 'objstore' : 'local',
        location?.endpoint ?? null,
        location?.region ?? null,
        location?.bucket ?? null,
        location?.forcePathStyle ?? null,
        sealedCredentials,
      ],
      transaction,
    );
  }
}
