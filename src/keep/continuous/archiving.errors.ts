import { DomainError } from '../../platform/http/domain-error';

/** There is no ledger to compare with the mailbox. */
export class ArchivingOff extends DomainError {
  constructor() {
    super({
      code: 'archiving-off',
      status: 409,
      detail: 'Continuous archiving is off for this mailbox. Switch it on first.',
    });
  }
}

const REVIEW_MS = 60_000;

/** Copies that an earlier version made are still being reviewed: until then the ledger must not count as exact. */
export class CopiesUnderReview extends DomainError {
  constructor() {
    super({
      code: 'copies-under-review',
      status: 503,
      detail: 'The copies of this mailbox are being reviewed. It is compared afterwards.',
      level: 'info',
      retryAt: new Date(Date.now() + REVIEW_MS),
    });
  }
}

/** The messages of the mailbox changed too much while they were listed. */
export class MailboxUnsettled extends DomainError {
  constructor() {
    super({
      code: 'mailbox-unsettled',
      status: 503,
      detail: 'The mailbox could not be compared with the ledger: its history was lost meanwhile.',
      level: 'info',
    });
  }
}
