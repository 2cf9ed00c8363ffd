import { IsOptional, IsString, Length } from 'class-validator';
import { EmailAddress, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './field-rules';
import { MaxCharacters } from '../../common/http/validation/max-characters';
import { Trimmed } from '../../common/http/validation/plain-name';
import { IsPlainText } from '../../common/http/validation/plain-text';

/** A new user. */
export class RegisterDto {
  /** Compared without regard to case.
   * @example ada@example.org */
  @EmailAddress()
  email: string;

  /** 8 to 128 characters.
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
