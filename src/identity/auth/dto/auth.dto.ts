import { IsOptional, IsString, Length } from 'class-validator';
import { IsPlainText, MaxCharacters, Trimmed } from '../../../platform/validation/field-rules';
import { OptionalTypedCode } from '../../two-factor/dto/two-factor.dto';
import { EmailAddress, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../users/user-fields';

/** A new user. */
export class RegisterDto {
  /** Compared without regard to case.
   * @example ada@example.org */
  @EmailAddress()
  email: string;

  /** 8 to 128 characters, and none of the passwords that everybody tries first.
   * @example "correct horse battery" */
  @IsString()
  @Length(MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH)
  password: string;

  /** Name shown to people.
   * @example "Ada Lovelace" */
  @IsOptional()
  @Trimmed()
  @IsPlainText()
  @Length(1, 200)
  @MaxCharacters(200)
  @IsString()
  name?: string | null;
}

/** E-mail address and password of a user, with a one-time code where that is on. */
export class LoginDto {
  /** Compared without regard to case.
   * @example ada@example.org */
  @EmailAddress()
  email: string;

  /** @example "correct horse battery" */
  @IsString()
  @Length(1, MAX_PASSWORD_LENGTH)
  password: string;

  /** A code of the authenticator app, or a recovery code; an empty text counts as none.
   * @example "287082" */
  @OptionalTypedCode()
  totp_code?: string;
}

/** A new password, and the proof that its owner sets it. */
export class ChangePasswordDto {
  /** The password until now.
   * @example "correct horse battery" */
  @IsString()
  @Length(1, MAX_PASSWORD_LENGTH)
  current: string;

  /** 8 to 128 characters, another one than `current`, and none of those that everybody tries first.
   * @example "staple of a correct horse" */
  @IsString()
  @Length(MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH)
  next: string;

  /** A code of the authenticator app, or a recovery code, where one-time codes are on; an empty text counts as none.
   * @example "287082" */
  @OptionalTypedCode()
  totp_code?: string;
}

/** The refresh token, unless the cookie carries it. */
export class RefreshDto {
  /** From the last response of register, login or refresh; it works once.
   * @example q3Zr0nH0m2m3m8m0T7c2YV0d4x1c9JtqBf5sKqk5w2E */
  @IsOptional()
  @IsString()
  @Length(1, 200)
  refresh_token?: string;
}
