import { IsString, Length, Matches } from 'class-validator';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../users/user-fields';

/** The part of an invitation's address after the `#`. */
export class ReadInvitationDto {
  /** @example q3Zr0nH0m2m3m8m0T7c2YV0d4x1c9JtqBf5sKqk5w2E */
  @IsString()
  @Matches(/^[\w-]{43}$/, { message: 'token must be that of an invitation' })
  token: string;
}

export class AcceptInvitationDto extends ReadInvitationDto {
  /** 8 to 128 characters, and none of the passwords that everybody tries first.
   * @example "correct horse battery" */
  @IsString()
  @Length(MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH)
  password: string;
}
