import { DomainError } from '../common/http/domain-error';

/** Rules one account may have. */
export const MAX_RULES = 200;

export class RuleLimit extends DomainError {
  constructor() {
    super({
      code: 'rule-limit',
      status: 409,
      detail: `A mailbox can have ${MAX_RULES} rules; delete one first.`,
    });
  }
}
