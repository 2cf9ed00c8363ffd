import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { isEmail, IsNotEmpty, IsString, Matches, ValidateBy, ValidateIf } from 'class-validator';

/**
 * Text of at most `maximum` characters as the database counts them: by code points. `MaxLength` does not count
 * variation selectors, so that some emoji would pass it and not fit the column.
 */
export const MaxCharacters = (maximum: number): PropertyDecorator =>
  Matches(new RegExp(`^.{0,${maximum}}$`, 'su'), {
    message: `$property must not be longer than ${maximum} characters`,
  });

/** Text a person can have typed: no control characters, and no half of a surrogate pair, which nothing can store. */
export const IsPlainText = (): PropertyDecorator =>
  Matches(/^[^\p{Cc}\p{Cs}]*$/u, { message: '$property must not hold control characters' });

/** Text without the blanks around it. */
export const Trimmed = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** Name that a user gives to something: 1 to `maximum` characters, without the blanks around them. */
export const PlainName = (maximum: number): PropertyDecorator =>
  applyDecorators(Trimmed(), IsString(), IsNotEmpty(), IsPlainText(), MaxCharacters(maximum));

/** For fields that may be left out but not cleared: unlike `IsOptional`, takes null for a value. */
export const MayBeAbsent = (): PropertyDecorator => ValidateIf((_body, value) => value !== undefined);

/** RFC 5321, section 4.5.3.1, allows 64 characters before the @ and 255 after it. */
export const MAX_EMAIL_LENGTH = 320;

/** Half of a surrogate pair: the library's formats throw on it, where they encode the text. */
const LONE_SURROGATE = /\p{Cs}/u;

/** Whether a value is an e-mail address, whatever it holds; blanks around it are not part of one. */
export const isEmailAddress = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= MAX_EMAIL_LENGTH &&
  !LONE_SURROGATE.test(value) &&
  isEmail(value);

export const IsEmailAddress = (): PropertyDecorator =>
  ValidateBy({
    name: 'isEmailAddress',
    validator: { validate: isEmailAddress, defaultMessage: () => '$property must be an e-mail address' },
  });
