import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  isISO8601,
  IsOptional,
  IsUUID,
  ValidateBy,
  ValidationOptions,
} from 'class-validator';
import { PlainName } from '../../../platform/validation/field-rules';
import { API_KEY_SCOPES, type ApiKeyScope } from '../api-key.entity';
import type { ApiKeyChoice } from '../api-keys.service';

/** The longest life of a key: longer than any machine lasts; more is a mistake, or means never. */
const MAX_YEARS = 5;

const WITH_TIME_ZONE = /T.*(Z|[+-]\d\d:\d\d)$/;

/** Whether a value is an ISO 8601 time with its zone, after `now` and at most five years later. */
export function isExpiry(value: unknown, now: Date): value is string {
  if (typeof value !== 'string' || !WITH_TIME_ZONE.test(value)) return false;
  if (!isISO8601(value, { strict: true, strictSeparator: true })) return false;
  const at = Date.parse(value);
  const latest = new Date(now);
  latest.setUTCFullYear(now.getUTCFullYear() + MAX_YEARS);
  return at > now.getTime() && at <= latest.getTime();
}

/** A time in the future, as in `isExpiry`. */
export function IsExpiry(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isExpiry',
      validator: {
        validate: (value) => isExpiry(value, new Date()),
        defaultMessage: () =>
          `$property must be an ISO 8601 time with its zone, in the future and at most ${MAX_YEARS} years away`,
      },
    },
    options,
  );
}

export const MAX_NAME = 100;
export const MAX_BOUND_ACCOUNTS = 50;

export class CreateApiKeyDto {
  /** Purpose of the key. */
  @ApiProperty({ minLength: 1, maxLength: MAX_NAME, example: 'Backup script' })
  @PlainName(MAX_NAME)
  name: string;

  /** `read`: requests that change nothing; `write`: all requests that keys may make. */
  @ApiPropertyOptional({ enum: API_KEY_SCOPES, enumName: 'ApiKeyScope', default: 'read', example: 'read' })
  @IsIn(API_KEY_SCOPES)
  scope: ApiKeyScope = 'read';

  /** Expiry: ISO 8601 with a time zone, at most five years away. Without it the key works until it is deleted. */
  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    nullable: true,
    example: '2027-05-04T09:30:00.000Z',
  })
  @IsOptional()
  @IsExpiry()
  expires_at?: string | null;

  /** Limits the key to these mailbox accounts. Without it the key covers every account of the caller, including later ones. */
  @ApiPropertyOptional({
    type: [String],
    format: 'uuid',
    nullable: true,
    minItems: 1,
    maxItems: MAX_BOUND_ACCOUNTS,
    example: ['01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d'],
  })
  // One id in two spellings is the same id.
  @Transform(({ value }: { value: unknown }) =>
    Array.isArray(value)
      ? value.map((id: unknown) => (typeof id === 'string' ? id.toLowerCase() : id))
      : value,
  )
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_BOUND_ACCOUNTS)
  @IsUUID(undefined, { each: true })
  @ArrayUnique()
  accountIds?: string[] | null;
}

export const toApiKeyChoice = ({
  name,
  scope,
  expires_at: expiresAt,
  accountIds,
}: CreateApiKeyDto): ApiKeyChoice => ({
  name,
  scope,
  expiresAt: expiresAt ? new Date(expiresAt) : null,
  accountIds: accountIds ?? null,
});
