import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsBoolean, IsString, Length, Matches, ValidateBy, ValidateIf } from 'class-validator';
import { IsPlainText } from '../../common/http/validation/plain-text';
import { isBucketName, normalizeEndpoint } from '../objstore/place';

const MAX_ENDPOINT = 2_048;

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';

/** What is not given, or null or empty as forms send it, takes the default. */
export const orDefault = <T>(value: T | null | undefined, fallback: T): T =>
  isMissing(value) ? fallback : (value as T);

/** Not checked when it is not given: the default applies. */
export const UnlessMissing = (): PropertyDecorator => ValidateIf((_body, value) => !isMissing(value));

/** The address of an object store; in the form in which it is stored once it has passed. */
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
  // It goes into a header, between separators.
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
