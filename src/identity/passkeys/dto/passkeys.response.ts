import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { PasskeyRecord } from '../passkeys.repository';

/** A passkey. */
export class PasskeyResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  id: string;
  /** @example "My phone" */
  name: string;
  /** Whether it is synchronised between devices, as password managers do. */
  is_synced: boolean;
  /** null: never used. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-05-05T11:02:00.000Z' })
  last_used_at: string | null;
  @ApiProperty({ format: 'date-time', example: '2026-05-04T09:30:00.000Z' })
  created_at: string;
}

/** A passkey that the user has already. */
export class KnownPasskeyResponse {
  /** @example Aa1lqUEa3mLwYv1cVd3yEg */
  id: string;
  /** @example public-key */
  type: string;
  /** @example ["internal"] */
  transports: string[];
}

export class PasskeyAlgorithmResponse {
  /** @example public-key */
  type: string;
  /** COSE algorithm.
   * @example -7 */
  @ApiProperty({ type: 'integer' })
  alg: number;
}

export class RelyingPartyResponse {
  /** @example Mailroom */
  name: string;
  /** Host name of the installation.
   * @example mail.example.org */
  id: string;
}

export class PasskeyUserResponse {
  /** @example MDE5MzJjNWUtN2Q1Yi03YzNh */
  id: string;
  /** @example anna@example.org */
  name: string;
  /** @example Anna */
  displayName: string;
}

export class AuthenticatorSelectionResponse {
  /** @example required */
  residentKey: string;
  requireResidentKey: boolean;
  /** @example required */
  userVerification: string;
}

/** Options for `navigator.credentials.create()`, as `PublicKeyCredential.parseCreationOptionsFromJSON()` takes them. */
export class PasskeyCreationOptionsResponse {
  rp: RelyingPartyResponse;
  user: PasskeyUserResponse;
  /** @example vm7cS6uE1nR3b8yYQ2s4Zw */
  challenge: string;
  pubKeyCredParams: PasskeyAlgorithmResponse[];
  /** Milliseconds.
   * @example 300000 */
  @ApiProperty({ type: 'integer' })
  timeout: number;
  excludeCredentials: KnownPasskeyResponse[];
  authenticatorSelection: AuthenticatorSelectionResponse;
  /** @example none */
  attestation: string;
  /** @example [] */
  hints: string[];
  @ApiProperty({ type: 'object', additionalProperties: true, example: { credProps: true } })
  extensions: Record<string, unknown>;
}

/** Options for `navigator.credentials.get()`, as `PublicKeyCredential.parseRequestOptionsFromJSON()` takes them. */
export class PasskeyRequestOptionsResponse {
  /** Host name of the installation.
   * @example mail.example.org */
  rpId: string;
  /** @example vm7cS6uE1nR3b8yYQ2s4Zw */
  challenge: string;
  /** Milliseconds.
   * @example 300000 */
  @ApiProperty({ type: 'integer' })
  timeout: number;
  /** @example required */
  userVerification: string;
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, example: {} })
  extensions?: Record<string, unknown>;
}

export const toPasskeyResponse = (passkey: PasskeyRecord): PasskeyResponse => ({
  id: passkey.id,
  name: passkey.name,
  is_synced: passkey.isSynced,
  last_used_at: passkey.lastUsedAt?.toISOString() ?? null,
  created_at: passkey.createdAt.toISOString(),
});
