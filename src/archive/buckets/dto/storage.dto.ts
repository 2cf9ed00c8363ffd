import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsString, Length, Matches, ValidateBy, ValidateIf } from 'class-validator';
import { IsPlainText } from '../../../platform/validation/field-rules';
import {
  DEFAULT_BUCKET,
  DEFAULT_REGION,
  isBucketName,
  normalizeEndpoint,
} from '../object-store/object-store-location';
import type { StorageType } from '../storage-configuration.entity';
import type { ObjectStoreChoice } from '../storage.service';

const MAX_ENDPOINT = 2_048;

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The value, or the default for absent, null and empty values, which forms send. */
export const orDefault = <T>(value: T | null | undefined, fallback: T): T =>
  isMissing(value) ? fallback : (value as T);

/** Skips the checks of a field that is not given: the default applies. */
export const UnlessMissing = (): PropertyDecorator => ValidateIf((_body, value) => !isMissing(value));

/** Validates the address of an object store and normalizes it for storage. */
export function ObjectStoreEndpoint(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && value.length <= MAX_ENDPOINT
        ? (normalizeEndpoint(value.trim()) ?? value)
        : value,
    ),
    ValidateBy({
      name: 'isObjectStoreEndpoint',
      validator: {
        validate: (value) =>
          typeof value === 'string' && value.length <= MAX_ENDPOINT && normalizeEndpoint(value) === value,
        defaultMessage: () =>
          '$property must be an http or https URL of at most 2048 characters, without user name, password and path',
      },
    }),
  );
}

export function ObjectStoreRegion(): PropertyDecorator {
  return Matches(/^[A-Za-z0-9_-]{1,64}$/, {
    message: '$property must be the name of a region: up to 64 letters, digits, - and _',
  });
}

export function ObjectStoreBucket(): PropertyDecorator {
  return ValidateBy({
    name: 'isObjectStoreBucket',
    validator: {
      validate: (value) => typeof value === 'string' && isBucketName(value),
      defaultMessage: () =>
        '$property must be the name of a bucket: 3 to 63 lower-case letters, digits, - and ., no IP address',
    },
  });
}

export function ObjectStoreAccessKeyId(): PropertyDecorator {
  // The value goes into a header, between separators.
  return Matches(/^[!-+\-.0-<>-~]{1,256}$/, {
    message:
      '$property must be 1 to 256 printable characters without blanks, commas, slashes and equals signs',
  });
}

export function ObjectStoreSecretAccessKey(): PropertyDecorator {
  return applyDecorators(IsString(), Length(1, 1_024), IsPlainText());
}

export function ForcePathStyle(): PropertyDecorator {
  return IsBoolean();
}

/** Validates a field only for object stores: for the local disk it has no meaning and is ignored. */
const ForObjectStore = (): PropertyDecorator =>
  ValidateIf((body: StorageConfigDto) => body.type === 'objstore');

/** Validates a field of object stores that may be missing. */
const ForObjectStoreIfGiven = (): PropertyDecorator =>
  ValidateIf(
    (body: StorageConfigDto, value: unknown) =>
      body.type === 'objstore' && value !== undefined && value !== null && value !== '',
  );

export class StorageConfigDto {
  /** The storage of new mail: the service's disk or an object store (S3). */
  @ApiProperty({ enum: ['local', 'objstore'], example: 'objstore' })
  @IsIn(['local', 'objstore'])
  type: StorageType;

  /** Address of the object store: scheme, host and port. Required for `objstore`. */
  @ApiPropertyOptional({ example: 'https://s3.eu-central-1.amazonaws.com', maxLength: 2048 })
  @ForObjectStore()
  @ObjectStoreEndpoint()
  objstoreEndpoint?: string;

  /** Region of the bucket. */
  @ApiPropertyOptional({ example: 'eu-central-1', default: DEFAULT_REGION, maxLength: 64 })
  @ForObjectStoreIfGiven()
  @ObjectStoreRegion()
  objstoreRegion?: string;

  /** Name of the bucket; it is created if there is none. */
  @ApiPropertyOptional({ example: DEFAULT_BUCKET, default: DEFAULT_BUCKET, minLength: 3, maxLength: 63 })
  @ForObjectStoreIfGiven()
  @ObjectStoreBucket()
  objstoreBucket?: string;

  /** Access key id. Required for `objstore`. Never returned. */
  @ApiPropertyOptional({ example: 'AKIAIOSFODNN7EXAMPLE', maxLength: 256 })
  @ForObjectStore()
  @ObjectStoreAccessKeyId()
  objstoreAccessKeyId?: string;

  /** Secret access key. Required for `objstore`. Stored encrypted, never returned. */
  @ApiPropertyOptional({
    example: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    maxLength: 1024,
    format: 'password',
    writeOnly: true,
  })
  @ForObjectStore()
  @ObjectStoreSecretAccessKey()
  objstoreSecretAccessKey?: string;

  /** Whether the bucket is named in the path instead of the host name, as most stores other than Amazon's expect. */
  @ApiPropertyOptional({ type: Boolean, default: true, example: true })
  @ForObjectStoreIfGiven()
  @ForcePathStyle()
  objstoreForcePathStyle?: boolean;
}

/** @returns null for the local disk */
export function choiceOf(body: StorageConfigDto): ObjectStoreChoice | null {
  if (body.type === 'local') return null;
  return {
    location: {
      endpoint: body.objstoreEndpoint!,
      region: orDefault(body.objstoreRegion, DEFAULT_REGION),
      bucket: orDefault(body.objstoreBucket, DEFAULT_BUCKET),
      forcePathStyle: orDefault(body.objstoreForcePathStyle, true),
    },
    credentials: {
      accessKeyId: body.objstoreAccessKeyId!,
      secretAccessKey: body.objstoreSecretAccessKey!,
    },
  };
}

export class TestObjectStoreDto {
  /** Address of the object store: scheme, host and port. */
  @ApiProperty({ example: 'https://s3.eu-central-1.amazonaws.com', maxLength: 2048 })
  @ObjectStoreEndpoint()
  endpoint: string;

  /** Region of the bucket. */
  @ApiPropertyOptional({ example: 'eu-central-1', default: DEFAULT_REGION, maxLength: 64 })
  @UnlessMissing()
  @ObjectStoreRegion()
  region?: string;

  /** Name of the bucket; it is created if there is none. */
  @ApiPropertyOptional({ example: DEFAULT_BUCKET, default: DEFAULT_BUCKET, minLength: 3, maxLength: 63 })
  @UnlessMissing()
  @ObjectStoreBucket()
  bucket?: string;

  @ApiProperty({ example: 'AKIAIOSFODNN7EXAMPLE', maxLength: 256 })
  @ObjectStoreAccessKeyId()
  accessKeyId: string;

  @ApiProperty({
    example: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    maxLength: 1024,
    format: 'password',
    writeOnly: true,
  })
  @ObjectStoreSecretAccessKey()
  secretAccessKey: string;

  /** Whether the bucket is named in the path instead of the host name. */
  @ApiPropertyOptional({ type: Boolean, default: true, example: true })
  @UnlessMissing()
  @ForcePathStyle()
  forcePathStyle?: boolean;
}

export function testedChoice(body: TestObjectStoreDto): ObjectStoreChoice {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey, forcePathStyle } = body;
  return {
    location: {
      endpoint,
      region: orDefault(region, DEFAULT_REGION),
      bucket: orDefault(bucket, DEFAULT_BUCKET),
      forcePathStyle: orDefault(forcePathStyle, true),
    },
    credentials: { accessKeyId, secretAccessKey },
  };
}
