import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { PlainName } from '../../../platform/validation/field-rules';
import { OptionalTypedCode } from '../../two-factor/dto/two-factor.dto';
import { MAX_PASSWORD_LENGTH } from '../../users/user-fields';

const MAX_NAME = 100;
/** Credential ids have at most 1,023 bytes (WebAuthn Level 3, section 4). */
const MAX_ID = 1_364;
const MAX_BINARY = 16_384;

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
type Transport = (typeof TRANSPORTS)[number];
const ATTACHMENTS = ['platform', 'cross-platform'] as const;

/** Bytes in base64url without padding. */
const Base64Url = (maximum: number): PropertyDecorator =>
  applyDecorators(
    IsString(),
    MaxLength(maximum),
    Matches(/^[A-Za-z0-9_-]+$/, { message: '$property must be base64url without padding' }),
  );

/** Password and code of a user who adds a passkey. */
export class BeginAddingPasskeyDto {
  /** @example "correct horse battery" */
  @IsString()
  @Length(1, MAX_PASSWORD_LENGTH)
  password: string;

  /** A code of the app, or a recovery code, of users who have them.
   * @example "287082" */
  @OptionalTypedCode()
  totp_code?: string;
}

/** Answer of the device that has made a passkey. */
export class PasskeyAttestationDto {
  /** @example eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0 */
  @ApiProperty({ maxLength: MAX_BINARY })
  @Base64Url(MAX_BINARY)
  clientDataJSON: string;

  /** @example o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVgA */
  @ApiProperty({ maxLength: MAX_BINARY })
  @Base64Url(MAX_BINARY)
  attestationObject: string;

  @ApiPropertyOptional({
    enum: TRANSPORTS,
    enumName: 'PasskeyTransport',
    isArray: true,
    maxItems: 10,
    example: ['internal'],
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @IsIn(TRANSPORTS, { each: true })
  transports?: Transport[];

  /** Not used: the attestation object has it.
   * @example SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2M */
  @ApiPropertyOptional({ maxLength: MAX_BINARY })
  @IsOptional()
  @Base64Url(MAX_BINARY)
  authenticatorData?: string;

  /** Not used: the attestation object has it.
   * @example MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE */
  @ApiPropertyOptional({ maxLength: MAX_BINARY })
  @IsOptional()
  @Base64Url(MAX_BINARY)
  publicKey?: string;

  /** Not used: the attestation object has it.
   * @example -7 */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @IsInt()
  publicKeyAlgorithm?: number;
}

/** Answer of a device that signs in. */
export class PasskeyAssertionDto {
  /** @example eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0 */
  @ApiProperty({ maxLength: MAX_BINARY })
  @Base64Url(MAX_BINARY)
  clientDataJSON: string;

  /** @example SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAA */
  @ApiProperty({ maxLength: MAX_BINARY })
  @Base64Url(MAX_BINARY)
  authenticatorData: string;

  /** @example MEUCIQDNbv */
  @ApiProperty({ maxLength: MAX_BINARY })
  @Base64Url(MAX_BINARY)
  signature: string;

  /** The user that the device has the passkey for.
   * @example MDE5MzJjNWUtN2Q1Yi03YzNh */
  @ApiPropertyOptional({ maxLength: 128 })
  @IsOptional()
  @Base64Url(128)
  userHandle?: string;
}

/** Fields of a `PublicKeyCredential` in JSON, as `toJSON()` makes it. */
class CredentialFields {
  /** @example Aa1lqUEa3mLwYv1cVd3yEg */
  @ApiProperty({ maxLength: MAX_ID })
  @Base64Url(MAX_ID)
  id: string;

  /** The same as `id`.
   * @example Aa1lqUEa3mLwYv1cVd3yEg */
  @ApiProperty({ maxLength: MAX_ID })
  @Base64Url(MAX_ID)
  rawId: string;

  @ApiProperty({ enum: ['public-key'], example: 'public-key' })
  @IsIn(['public-key'])
  type: 'public-key';

  @ApiPropertyOptional({ enum: ATTACHMENTS, enumName: 'PasskeyAttachment', example: 'platform' })
  @IsOptional()
  @IsIn(ATTACHMENTS)
  authenticatorAttachment?: (typeof ATTACHMENTS)[number];

  /** Not used.
   * @example {} */
  @ApiProperty({ type: 'object', additionalProperties: true })
  @IsObject()
  clientExtensionResults: Record<string, never>;
}

/** A new passkey in JSON, the result of `navigator.credentials.create()`. */
export class NewPasskeyCredentialDto extends CredentialFields {
  @ApiProperty({ type: PasskeyAttestationDto })
  @IsObject()
  @ValidateNested()
  @Type(() => PasskeyAttestationDto)
  response: PasskeyAttestationDto;
}

/** A signature by a passkey in JSON, the result of `navigator.credentials.get()`. */
export class PasskeyCredentialDto extends CredentialFields {
  @ApiProperty({ type: PasskeyAssertionDto })
  @IsObject()
  @ValidateNested()
  @Type(() => PasskeyAssertionDto)
  response: PasskeyAssertionDto;
}

export class AddPasskeyDto {
  /** Name by which you recognise it. */
  @ApiProperty({ minLength: 1, maxLength: MAX_NAME, example: 'My phone' })
  @PlainName(MAX_NAME)
  name: string;

  @ApiProperty({ type: NewPasskeyCredentialDto })
  @IsObject()
  @ValidateNested()
  @Type(() => NewPasskeyCredentialDto)
  credential: NewPasskeyCredentialDto;
}

export class RenamePasskeyDto {
  /** Name by which you recognise it. */
  @ApiProperty({ minLength: 1, maxLength: MAX_NAME, example: 'My phone' })
  @PlainName(MAX_NAME)
  name: string;
}

export class PasskeySignInDto {
  @ApiProperty({ type: PasskeyCredentialDto })
  @IsObject()
  @ValidateNested()
  @Type(() => PasskeyCredentialDto)
  credential: PasskeyCredentialDto;
}
