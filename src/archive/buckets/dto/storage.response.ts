import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ObjectStoreFailure } from '../object-store/object-store-failure';
import { DEFAULT_BUCKET } from '../object-store/object-store-location';
import type { StorageConfigurationEntity, StorageType } from '../storage-configuration.entity';

/** The storage of new mail. Only `type` is present before the first choice; the object store's fields are absent for the
 * local disk. Credentials are never included. */
export class StorageConfigResponse {
  @ApiPropertyOptional({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  id?: string;

  @ApiProperty({ enum: ['local', 'objstore'], example: 'objstore' })
  type: StorageType;

  @ApiPropertyOptional({ example: 'https://s3.eu-central-1.amazonaws.com' })
  objstore_endpoint?: string;

  @ApiPropertyOptional({ example: 'eu-central-1' })
  objstore_region?: string;

  @ApiPropertyOptional({ example: DEFAULT_BUCKET })
  objstore_bucket?: string;

  @ApiPropertyOptional({ example: true })
  objstore_force_path_style?: boolean;

  @ApiPropertyOptional({ format: 'date-time', example: '2026-11-21T08:00:00.000Z' })
  created_at?: string;

  @ApiPropertyOptional({ format: 'date-time', example: '2026-11-21T08:00:00.000Z' })
  updated_at?: string;
}

export function toStorageConfigResponse(
  configuration: StorageConfigurationEntity | null,
): StorageConfigResponse {
  if (!configuration) return { type: 'local' };
  return {
    id: configuration.id,
    type: configuration.type,
    objstore_endpoint: configuration.objstoreEndpoint ?? undefined,
    objstore_region: configuration.objstoreRegion ?? undefined,
    objstore_bucket: configuration.objstoreBucket ?? undefined,
    objstore_force_path_style: configuration.objstoreForcePathStyle ?? undefined,
    created_at: configuration.createdAt.toISOString(),
    updated_at: configuration.updatedAt.toISOString(),
  };
}

export class StorageSavedResponse {
  /** @example true */
  success: boolean;
}

export class ObjectStoreTestResponse {
  /** Whether the object store can be used.
   * @example false */
  success: boolean;

  /** The reason, if it cannot be used.
   * @example "The object store cannot be used: the secret access key is wrong." */
  error?: string;
}

export function toObjectStoreTestResponse(failure: ObjectStoreFailure | null): ObjectStoreTestResponse {
  return failure
    ? { success: false, error: `The object store cannot be used: ${failure.reason}.` }
    : { success: true };
}
