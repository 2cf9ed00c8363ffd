import { ApiError } from '../http/api-error';
import type { ApiAnswer } from '../http/api-message';
import type { SandboxFault, SandboxFaultAnswer } from '../types';

export interface FaultTarget {
  readonly endpoint: string;
  readonly messageId: string | undefined;
  readonly email: string | undefined;
}

interface ActiveFault {
  readonly fault: SandboxFault;
  skip: number;
  left: number;
}

/** The faults waiting to strike. The first that matches a call takes it. */
export class FaultList {
  private active: ActiveFault[] = [];

  add(fault: SandboxFault): void {
    const left = fault.times === 'always' ? Infinity : (fault.times ?? 1);
    this.active.push({ fault, skip: fault.skip ?? 0, left });
  }

  clear(email?: string): void {
    this.active = email === undefined ? [] : this.active.filter(({ fault }) => fault.email !== email);
  }

  /** The fault that strikes this call, counted down. */
  take(target: FaultTarget): SandboxFault | undefined {
    for (const entry of this.active) {
      if (!concerns(entry.fault, target)) continue;
      if (entry.skip > 0) {
        entry.skip--;
        continue;
      }
      entry.left--;
      if (entry.left <= 0) this.active = this.active.filter((other) => other !== entry);
      return entry.fault;
    }
    return undefined;
  }
}

function concerns(fault: SandboxFault, target: FaultTarget): boolean {
  const gmailCall = !target.endpoint.startsWith('oauth.') && target.endpoint !== 'batch';
  const endpointMatches =
    fault.endpoint === undefined
      ? gmailCall
      : fault.endpoint.endsWith('*')
        ? target.endpoint.startsWith(fault.endpoint.slice(0, -1))
        : fault.endpoint === target.endpoint;
  return (
    endpointMatches &&
    (fault.messageId === undefined || fault.messageId === target.messageId) &&
    (fault.email === undefined || fault.email.toLowerCase() === target.email)
  );
}

/** The answer of another server in the provider's place; undefined for other faults. */
export function foreignAnswer(answer: SandboxFaultAnswer | undefined): ApiAnswer | undefined {
  if (answer?.kind !== 'foreign') return undefined;
  return {
    status: answer.status ?? 200,
    headers: { 'Content-Type': answer.contentType ?? 'text/html; charset=UTF-8' },
    bytes: Buffer.from(answer.body),
  };
}

/** The error a fault answers with; undefined for faults of the connection. */
export function faultError(answer: SandboxFaultAnswer): ApiError | undefined {
  switch (answer.kind) {
    case 'concurrency':
      return ApiError.tooManyConcurrentRequests();
    case 'rateLimit429':
      return ApiError.quotaExceeded(429);
    case 'rateLimitExceeded':
      return ApiError.quotaExceeded(403);
    case 'userRateLimitExceeded':
      return new ApiError(403, 'userRateLimitExceeded', 'User Rate Limit Exceeded');
    case 'retryAfter':
      return ApiError.retryAfter(new Date(Date.now() + answer.afterMs));
    case 'dailyLimitExceeded':
      return new ApiError(403, 'dailyLimitExceeded', 'Daily Limit Exceeded');
    case 'insufficientPermissions':
      return ApiError.insufficientScopes();
    case 'unauthorized':
      return ApiError.unauthenticated();
    case 'backendError':
      return new ApiError(500, 'backendError', 'Backend Error');
    case 'unavailable':
      return new ApiError(503, 'backendError', 'The service is currently unavailable.');
    case 'error':
      return new ApiError(answer.status, answer.reason, answer.message, answer.headers);
    default:
      return undefined;
  }
}
