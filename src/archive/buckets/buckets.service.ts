import { Injectable } from '@nestjs/common';
import { SecretBox, SecretUnreadable } from '../../platform/crypto/secret-box';
import { EgressGuard } from '../../platform/egress/egress-guard';
import { Bucket } from './object-store/bucket';
import { ObjectStoreFailure } from './object-store/object-store-failure';
import type { ObjectStoreCredentials, ObjectStoreLocation } from './object-store/object-store-location';
import type { StorageConfigurationEntity } from './storage-configuration.entity';
import { StorageConfigurationsRepository } from './storage-configurations.repository';

/** Time for which a configuration is cached, and a change by another process goes unnoticed, in milliseconds. */
const KNOWN_MS = 2_000;
const MAX_KNOWN = 10_000;

/** A configured bucket. */
export interface ConfiguredBucket {
  /** The configuration's id, which mail rows have in `storage`. */
  readonly id: string;
  readonly userId: string;
  /** Changes whenever its client must be replaced. */
  readonly revision: string;
  /** @throws ObjectStoreFailure when the stored credentials cannot be read */
  connect(): Bucket;
}

/** The buckets that users' configurations name. */
@Injectable()
export class BucketsService {
  private readonly known = new Map<string, { bucket: ConfiguredBucket; at: number }>();

  constructor(
    private readonly configurations: StorageConfigurationsRepository,
    private readonly secrets: SecretBox,
    private readonly guard: EgressGuard,
  ) {}

  /** The bucket for new mail of the user; null for the local disk. Always current. */
  async findCurrent(userId: string): Promise<ConfiguredBucket | null> {
    const configuration = await this.configurations.findCurrent(userId);
    return configuration && this.bucketOf(configuration);
  }

  /** Every bucket that may hold mail of the user. */
  async listOfUser(userId: string): Promise<ConfiguredBucket[]> {
    const configurations = await this.configurations.listOwned(userId);
    return configurations.flatMap((configuration) => this.bucketOf(configuration) ?? []);
  }

  /** Ids of the users who keep mail in a bucket, or kept some there. */
  listUsers(): Promise<string[]> {
    return this.configurations.findUsersWithBucket();
  }

  /** The bucket of a configuration id; null: none. A change by another process takes effect within seconds. */
  async find(id: string): Promise<ConfiguredBucket | null> {
    const known = this.known.get(id);
    if (known && Date.now() - known.at < KNOWN_MS) return known.bucket;
    const configuration = await this.configurations.findById(id);
    const bucket = configuration && this.bucketOf(configuration);
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    if (bucket) this.known.set(id, { bucket, at: Date.now() });
    return bucket;
  }

  /** Drops a cached configuration after it has changed. */
  forget(id: string): void {
    this.known.delete(id);
  }

  private bucketOf(configuration: StorageConfigurationEntity): ConfiguredBucket | null {
    const location = locationOf(configuration);
    if (!location) return null;
    const { id, userId, sealedCredentials } = configuration;
    return {
      id,
      userId,
      revision: JSON.stringify([location, sealedCredentials]),
      connect: () => new Bucket(location, this.open(configuration), this.guard, userId),
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

/** The location of a configuration; null for the local disk. */
export function locationOf(configuration: StorageConfigurationEntity): ObjectStoreLocation | null {
  const { type, objstoreEndpoint, objstoreRegion, objstoreBucket, objstoreForcePathStyle } = configuration;
  if (type !== 'objstore') return null;
  return {
    endpoint: objstoreEndpoint!,
    region: objstoreRegion!,
    bucket: objstoreBucket!,
    forcePathStyle: objstoreForcePathStyle!,
  };
}
