import { DomainError } from '../common/http/domain-error';

/** Of one user; what a list that is answered whole can carry, and a night can do. */
export const MAX_RETENTION_POLICIES = 100;

export class RetentionPolicyLimit extends DomainError {
  constructor() {
    super({
      code: 'retention-policy-limit',
      status: 409,
      detail: `There can be at most ${MAX_RETENTION_POLICIES} retention policies: delete one first.`,
    });
  }
}

/** Of a deactivated user nothing is removed: they could not see to it. */
export class RetentionOwnerInactive extends DomainError {
  constructor() {
    super({
      code: 'user-inactive',
      status: 401,
      detail: 'The run ended because the user was deactivated. What was removed by then is removed.',
    });
  }
}
