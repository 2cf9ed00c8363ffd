import { IsOptional, IsString, Length } from 'class-validator';
import { MAX_PASSWORD_LENGTH } from '../../users/user-fields';
import { TypedCode } from '../../two-factor/dto/two-factor.dto';

/** Shows again that it is the user: the password of those who have one, and a code where that is on. */
export class LinkIdentityDto {
  /** @example "correct horse battery" */
  @IsOptional()
  @IsString()
  @Length(1, MAX_PASSWORD_LENGTH)
  password?: string;

  /** Of the authenticator app, or a recovery code.
   * @example "287082" */
  @IsOptional()
  @TypedCode()
  totp_code?: string;
}
