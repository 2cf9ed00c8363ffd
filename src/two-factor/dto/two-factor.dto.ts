import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { IsString, Length } from 'class-validator';
import { MAX_PASSWORD_LENGTH } from '../../users/user-fields';

const MAX_CODE_LENGTH = 64;

/** A code as people type it: six digits, or a recovery code, with blanks and dashes where they like. */
export const TypedCode = (required = true): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ required, minLength: 1, maxLength: MAX_CODE_LENGTH }),
    IsString(),
    Length(1, MAX_CODE_LENGTH),
  );

/** Shows that it is the user who wants one-time codes. */
export class SetUpTwoFactorDto {
  /** @example "correct horse battery" */
  @IsString()
  @Length(1, MAX_PASSWORD_LENGTH)
  password: string;
}

/** Shows that the authenticator app has the secret. */
export class EnableTwoFactorDto {
  /** What the app shows now.
   * @example "287082" */
  @TypedCode()
  totp_code: string;
}

/** Shows that it is the user: the password and a code. */
export class TwoFactorProofDto {
  /** @example "correct horse battery" */
  @IsString()
  @Length(1, MAX_PASSWORD_LENGTH)
  password: string;

  /** Of the app, or a recovery code; either is good once.
   * @example "287082" */
  @TypedCode()
  totp_code: string;
}
