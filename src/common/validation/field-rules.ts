import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsNotEmpty, IsString, Matches, ValidateIf } from 'class-validator';

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

/** What people call a thing of theirs: 1 to `maximum` characters, without the blanks around them. */
export const PlainName = (maximum: number): PropertyDecorator =>
  applyDecorators(Trimmed(), IsString(), IsNotEmpty(), IsPlainText(), MaxCharacters(maximum));

/** For fields that may be left out but not cleared: unlike `IsOptional`, takes null for a value. */
export const MayBeAbsent = (): PropertyDecorator => ValidateIf((_body, value) => value !== undefined);
