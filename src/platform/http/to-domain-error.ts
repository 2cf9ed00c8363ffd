import { HttpException } from '@nestjs/common';
import { STATUS_CODES } from 'node:http';
import { DomainError } from './domain-error';
import { isDependencyUnavailable, isStatementTimeout } from '../logging/system-errors';

/** Codes of failures that Nest and Express raise themselves, by status. */
const CODES: Readonly<Record<number, string>> = {
  400: 'bad-request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  408: 'request-timeout',
  409: 'conflict',
  413: 'payload-too-large',
  415: 'unsupported-media-type',
  429: 'too-many-requests',
  503: 'service-unavailable',
};

const DETAILS: Readonly<Record<number, string>> = {
  404: 'There is nothing at this address.',
  413: 'The request body is larger than this route takes.',
  415: 'The request body has a media type or charset this route does not take.',
};

interface HttpLikeError {
  readonly status?: unknown;
  readonly type?: unknown;
}

/**
 * Turns whatever was thrown into a domain error. Unknown errors become a 500 that says nothing of their content.
 */
export function toDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  if (thrown instanceof HttpException) return fromStatus(thrown.getStatus(), thrown);
  const error = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as HttpLikeError;
  // body-parser and other Express middleware throw errors with a `status` below 500.
  if (typeof error.status === 'number' && error.status >= 400 && error.status < 500) {
    return fromStatus(error.status, thrown);
  }
  // A statement that timed out is answered like an unavailable database: another try may succeed.
  if (isDependencyUnavailable(thrown) || isStatementTimeout(thrown)) return dependencyUnavailable(thrown);
  return new DomainError({
    code: 'internal-error',
    status: 500,
    detail: 'Something went wrong on our side. The request id helps to find it in the logs.',
    cause: thrown,
  });
}

/** 503: PostgreSQL or Redis does not answer. */
export function dependencyUnavailable(cause: unknown): DomainError {
  return new DomainError({
    code: 'service-unavailable',
    status: 503,
    detail: 'A part of the service is not available at the moment; try again shortly.',
    headers: { 'Retry-After': '5' },
    level: 'error',
    cause,
  });
}

function fromStatus(status: number, cause: unknown): DomainError {
  if (isMalformedJson(cause)) {
    return new DomainError({
      code: 'malformed-json',
      status: 400,
      detail: 'The request body is not a valid JSON object.',
      cause,
    });
  }
  return new DomainError({
    code: CODES[status] ?? 'request-failed',
    status,
    detail: DETAILS[status] ?? STATUS_CODES[status] ?? 'The request failed.',
    cause,
  });
}

function isMalformedJson(cause: unknown): boolean {
  const inner = cause instanceof HttpException ? (cause.cause ?? cause) : cause;
  return (
    inner instanceof SyntaxError ||
    (inner as HttpLikeError | undefined)?.type === 'entity.parse.failed' ||
    (cause instanceof HttpException &&
      /JSON|Unexpected token|Unterminated/.test(cause.message) &&
      cause.getStatus() === 400)
  );
}
