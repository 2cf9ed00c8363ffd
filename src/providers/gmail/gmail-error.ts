import type { DomainError } from '../../platform/http/domain-error';
import { retryAfterInstant } from '../gateway/network-failure';
import { FailureKind, ProviderFailure } from '../gateway/provider-call';
import {
  MessageNotFound,
  ProviderRateLimited,
  ProviderRejected,
  ProviderUnavailable,
} from '../port/mail-provider.errors';

/** An error answer of the API, or of one part of a batch. */
export interface ErrorAnswer {
  readonly status: number;
  /** `Retry-After`: seconds or an HTTP date. */
  readonly retryAfter?: string | undefined;
  /** Parsed JSON, or text when it was not JSON. */
  readonly body: unknown;
}

/** Errors that statuses stand for, which depends on the request. */
export interface ErrorContext {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Error for 404 (default: MessageNotFound). */
  readonly notFound?: () => DomainError;
  /** Error for 409 (default: ProviderRejected). */
  readonly conflict?: () => DomainError;
  /** Error for 400 `invalidArgument`, made from the provider's message. */
  readonly invalidArgument?: (message: string) => DomainError;
}

const QUOTA_REASONS = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'quotaExceeded',
  'RATE_LIMIT_EXCEEDED',
  'RESOURCE_EXHAUSTED',
]);
const SCOPE_REASONS = new Set(['insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT']);
const RETRY_INSTANT = /Retry after\s+(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/i;
const TOO_MANY_AT_ONCE = /too many concurrent requests/i;
const DAY_LIMIT_RETRY_MS = 60 * 60_000;

interface GoogleError {
  readonly reason: string | null;
  readonly message: string;
}

/** Maps an error answer to a failure, which says what the gateway does and which error the caller gets. */
export function gmailFailure(answer: ErrorAnswer, context: ErrorContext): ProviderFailure {
  const { reason, message } = readError(answer.body);
  const label = reason ?? `http_${answer.status}`;
  const cause = new Error(`Gmail answered ${answer.status} ${label}: ${message.slice(0, 300)}`);
  const failure = (kind: FailureKind, error: DomainError, retryAt: number | null = null) =>
    new ProviderFailure({ kind, reason: label, error, retryAt });
  const buildRateLimited = () => {
    const retryAt = retryInstant(message, answer.retryAfter, context.now);
    const kind = TOO_MANY_AT_ONCE.test(message) ? 'concurrency' : 'rateLimited';
    return failure(kind, new ProviderRateLimited(new Date(retryAt ?? context.now), cause), retryAt);
  };

  switch (answer.status) {
    case 400:
      return failure('refused', badRequest(reason, message, context, cause));
    case 401:
      return failure('unauthorized', new ProviderUnavailable(cause));
    case 403:
      if (reason !== null && QUOTA_REASONS.has(reason)) return buildRateLimited();
      return failure('refused', forbidden(reason, context.now, cause));
    case 404:
      // A text comes from a proxy, not from the API. Reported as not found, the message would be left out or its row
      // deleted.
      if (typeof answer.body === 'string' && answer.body.trim() !== '')
        return failure('unavailable', new ProviderUnavailable(cause));
      return failure('refused', context.notFound?.() ?? new MessageNotFound());
    case 409:
      return failure('refused', context.conflict?.() ?? new ProviderRejected(label, undefined, cause));
    case 429:
      if (reason === 'dailyLimitExceeded') return failure('refused', forbidden(reason, context.now, cause));
      return buildRateLimited();
    case 408:
      return failure('unavailable', new ProviderUnavailable(cause));
  }
  if (answer.status >= 400 && answer.status < 500) {
    return failure('refused', new ProviderRejected(label, undefined, cause));
  }
  // 5xx, and statuses the API does not document (a proxy's redirect, say).
  return failure(
    'unavailable',
    new ProviderUnavailable(cause),
    retryInstant('', answer.retryAfter, context.now),
  );
}

/**
 * Reads the instant from which the provider accepts calls again, epoch milliseconds: from its message, else from
 * `Retry-After`; null when it names none.
 */
export function retryInstant(message: string, retryAfter: string | undefined, now: number): number | null {
  const inText = RETRY_INSTANT.exec(message)?.[1];
  const instant = inText ? Date.parse(inText) : NaN;
  if (!Number.isNaN(instant)) return instant;
  return retryAfterInstant(retryAfter, now);
}

function badRequest(
  reason: string | null,
  message: string,
  context: ErrorContext,
  cause: Error,
): DomainError {
  if (reason === 'failedPrecondition' || reason === 'FAILED_PRECONDITION') {
    return new ProviderRejected(
      'failedPrecondition',
      'The mailbox does not allow this in its present state.',
      cause,
    );
  }
  // The API answers 400, not 404, to an id that does not have the form of one.
  if (/invalid id value/i.test(message)) return context.notFound?.() ?? new MessageNotFound();
  return (
    context.invalidArgument?.(message) ??
    new ProviderRejected(
      'invalidArgument',
      'The mail provider does not accept a parameter of the request.',
      cause,
    )
  );
}

function forbidden(reason: string | null, now: number, cause: Error): DomainError {
  if (reason === 'dailyLimitExceeded') {
    return new ProviderRateLimited(new Date(now + DAY_LIMIT_RETRY_MS), cause);
  }
  if (reason === 'domainPolicy') {
    return new ProviderRejected(
      reason,
      'The administrator of the mailbox’s domain does not allow access by applications.',
      cause,
    );
  }
  if (reason !== null && SCOPE_REASONS.has(reason)) {
    return new ProviderRejected(
      'insufficientPermissions',
      'The access granted does not cover this; connect the mailbox again and allow everything asked for.',
      cause,
    );
  }
  return new ProviderRejected(reason ?? 'forbidden', undefined, cause);
}

/** Reads Google's two forms of error bodies: `errors[].reason`, and `details[].reason` beside a `status`. */
function readError(body: unknown): GoogleError {
  const error = field(body, 'error');
  if (error === undefined || error === null)
    return { reason: null, message: typeof body === 'string' ? body : '' };
  const message = text(field(error, 'message')) ?? '';
  const reason =
    firstReason(field(error, 'details')) ??
    firstReason(field(error, 'errors')) ??
    quotaStatus(field(error, 'status'));
  return { reason, message };
}

/** Returns a `status` that stands for a reason. Other values say no more than the HTTP status. */
function quotaStatus(status: unknown): string | null {
  return status === 'RESOURCE_EXHAUSTED' || status === 'FAILED_PRECONDITION' ? status : null;
}

function firstReason(list: unknown): string | null {
  if (!Array.isArray(list)) return null;
  for (const entry of list) {
    const reason = text(field(entry, 'reason'));
    if (reason !== null && /^\w{1,60}$/.test(reason)) return reason;
  }
  return null;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
