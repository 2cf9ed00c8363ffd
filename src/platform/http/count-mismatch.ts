import { DomainError } from './domain-error';

/** The number that the user confirmed differs from the number that would be changed. */
export class CountMismatch extends DomainError {
  /** @param found number of items that would be changed */
  constructor(found: number) {
    super({
      code: 'count-mismatch',
      status: 409,
      detail: `It is ${found.toLocaleString('en-US')} now, not the number that was confirmed. Nothing has been changed.`,
    });
  }
}
