import { Matches } from 'class-validator';

/**
 * Text of at most `maximum` characters as the database counts them: by code points. `MaxLength` does not count
 * variation selectors, so that some emoji would pass it and not fit the column.
 */
export const MaxCharacters = (maximum: number): PropertyDecorator =>
  Matches(new RegExp(`^.{0,${maximum}}$`, 'su'), {
    message: `$property must not be longer than ${maximum} characters`,
  });
