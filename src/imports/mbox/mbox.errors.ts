import { DomainError } from '../../common/http/domain-error';

export class NotAnMboxFile extends DomainError {
  /** @param damage why the file could not be read, if so */
  constructor(damage: string | null) {
    super({
      code: 'not-an-mbox-file',
      status: 400,
      detail: damage
        ? `The file could not be read as an mbox file: ${damage}.`
        : 'This is not an mbox file: there is no line in its beginning that separates messages (From sender date).',
    });
  }
}

/** A compressed file that unpacks to far more than mail does. */
export class MboxUnpacksTooLarge extends DomainError {
  constructor() {
    super({
      code: 'import-unpacks-too-large',
      status: 400,
      detail:
        'The compressed file unpacks to far more than its size can hold of mail; the import was stopped.',
    });
  }
}
