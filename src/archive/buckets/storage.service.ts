import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../platform/crypto/secret-box';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { newId } from '../../platform/crypto/ids';
import { Transactions } from '../../platform/database/transactions';
import { UserLocks } from '../../identity/users/user-locks';
import { BucketTest } from './bucket-test';
import type { ObjectStoreFailure } from './object-store/object-store-failure';
import type { ObjectStoreCredentials, ObjectStoreLocation } from './object-store/object-store-location';
import type { StorageConfigurationEntity } from './storage-configuration.entity';
import { StorageConfigurationsRepository } from './storage-configurations.repository';
import { BucketsService } from './buckets.service';
import { ConfigurationRefused } from './storage.errors';

/** A bucket and the keys to it. */
export interface ObjectStoreChoice {
  readonly location: ObjectStoreLocation;
  readonly credentials: ObjectStoreCredentials;
}

/** The location of a user's new mail. Mail stored before stays where it is, and readable. */
@Injectable()
export class StorageService {
  constructor(
    private readonly configurations: StorageConfigurationsRepository,
    private readonly userLocks: UserLocks,
    private readonly buckets: BucketsService,
    private readonly bucketTest: BucketTest,
    private readonly secrets: SecretBox,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
  ) {}

  /** @returns null when the user has never chosen */
  findCurrent(userId: string): Promise<StorageConfigurationEntity | null> {
    return this.configurations.findCurrent(userId);
  }

  /**
   * Makes a location the current one, `null` being the local disk. A location used before becomes current again under
   * its old id, with the new keys: mail in it stays readable when keys are rotated.
   *
   * A configuration that the store itself refuses is not saved. One whose store cannot be reached is: availability is
   * not a matter of configuration, and a route tests it.
   * @throws ConfigurationRefused
   */
  async choose(userId: string, choice: ObjectStoreChoice | null): Promise<void> {
    if (choice) {
      const failure = await this.bucketTest.run(userId, choice.location, choice.credentials);
      if (failure && failure.kind !== 'unavailable') throw new ConfigurationRefused(failure);
    }
    const location = choice?.location ?? null;
    const id = await this.transactions.run(async (transaction) => {
      await this.userLocks.lock(userId, transaction);
      const earlier = await this.configurations.findForLocation(userId, location, transaction);
      const configurationId = earlier?.id ?? newId();
      const sealed = choice ? this.secrets.seal(choice.credentials, configurationId) : null;
      await this.configurations.clearCurrent(userId, transaction);
      await this.configurations.saveCurrent(userId, configurationId, location, sealed, transaction);
      const act = {
        action: 'storage.changed',
        userId,
        target: { type: 'storage', id: configurationId },
        details: { place: location ? 'object-store' : 'local', known: earlier !== null },
      };
      await this.audit.record(act, transaction);
      return configurationId;
    });
    this.buckets.forget(id);
  }

  /** @returns why the bucket cannot be used; null when it can */
  test(userId: string, { location, credentials }: ObjectStoreChoice): Promise<ObjectStoreFailure | null> {
    return this.bucketTest.run(userId, location, credentials);
  }
}
