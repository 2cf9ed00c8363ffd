import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsOptional, IsUUID } from 'class-validator';
import { PlainName } from '../../../common/http/validation/plain-name';
import { API_KEY_SCOPES, type ApiKeyScope } from '../api-key.entity';
import type { ApiKeyChoice } from '../api-keys.service';
import { IsExpiry } from './expiry';

export const MAX_NAME = 100;
export const MAX_BOUND_ACCOUNTS = 50;

export class CreateApiKeyDto {
  /** What the key is for. */
  @ApiProperty({ minLength: 1, maxLength: MAX_NAME, example: 'Backup script' })
  @PlainName(MAX_NAME)
  name: string;

  /** `read`: whatever changes nothing; `write`: changes as well. */
  @ApiPropertyOptional({ enum: API_KEY_SCOPES, enumName: 'ApiKeyScope', default: 'read', example: 'read' })
  @IsIn(API_KEY_SCOPES)
  scope: ApiKeyScope = 'read';

  /** When it ends: ISO 8601 with its zone, at most five years away. Without it the key works until it is deleted. */
  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    nullable: true,
    example: '2027-05-04T09:30:00.000Z',
  })
  @IsOptional()
  @IsExpiry()
  expires_at?: string | null;

  /** The only mailbox accounts it is good for; without them every account of the caller, later ones included. */
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
