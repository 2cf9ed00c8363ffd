import { ApiProperty } from '@nestjs/swagger';
import { API_KEY_SCOPES, type ApiKeyScope } from '../api-key.entity';
import type { ApiKeyRecord } from '../api-keys.repository';

/** An API key, without the key itself. */
export class ApiKeyResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  id: string;
  /** Purpose of the key. */
  @ApiProperty({ example: 'Backup script' })
  name: string;
  /** The beginning of the key. */
  @ApiProperty({ example: 'mrk_4xQ9ZpT0' })
  prefix: string;
  /** `read`: requests that change nothing; `write`: all requests that keys may make. */
  @ApiProperty({ enum: API_KEY_SCOPES, enumName: 'ApiKeyScope', example: 'read' })
  scope: ApiKeyScope;
  /** The mailbox accounts that the key is limited to; null: every account of its owner. */
  @ApiProperty({
    type: [String],
    format: 'uuid',
    nullable: true,
    example: ['01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e'],
  })
  account_ids: string[] | null;
  /** Expiry, which may have passed; null: none. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2027-05-04T09:30:00.000Z' })
  expires_at: string | null;
  /** At most a minute behind; null: never used. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-05-05T11:02:00.000Z' })
  last_used_at: string | null;
  @ApiProperty({ format: 'date-time', example: '2026-05-04T09:30:00.000Z' })
  created_at: string;
}

/** A new API key: no other response contains the key itself. */
export class CreatedApiKeyResponse extends ApiKeyResponse {
  /** Send it as `Authorization: Bearer …`. Only its hash is stored. */
  @ApiProperty({ example: 'mrk_4xQ9ZpT0vYc2LhN7sWmK1dRfB6jGuE3aXoP5iV8tCqDz2kM0rF9H' })
  key: string;
}

export const toApiKeyResponse = (key: ApiKeyRecord): ApiKeyResponse => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  scope: key.scope,
  account_ids: key.accountIds,
  expires_at: key.expiresAt?.toISOString() ?? null,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  created_at: key.createdAt.toISOString(),
});
