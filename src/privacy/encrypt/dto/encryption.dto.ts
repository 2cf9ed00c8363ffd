import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsNotEmpty, IsString, IsUUID, Matches } from 'class-validator';
import {
  canonicalPassphrase,
  MAX_PASSPHRASE_CHARACTERS,
  MIN_PASSPHRASE_CHARACTERS,
} from '../../../archive/passphrases/mail-keys';
import { MaxCharacters } from '../../../platform/validation/field-rules';

/** Validates a passphrase in its canonical form, so that its length does not depend on how accents were typed. It is not trimmed. */
const Passphrase = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? canonicalPassphrase(value) : value,
    ),
    MaxCharacters(MAX_PASSPHRASE_CHARACTERS),
    IsString(),
    IsNotEmpty(),
  );

/** A new passphrase. */
export class SetUpEncryptionDto {
  /** 8 to 1,024 characters, any of them; spaces count. It cannot be changed, and mail cannot be read without it.
   * @example "correct horse battery staple" */
  @ApiProperty({ minLength: MIN_PASSPHRASE_CHARACTERS, maxLength: MAX_PASSPHRASE_CHARACTERS })
  @Matches(new RegExp(`^.{${MIN_PASSPHRASE_CHARACTERS},}$`, 'su'), {
    message: `$property must be at least ${MIN_PASSPHRASE_CHARACTERS} characters long`,
  })
  @Passphrase()
  passphrase: string;
}

/** A passphrase to check. */
export class PassphraseDto {
  /** The passphrase of the caller.
   * @example "correct horse battery staple" */
  @ApiProperty({ minLength: 1, maxLength: MAX_PASSPHRASE_CHARACTERS })
  @Passphrase()
  passphrase: string;
}

/** An encrypted mail to read. */
export class DecryptMailDto extends PassphraseDto {
  /** An encrypted mail of the account.
   * @example "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d" */
  @IsUUID()
  mailId: string;
}
