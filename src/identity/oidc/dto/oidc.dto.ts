import { IsOptional, IsString, Length } from 'class-validator';
import { MAX_PASSWORD_LENGTH } from '../../users/user-fields';
import { OptionalTypedCode } from '../../two-factor/dto/two-factor.dto';

/** Password and code again: users without a password or without one-time codes leave them out. */
export class LinkIdentityDto {
  /** @example "correct horse battery" */
  @IsOptional()
  @IsString()
  @Length(1, MAX_PASSWORD_LENGTH)
  password?: string;

  /** A code of the authenticator app, or a recovery code; an empty text counts as none.
   * @example "287082" */
  @OptionalTypedCode()
  totp_code?: string;
}
