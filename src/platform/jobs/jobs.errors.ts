import { DomainError } from '../http/domain-error';
import { toDomainError } from '../http/to-domain-error';

/** A completed or failed job cannot be cancelled. */
export class JobFinished extends DomainError {
  constructor() {
    super({ code: 'job-finished', status: 409, detail: 'The job is already finished.' });
  }
}

/** No job is started for users who are deactivated or deleted. */
export class JobOwnerInactive extends DomainError {
  constructor() {
    super({ code: 'user-inactive', status: 401, detail: 'A deactivated user cannot start jobs.' });
  }
}

/** Time until it is worth asking again whether jobs have ended. */
const OPEN_JOBS_RETRY_MS = 60_000;

/** The user has as many open jobs as a user may have. */
export class TooManyJobs extends DomainError {
  constructor() {
    super({
      code: 'too-many-jobs',
      status: 429,
      detail: 'Too many of your jobs are waiting or running. Wait until some have ended, or cancel some.',
      retryAt: new Date(Date.now() + OPEN_JOBS_RETRY_MS),
    });
  }
}

/** Only failed and cancelled jobs can be taken up again, and only those that have all they need. */
export class JobNotResumable extends DomainError {
  constructor(detail = 'The job cannot be taken up again. Start a new one: it skips what is done.') {
    super({ code: 'job-not-resumable', status: 409, detail });
  }
}

/** The job has no failed items, or they cannot be done apart from the rest. */
export class JobNotRetryable extends DomainError {
  constructor(detail = 'The job has no failed items that can be done again by themselves.') {
    super({ code: 'job-not-retryable', status: 409, detail });
  }
}

/** The same `Idempotency-Key` came with another request. */
export class IdempotencyKeyReused extends DomainError {
  constructor() {
    super({
      code: 'idempotency-key-reused',
      status: 409,
      detail: 'This Idempotency-Key was used for a different request in the last 24 hours.',
    });
  }
}

/** Recorded on a job whose attempts were lost again and again, with their process or a service they need. */
export const ATTEMPTS_LOST = {
  code: 'job-process-lost',
  detail:
    'The job was given up: three times the process running it, or a service it needs, was lost before anything was done.',
} as const;

/** Recorded on a job that was cancelled because its owner was deactivated. */
export const OWNER_DEACTIVATED = {
  code: 'user-deactivated',
  detail: 'The job was stopped because the user was deactivated.',
} as const;

/** Why a running handler has to stop. */
export type Interruption = 'cancelled' | 'shutdown' | 'lease-lost';

/** Thrown into handlers between batches; they let it pass. Never a failure of the job. */
export class JobInterrupted extends Error {
  constructor(readonly interruption: Interruption) {
    super(`The job was interrupted: ${interruption}.`);
    this.name = 'JobInterrupted';
  }
}

export interface FailureDescription {
  /** A sentence for people. */
  readonly error: string;
  /** Stable code. */
  readonly errorCode: string;
  /** Whether the error is unforeseen, so that its stack belongs in the log. */
  readonly unexpected: boolean;
  /** A service of ours was unavailable: worth another attempt from the checkpoint. */
  readonly transient: boolean;
  /** It is refused until then and no longer: the job waits. */
  readonly retryAt?: Date;
}

/** Describes a thrown error for the job's row; of unknown errors the content is left out. */
export function describeFailure(thrown: unknown): FailureDescription {
  if (thrown instanceof DomainError) {
    return {
      error: thrown.detail,
      errorCode: thrown.code,
      unexpected: thrown.level === 'error',
      transient: false,
      retryAt: thrown.retryAt,
    };
  }
  const { code, detail } = toDomainError(thrown);
  return {
    error: code === 'internal-error' ? 'The job stopped because of an unexpected error on our side.' : detail,
    errorCode: code,
    unexpected: true,
    transient: code === 'service-unavailable',
  };
}
