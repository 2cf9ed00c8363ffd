import { DomainError } from '../../platform/http/domain-error';

/** Most policies of a user: the list is answered whole, and a night must suffice for all of them. */
export const MAX_RETENTION_POLICIES = 100;

export class RetentionPolicyLimit extends DomainError {
  constructor() {
    super({
      code: 'retention-policy-limit',
      status: 409,
      detail: `You can have at most ${MAX_RETENTION_POLICIES} retention policies. Delete one first.`,
    });
  }
}

/** A deactivated user's mail is kept: they could not object to its deletion. */
export class RetentionOwnerInactive extends DomainError {
  constructor() {
    super({
      code: 'user-inactive',
      status: 401,
      detail: 'The run ended because the user was deactivated. Mail deleted before that stays deleted.',
    });
  }
}
