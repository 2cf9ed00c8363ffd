import { IsString, Length } from 'class-validator';
import { EmailAddress, MAX_PASSWORD_LENGTH } from './field-rules';

/** E-mail address and password of a user. */
export class LoginDto {
  /** Compared without regard to case.
   * @example ada@example.org */
  @EmailAddress()
  email: string;

  /** @example "correct horse battery" */
  @IsString()
  @Length(1, MAX_PASSWORD_LENGTH)
  password: string;
}
