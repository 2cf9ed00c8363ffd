import { DomainError } from '../../platform/http/domain-error';

/** Most messages of one selection, as many as one bulk change accepts. */
export const MAX_SELECTED = 50_000;

export class SelectionTooLarge extends DomainError {
  constructor() {
    super({
      code: 'selection-too-large',
      status: 400,
      detail: `The query finds more than ${MAX_SELECTED.toLocaleString('en-US')} messages. Narrow it, for example with older_than.`,
    });
  }
}

/** The selection has expired. The answer is the same for one that never existed or is another user's. */
export class SelectionExpired extends DomainError {
  constructor() {
    super({
      code: 'selection-expired',
      status: 409,
      detail: 'The selection is no longer kept. Make it again, and confirm what it counts then.',
    });
  }
}
