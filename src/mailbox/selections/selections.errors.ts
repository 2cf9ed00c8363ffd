import { DomainError } from '../../platform/http/domain-error';

/** Messages of one selection: as many as one bulk change takes. */
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

/** Also of a selection that never was, or is somebody else's: the answer is the same. */
export class SelectionExpired extends DomainError {
  constructor() {
    super({
      code: 'selection-expired',
      status: 409,
      detail: 'The selection is no longer kept. Make it again, and confirm what it counts then.',
    });
  }
}
