import { DomainError } from '../../platform/http/domain-error';

/** Largest number of rules of one account. */
export const MAX_RULES = 200;

export class RuleLimit extends DomainError {
  constructor() {
    super({
      code: 'rule-limit',
      status: 409,
      detail: `A mailbox can have ${MAX_RULES} rules. Delete one first.`,
    });
  }
}

/** The rule was deleted between the start of its run and now. */
export class RuleGone extends DomainError {
  constructor() {
    super({ code: 'rule-gone', status: 404, detail: 'The rule was deleted before its run was finished.' });
  }
}

/** A condition names a label that no longer exists, so that the rule cannot be evaluated and does nothing. */
export class RuleLabelGone extends DomainError {
  constructor() {
    super({
      code: 'rule-label-gone',
      status: 409,
      detail: 'The rule names a label that the mailbox no longer has. Change the rule.',
    });
  }
}
