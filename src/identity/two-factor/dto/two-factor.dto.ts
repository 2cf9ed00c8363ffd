import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsOptional, IsString, Length } from 'class-validator';
import { MAX_PASSWORD_LENGTH } from '../../users/user-fields';

const MAX_CODE_LENGTH = 64;

/** A code as users type it: six digits or a recovery code, with blanks and dashes anywhere. */
const TypedCode = (required = true): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ required, minLength: 1, maxLength: MAX_CODE_LENGTH }),
    IsString(),
    Length(1, MAX_CODE_LENGTH),
  );

/** The same of users who may have none: an empty text counts as none. */
export const OptionalTypedCode = (): PropertyDecorator =>
  applyDecorators(
    IsOptional(),
    Transform(({ value }: { value: unknown }) => (value === '' || value === null ? undefined : value)),
    TypedCode(false),
  );

/** The password of a user who sets up one-time codes. */
export class SetUpTwoFactorDto {
  /** @example "correct horse battery" */
  @IsString()
  @Length(1, MAX_PASSWORD_LENGTH)
  password: string;
}

/** The first code of the authenticator app. */
export class EnableTwoFactorDto {
  /** The current code of the app.
   * @example "287082" */
  @TypedCode()
  totp_code: string;
}

/** Password and code of a user who changes one-time codes. */
export class TwoFactorProofDto {
  /** @example "correct horse battery" */
  @IsString()
  @Length(1, MAX_PASSWORD_LENGTH)
  password: string;

  /** A code of the app, or a recovery code; each works once.
   * @example "287082" */
  @TypedCode()
  totp_code: string;
}
