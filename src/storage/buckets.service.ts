import { Injectable } from '@nestjs/common';
import { SecretBox, SecretUnreadable } from '../common/crypto/secret-box';
import { EgressGuard } from '../common/egress/egress-guard';
import { Bucket } from './object-store/bucket';
import { ObjectStoreFailure } from './object-store/object-store-failure';
import type { ObjectStoreCredentials, ObjectStoreLocation } from './object-store/object-store-location';
import type { StorageConfigurationEntity } from './storage-configuration.entity';
import { StorageConfigurationsRepository } from './storage-configurations.repository';

/** For so long another process's change may go unnoticed. */
const KNOWN_MS = 2_000;
const MAX_KNOWN = 10_000;

/** A configuration that puts mail into a bucket. */
export interface ConfiguredBucket {
  /** The configuration's id: what mail rows have in `storage`. */
  readonly id: string;
  readonly userId: string;
  /** Changes whenever a client for it must be made anew. */
  readonly revision: string;
  /** @throws ObjectStoreFailure when the stored credentials cannot be read */
  connect(): Bucket;
}

/** The buckets that users' configurations name. */
@Injectable()
export class BucketsService {
  private readonly known = new Map<string, { location: ConfiguredBucket | null; at: number }>();

  constructor(
    private readonly configurations: StorageConfigurationsRepository,
    private readonly secrets: SecretBox,
    private readonly guard: EgressGuard,
  ) {}

  /** Where new mail of the user goes; null for the local disk. Never out of date. */
  async current(userId: string): Promise<ConfiguredBucket | null> {
    const configuration = await this.configurations.findCurrent(userId);
    return configuration && this.locate(configuration);
  }

  /** Every bucket in which mail of the user may lie. */
  async ofUser(userId: string): Promise<ConfiguredBucket[]> {
    const configurations = await this.configurations.listOwned(userId);
    return configurations.flatMap((configuration) => this.locate(configuration) ?? []);
  }

  /** By the configuration's id; a change made by another process shows within seconds. */
  async find(id: string): Promise<ConfiguredBucket | null> {
    const known = this.known.get(id);
    if (known && Date.now() - known.at < KNOWN_MS) return known.location;
    const configuration = await this.configurations.findById(id);
    const location = configuration && this.locate(configuration);
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    if (location) this.known.set(id, { location, at: Date.now() });
    return location;
  }

  /** The configuration has changed. */
  forget(id: string): void {
    this.known.delete(id);
  }

  private locate(configuration: StorageConfigurationEntity): ConfiguredBucket | null {
    const place = placeOf(configuration);
    if (!place) return null;
    const { id, userId, sealedCredentials } = configuration;
    return {
      id,
      userId,
      revision: JSON.stringify([place, sealedCredentials]),
      connect: () => new Bucket(place, this.open(configuration), this.guard),
    };
  }

  private open({ id, sealedCredentials }: StorageConfigurationEntity): ObjectStoreCredentials {
    try {
      return this.secrets.open<ObjectStoreCredentials>(sealedCredentials ?? '', id);
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      const reason = 'its credentials cannot be read any more and must be entered again';
      throw new ObjectStoreFailure('refused', reason, 'secretAccessKey', 0, error);
    }
  }
}

/** @returns null for the local disk */
export function placeOf(configuration: StorageConfigurationEntity): ObjectStoreLocation | null {
  const { type, objstoreEndpoint, objstoreRegion, objstoreBucket, objstoreForcePathStyle } = configuration;
  if (type !== 'objstore') return null;
  return {
    endpoint: objstoreEndpoint!,
    region: objstoreRegion!,
    bucket: objstoreBucket!,
    forcePathStyle: objstoreForcePathStyle!,
  };
}
