import { Injectable } from '@nestjs/common';
import { SecretBox } from '../common/crypto/secret-box';
import { AuditTrail } from '../access/audit-trail.port';
import { newId } from '../common/database/ids';
import { Transactions } from '../common/database/transactions';
import { BucketTest } from './bucket-test';
import type { ObjectStoreFailure } from './object-store/object-store-failure';
import type { ObjectStoreCredentials, ObjectStoreLocation } from './object-store/object-store-location';
import type { StorageConfigurationEntity } from './storage-configuration.entity';
import { StorageConfigurationsRepository } from './storage-configurations.repository';
import { BucketsService } from './buckets.service';
import { ConfigurationRefused } from './storage.errors';

/** A bucket and the keys to it. */
export interface ObjectStoreChoice {
  readonly place: ObjectStoreLocation;
  readonly credentials: ObjectStoreCredentials;
}

/** Where a user's mail is stored from now on. What is stored already stays where it is and readable. */
@Injectable()
export class StorageService {
  constructor(
    private readonly configurations: StorageConfigurationsRepository,
    private readonly locations: BucketsService,
    private readonly trial: BucketTest,
    private readonly secrets: SecretBox,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
  ) {}

  /** @returns null when the user has never chosen */
  current(userId: string): Promise<StorageConfigurationEntity | null> {
    return this.configurations.findCurrent(userId);
  }

  /**
   * Makes a place the current one, `null` the local disk. A place used before becomes current again under its old id,
   * with the new keys: mail in it stays readable when keys are rotated.
   *
   * What the store itself says no to is not saved. A store that cannot be reached just now is: whether it is up is not
   * a matter of the configuration, and there is a route that tests it.
   * @throws ConfigurationRefused
   */
  async choose(userId: string, choice: ObjectStoreChoice | null): Promise<void> {
    if (choice) {
      const failure = await this.trial.perform(choice.place, choice.credentials);
      if (failure && failure.kind !== 'unavailable') throw new ConfigurationRefused(failure);
    }
    const place = choice?.place ?? null;
    const id = await this.transactions.run(async (transaction) => {
      await this.configurations.lockChanges(userId, transaction);
      const earlier = await this.configurations.findForPlace(userId, place, transaction);
      const configurationId = earlier?.id ?? newId();
      const sealed = choice ? this.secrets.seal(choice.credentials, configurationId) : null;
      await this.configurations.clearCurrent(userId, transaction);
      await this.configurations.saveCurrent(userId, configurationId, place, sealed, transaction);
      const act = {
        action: 'storage.changed',
        userId,
        target: { type: 'storage', id: configurationId },
        details: { place: place ? 'object-store' : 'local', known: earlier !== null },
      };
      await this.audit.record(act, transaction);
      return configurationId;
    });
    this.locations.forget(id);
  }

  /** @returns what is wrong with the place, null when it can be used */
  test({ place, credentials }: ObjectStoreChoice): Promise<ObjectStoreFailure | null> {
    return this.trial.perform(place, credentials);
  }
}
