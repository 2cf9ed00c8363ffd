import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { STATUS_CODES } from 'node:http';
import type { DomainError } from './domain-error';
import { currentRequest } from './request-context';

/** One wrong field of a request. */
export class ProblemFieldError {
  /** Path of the field, e.g. `messageIds`.
   * @example labelId */
  field: string;
  /** The reason why the field is wrong.
   * @example "labelId should not be empty" */
  message: string;
  /** The reason as a stable name, for clients with words of their own.
   * @example password-common */
  reason?: string;
}

/** RFC 9457 problem document; every error of the service has this shape. */
export class Problem {
  /** URI reference that names the kind of problem.
   * @example urn:mailroom:problem:validation-failed */
  type: string;
  /** Reason phrase of the status.
   * @example "Bad Request" */
  title: string;
  /** HTTP status.
   * @example 400 */
  @ApiProperty({ type: 'integer' })
  status: number;
  /** A sentence for people that says what happened.
   * @example "action must be one of trash, delete, archive" */
  detail: string;
  /** A stable name in kebab-case, for programs.
   * @example validation-failed */
  code: string;
  /** Path of the request.
   * @example /api/jobs */
  instance: string;
  /** Names the request in the logs.
   * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  requestId: string;
  /** The fields that failed validation. */
  errors?: ProblemFieldError[];
  /** Text of a mail server, in its words.
   * @example "Application-specific password required" */
  serverText?: string;
  /** First character of the search term that is refused, in UTF-16 units from the beginning of the query.
   * @example 8 */
  @ApiPropertyOptional({ type: 'integer', minimum: 0 })
  offset?: number;
  /** Length of that term in UTF-16 units.
   * @example 13 */
  @ApiPropertyOptional({ type: 'integer', minimum: 1 })
  length?: number;
}

/** The document for an error, as it goes over the wire. @param url the request's; its query is left out */
export function toProblem(
  error: Pick<DomainError, 'code' | 'status' | 'detail' | 'errors' | 'serverText' | 'span'>,
  url: string,
): Problem {
  return {
    type: `urn:mailroom:problem:${error.code}`,
    title: STATUS_CODES[error.status] ?? 'Error',
    status: error.status,
    detail: error.detail,
    code: error.code,
    instance: url.split('?')[0] ?? '/',
    requestId: currentRequest()?.requestId ?? '',
    ...(error.errors ? { errors: [...error.errors] } : {}),
    ...(error.serverText === undefined ? {} : { serverText: error.serverText }),
    ...error.span,
  };
}
