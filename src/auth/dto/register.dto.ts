import { IsOptional, IsString, Length, Matches } from 'class-validator';
import { EmailAddress, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './field-rules';

/** A new user. */
export class RegisterDto {
  /** Compared without regard to case.
   * @example ada@example.org */
  @EmailAddress()
  email: string;

  /** 8 to 128 characters.
   * @example correct horse battery */
  @IsString()
  @Length(MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH)
  password: string;

  /** Name shown to people.
   * @example Ada Lovelace */
  @IsOptional()
  @Matches(/^\P{Cc}*$/u, { message: 'name must not hold control characters' })
  @Length(1, 200)
  @IsString()
  name?: string | null;
}
