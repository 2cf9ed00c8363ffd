import { Transform } from 'class-transformer';
import { IsOptional, IsString, Length } from 'class-validator';
import { TypedCode } from '../two-factor/dto/two-factor.dto';
import { EmailAddress, MAX_PASSWORD_LENGTH } from './field-rules';

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

  /** Of the authenticator app, or a recovery code; an empty one is none.
   * @example "287082" */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (value === '' || value === null ? undefined : value))
  @TypedCode(false)
  totp_code?: string;
}
