import { Matches } from 'class-validator';

/** Text a person can have typed: no control characters, and no half of a surrogate pair, which nothing can store. */
export const IsPlainText = (): PropertyDecorator =>
  Matches(/^[^\p{Cc}\p{Cs}]*$/u, { message: '$property must not hold control characters' });
