import { DomainError } from '../../http/domain-error';
import { toDomainError } from '../../http/problems/to-domain-error';

export interface FailureDescription {
  /** For people. */
  readonly error: string;
  /** Stable. */
  readonly errorCode: string;
  /** Its stack belongs in the log. */
  readonly unexpected: boolean;
  /** A service of ours was away: worth another attempt from the checkpoint. */
  readonly transient: boolean;
}

/** How a thrown error appears on the job; unknown errors say nothing of their content. */
export function describeFailure(thrown: unknown): FailureDescription {
  if (thrown instanceof DomainError) {
    return {
      error: thrown.detail,
      errorCode: thrown.code,
      unexpected: thrown.level === 'error',
      transient: false,
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
