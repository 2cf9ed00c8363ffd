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
