import { DomainError } from '../../common/http/domain-error';

/** Deleted between the start of its run and now. */
export class RuleGone extends DomainError {
  constructor() {
    super({ code: 'rule-gone', status: 404, detail: 'The rule was deleted before its run was finished.' });
  }
}

/** Nothing may be done for a rule whose conditions can no longer be told. */
export class RuleLabelGone extends DomainError {
  constructor() {
    super({
      code: 'rule-label-gone',
      status: 409,
      detail: 'The rule names a label that the mailbox no longer has: change the rule.',
    });
  }
}
