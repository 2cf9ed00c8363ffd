import { STATUS_CODES } from 'node:http';
import type { DomainError } from '../domain-error';
import { currentRequest } from '../request-context';
import type { Problem } from './problem.response';

/** The document for an error, as it goes over the wire. @param url the request's; its query is left out */
export function toProblem(
  error: Pick<DomainError, 'code' | 'status' | 'detail' | 'errors'>,
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
  };
}
