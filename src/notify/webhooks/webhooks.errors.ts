import { DomainError } from '../../platform/http/domain-error';

/** Maximum per user. */
export const MAX_WEBHOOKS = 50;

export class WebhookLimit extends DomainError {
  constructor() {
    super({
      code: 'webhook-limit',
      status: 409,
      detail: `There can be at most ${MAX_WEBHOOKS} webhooks: delete one first.`,
    });
  }
}

/** The configured key no longer opens the stored address. */
export class WebhookTargetUnreadable extends DomainError {
  constructor() {
    super({
      code: 'webhook-target-unreadable',
      status: 409,
      detail: 'The address of this webhook can no longer be read: enter it again.',
    });
  }
}
