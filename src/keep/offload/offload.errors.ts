import { DomainError } from '../../platform/http/domain-error';

/** Reasons why a plan cannot be confirmed or deleted. */
export const PLAN_REFUSALS = [
  'plan-not-ready',
  'plan-expired',
  'plan-differs',
  'plan-running',
  'plan-done',
] as const;
export type PlanRefusal = (typeof PLAN_REFUSALS)[number];

const DETAILS: Readonly<Record<PlanRefusal, string>> = {
  'plan-not-ready': 'The plan is still being made, or could not be made.',
  'plan-expired': 'The plan is too old. Make a new one, and confirm what it shows then.',
  'plan-differs': 'The plan is not what was confirmed. Nothing has been moved.',
  'plan-running': 'The plan has been started. Its receipt says at the end which messages were moved.',
  'plan-done': 'The plan is done; its receipt is kept.',
};

export class PlanRefused extends DomainError {
  constructor(refusal: PlanRefusal) {
    super({ code: refusal, status: 409, detail: DETAILS[refusal] });
  }
}

/** The plan was deleted while its job was waiting or running. */
export class PlanGone extends DomainError {
  constructor() {
    super({ code: 'plan-gone', status: 404, detail: 'The plan was deleted.' });
  }
}

/** Copies of a mailbox cannot be deleted while an offload moves its messages, which relies on them. */
export class OffloadRunning extends DomainError {
  constructor() {
    super({
      code: 'offload-running',
      status: 409,
      detail:
        'Messages of this mailbox are being moved to the trash because the archive has them. Cancel that first, or wait.',
    });
  }
}

/** Verified copies went out of date again and again before their messages could be moved. */
export class VerificationTooSlow extends DomainError {
  constructor() {
    super({
      code: 'verification-too-slow',
      status: 503,
      detail:
        'The store of the archive is so slow that copies cannot be verified in time. Nothing more was moved.',
      level: 'warn',
    });
  }
}
